package main

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
)

func chance(r *rand.Rand, n int) bool { return r.Intn(n) > 0 }

func pick(r *rand.Rand, values ...interface{}) interface{} { return values[r.Intn(len(values))] }

// some returns a random sequence of distinct letters.
func some(r *rand.Rand, letters string) []string {
	shuffled := strings.Split(letters, "")
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled[:r.Intn(len(shuffled)+1)]
}

func metadata(r *rand.Rand) object {
	meta := object{"name": "web"}
	labels := object{}
	for _, key := range some(r, "abc") {
		labels[key] = pick(r, "1", "2")
	}
	if chance(r, 3) {
		meta["labels"] = labels
	}
	if chance(r, 3) {
		finalizers := list{}
		for _, name := range some(r, "wxyz") {
			finalizers = append(finalizers, "ex.io/"+name)
		}
		meta["finalizers"] = finalizers
	}
	if chance(r, 2) {
		owners := list{}
		for _, uid := range some(r, "uvw") {
			owners = append(owners, object{"uid": uid, "name": pick(r, "n", "m"), "kind": "X", "apiVersion": "v1"})
		}
		meta["ownerReferences"] = owners
	}
	return meta
}

func containers(r *rand.Rand, letters string) list {
	result := list{}
	for _, name := range some(r, letters) {
		c := object{"name": name, "image": pick(r, "i", "j")}
		if chance(r, 2) {
			env := list{}
			for _, key := range some(r, "efg") {
				env = append(env, object{"name": key, "value": pick(r, "1", "2", "")})
			}
			c["env"] = env
		}
		if chance(r, 2) {
			ports := list{}
			for i := range some(r, "pq") {
				port := object{"containerPort": 80 + i}
				if chance(r, 2) {
					port["protocol"] = pick(r, "TCP", "UDP")
				}
				ports = append(ports, port)
			}
			c["ports"] = ports
		}
		if chance(r, 2) {
			c["args"] = list{pick(r, "a", "b")}
			c["resources"] = object{"limits": object{"cpu": pick(r, "1", "2")}}
		}
		if chance(r, 2) {
			c["securityContext"] = object{"capabilities": object{"add": list{pick(r, "A", "B")}}, "privileged": chance(r, 2)}
		}
		result = append(result, c)
	}
	return result
}

func deployment(r *rand.Rand) object {
	pod := object{"containers": containers(r, "abcd")}
	if chance(r, 3) {
		pod["initContainers"] = containers(r, "kl")
	}
	if chance(r, 2) {
		volumes := list{}
		for _, name := range some(r, "vwx") {
			volume := object{"name": name}
			volume[pick(r, "emptyDir", "secret", "configMap").(string)] = object{}
			volumes = append(volumes, volume)
		}
		pod["volumes"] = volumes
	}
	if chance(r, 2) {
		pod["tolerations"] = list{object{"key": pick(r, "a", "b")}}
		pod["nodeSelector"] = object{pick(r, "a", "b").(string): "1"}
		pod["imagePullSecrets"] = list{object{"name": pick(r, "a", "b")}}
	}
	if chance(r, 2) {
		pod["hostAliases"] = list{object{"ip": "1.1.1.1", "hostnames": list{pick(r, "a", "b")}}}
		pod["terminationGracePeriodSeconds"] = pick(r, 30, 0)
	}
	spec := object{"replicas": pick(r, 1, 2, 0), "template": object{"metadata": object{"labels": object{"app": pick(r, "a", "b")}}, "spec": pod}}
	if chance(r, 2) {
		spec["strategy"] = pick(r, object{"type": "Recreate"}, object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": pick(r, 1, "25%")}})
	}
	result := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata(r), "spec": spec}
	if chance(r, 2) {
		conditions := list{}
		for _, kind := range some(r, "AP") {
			conditions = append(conditions, object{"type": kind, "status": pick(r, "True", "False")})
		}
		result["status"] = object{"conditions": conditions}
	}
	return result
}

// small is a document for patches that know no schema.
func small(r *rand.Rand) object {
	labels := object{"a": pick(r, "1", "2"), "~x/y": "z"}
	items := list{"f1", pick(r, "f2", nil, 3), object{"name": pick(r, "z", "y")}}
	return object{"labels": labels, "items": items[:2+r.Intn(2)], "number": pick(r, 1, 3, 2.5), "none": nil, "deep": object{"er": object{"x": pick(r, 1, list{})}}}
}

func service(r *rand.Rand) object {
	ports := list{}
	for i := range some(r, "abc") {
		ports = append(ports, object{"name": fmt.Sprint("p", i), "port": pick(r, 80, 81, 82, 83), "targetPort": pick(r, 8080, "http")})
	}
	return object{"apiVersion": "v1", "kind": "Service", "metadata": metadata(r), "spec": object{"ports": ports, "selector": object{"app": pick(r, "a", "b")}}}
}

func node(r *rand.Rand) object {
	ranges := list{}
	for _, letter := range some(r, "123") {
		ranges = append(ranges, "10."+letter+".0.0/24")
	}
	addresses := list{}
	for _, kind := range some(r, "HIE") {
		addresses = append(addresses, object{"type": kind, "address": pick(r, "1", "2")})
	}
	return object{"apiVersion": "v1", "kind": "Node", "metadata": metadata(r), "spec": object{"podCIDRs": ranges, "taints": list{object{"key": pick(r, "a", "b")}}}, "status": object{"addresses": addresses, "capacity": object{"cpu": pick(r, "1", "2")}}}
}

func budget(r *rand.Rand) object {
	return object{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata(r), "spec": object{"maxUnavailable": pick(r, 1, "10%"), "selector": object{"matchLabels": object{pick(r, "a", "b").(string): "1"}}}}
}

// strew puts directives and nulls into a patch at random places.
func strew(r *rand.Rand, value interface{}) interface{} {
	switch typed := value.(type) {
	case object:
		keys := keysOf(typed)
		for _, key := range keys {
			child := typed[key]
			if r.Intn(9) == 0 && key != "name" && key != "type" {
				typed[key] = nil
				continue
			}
			if r.Intn(12) == 0 && key != "name" {
				delete(typed, key)
				continue
			}
			typed[key] = strew(r, child)
			if items, ok := child.(list); ok && r.Intn(3) == 0 {
				typed["$setElementOrder/"+key] = orderOf(r, items)
			}
			if items, ok := child.(list); ok && len(items) > 0 && r.Intn(4) == 0 {
				if _, isText := items[0].(string); isText {
					typed["$deleteFromPrimitiveList/"+key] = list{items[0], "ex.io/w"}
					if chance(r, 2) {
						delete(typed, key)
					}
				}
			}
		}
		if r.Intn(14) == 0 {
			names := list{}
			for _, key := range keys {
				names = append(names, key)
			}
			typed["$retainKeys"] = names
		}
		if r.Intn(25) == 0 {
			typed["$patch"] = pick(r, "replace", "delete", "merge", "bogus")
		}
		return typed
	case list:
		for i := range typed {
			typed[i] = strew(r, typed[i])
			if element, ok := typed[i].(object); ok && r.Intn(8) == 0 {
				element["$patch"] = pick(r, "delete", "delete", "replace")
			}
		}
		if len(typed) > 0 && r.Intn(15) == 0 {
			if _, ok := typed[0].(object); ok {
				return append(typed, object{"$patch": "replace"})
			}
		}
		return typed
	}
	return value
}

func orderOf(r *rand.Rand, items list) list {
	order := list{}
	for _, item := range items {
		element, ok := item.(object)
		if !ok {
			order = append(order, item)
			continue
		}
		for _, key := range []string{"name", "containerPort", "port", "type", "uid", "ip"} {
			if value, has := element[key]; has {
				order = append(order, object{key: value})
				break
			}
		}
	}
	if r.Intn(3) == 0 {
		order = append(order, pick(r, "ex.io/z", object{"name": "b"}, object{"name": "zz"}))
	}
	if r.Intn(3) == 0 && len(order) > 1 {
		order = order[1:]
	}
	return order
}

// keysOf is sorted, or the seed would not fix the result.
func keysOf(o object) []string {
	keys := []string{}
	for key := range o {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
