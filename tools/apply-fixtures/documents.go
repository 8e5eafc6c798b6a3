package main

import (
	"math/rand"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

type kindOf struct {
	gvk  schema.GroupVersionKind
	make func(*rand.Rand) object
}

var foo = schema.GroupVersionKind{Group: "ex.io", Version: "v1", Kind: "Foo"}

var kinds = []kindOf{
	{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, deployment},
	{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, deployment},
	{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, configMap},
	{foo, custom},
	{foo, custom},
	{schema.GroupVersionKind{Version: "v1", Kind: "Service"}, service},
	{schema.GroupVersionKind{Version: "v1", Kind: "Node"}, node},
	{schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, ingress},
}

func chance(r *rand.Rand, n int) bool { return r.Intn(n) > 0 }

func pick(r *rand.Rand, values ...interface{}) interface{} { return values[r.Intn(len(values))] }

func some(r *rand.Rand, letters string) []string {
	shuffled := strings.Split(letters, "")
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	return shuffled[:r.Intn(len(shuffled)+1)]
}

func metadata(r *rand.Rand) object {
	meta := object{"name": "web", "namespace": "shop"}
	if chance(r, 3) {
		labels := object{}
		for _, key := range some(r, "abc") {
			labels[key] = pick(r, "1", "2")
		}
		meta["labels"] = labels
	}
	if chance(r, 2) {
		finalizers := list{}
		for _, name := range some(r, "xyz") {
			finalizers = append(finalizers, "ex.io/"+name+"<&>")
		}
		meta["finalizers"] = finalizers
	}
	if chance(r, 2) {
		owners := list{}
		for _, uid := range some(r, "uv") {
			owners = append(owners, object{"uid": uid, "name": pick(r, "n", "m"), "kind": "X", "apiVersion": "v1"})
		}
		meta["ownerReferences"] = owners
	}
	return meta
}

func containers(r *rand.Rand) list {
	result := list{}
	for _, name := range some(r, "abc") {
		c := object{"name": name, "image": pick(r, "i", "j")}
		if chance(r, 2) {
			env := list{}
			for _, key := range some(r, "efg") {
				env = append(env, object{"name": key, "value": pick(r, "1", "2", "")})
			}
			if len(env) > 0 && r.Intn(8) == 0 {
				env = append(env, object{"name": env[0].(object)["name"], "value": "again"})
			}
			c["env"] = env
		}
		if chance(r, 2) {
			ports := list{}
			for _, letter := range some(r, "pqr") {
				port := object{"containerPort": int64(letter[0])}
				if chance(r, 2) {
					port["protocol"] = pick(r, "TCP", "UDP")
				}
				if chance(r, 3) {
					port["name"] = pick(r, "x", "y")
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
			c["livenessProbe"] = object{"httpGet": object{"port": pick(r, int64(80), "http"), "path": "/"}}
		}
		result = append(result, c)
	}
	return result
}

func deployment(r *rand.Rand) object {
	pod := object{"containers": containers(r)}
	if chance(r, 2) {
		volumes := list{}
		for _, name := range some(r, "vwx") {
			volume := object{"name": name}
			volume[pick(r, "emptyDir", "configMap").(string)] = object{}
			volumes = append(volumes, volume)
		}
		pod["volumes"] = volumes
	}
	if chance(r, 2) {
		pod["tolerations"] = list{object{"key": pick(r, "a", "b")}}
		pod["nodeSelector"] = object{pick(r, "a", "b").(string): "1"}
	}
	spec := object{"replicas": pick(r, int64(1), int64(2), int64(0)), "template": object{"metadata": object{"labels": object{"app": pick(r, "a", "b")}}, "spec": pod}}
	if chance(r, 2) {
		spec["strategy"] = pick(r, object{"type": "Recreate"}, object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": pick(r, int64(1), "25%")}})
		spec["selector"] = object{"matchLabels": object{"app": pick(r, "a", "b")}}
	}
	result := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata(r), "spec": spec}
	if chance(r, 2) {
		conditions := list{}
		for _, kind := range some(r, "AP") {
			conditions = append(conditions, object{"type": kind, "status": pick(r, "True", "False")})
		}
		result["status"] = object{"conditions": conditions, "replicas": pick(r, int64(1), int64(2))}
	}
	return result
}

func configMap(r *rand.Rand) object {
	data := object{}
	for _, key := range some(r, "abcd") {
		data[key] = pick(r, "1", "2", "")
	}
	result := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(r), "data": data}
	if chance(r, 3) {
		result["immutable"] = chance(r, 2)
	}
	return result
}

func service(r *rand.Rand) object {
	ports := list{}
	for _, letter := range some(r, "abc") {
		ports = append(ports, object{"name": letter, "port": pick(r, int64(80), int64(443), int64(9)), "targetPort": pick(r, int64(8080), "http")})
	}
	return object{"apiVersion": "v1", "kind": "Service", "metadata": metadata(r), "spec": object{"ports": ports, "selector": object{"app": pick(r, "a", "b")}}}
}

func node(r *rand.Rand) object {
	ranges := list{}
	for _, letter := range some(r, "123") {
		ranges = append(ranges, "10."+letter+".0.0/24")
	}
	addresses := list{}
	for _, kind := range some(r, "HI") {
		addresses = append(addresses, object{"type": kind, "address": pick(r, "1", "2")})
	}
	return object{"apiVersion": "v1", "kind": "Node", "metadata": metadata(r), "spec": object{"podCIDRs": ranges, "taints": list{object{"key": pick(r, "a", "b"), "effect": "NoSchedule"}}}, "status": object{"addresses": addresses, "capacity": object{"cpu": pick(r, "1", "2")}}}
}

func ingress(r *rand.Rand) object {
	return object{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": metadata(r), "spec": object{"rules": list{object{"host": pick(r, "a", "b")}}, "defaultBackend": object{"service": object{"name": pick(r, "a", "b"), "port": object{"number": int64(80)}}}}}
}

func custom(r *rand.Rand) object {
	spec := object{"size": pick(r, int64(1), int64(2)), "port": pick(r, int64(80), "http"), "whole": object{pick(r, "a", "b").(string): "1"}}
	if chance(r, 2) {
		spec["free"] = object{pick(r, "a", "b").(string): pick(r, "1", object{"deep": object{"er": list{pick(r, "1", "2")}}}, list{object{"a": "1"}}, nil)}
	}
	if chance(r, 2) {
		spec["map"] = object{pick(r, "a", "b").(string): object{pick(r, "x", "y").(string): pick(r, "1", "2")}}
		spec["plain"] = list{pick(r, "1", "2")}
	}
	if chance(r, 2) {
		set := list{}
		for _, letter := range some(r, "abc") {
			set = append(set, letter)
		}
		spec["set"] = set
	}
	items := list{}
	for _, name := range some(r, "abc") {
		item := object{"name": name, "value": pick(r, "1", "2")}
		if chance(r, 2) {
			item["zone"] = pick(r, "here", "there")
		}
		if chance(r, 3) {
			item["tags"] = list{pick(r, "p", "q")}
		}
		items = append(items, item)
	}
	spec["items"] = items
	result := object{"apiVersion": "ex.io/v1", "kind": "Foo", "metadata": metadata(r), "spec": spec}
	if chance(r, 2) {
		result["status"] = object{"ready": chance(r, 2)}
	}
	return result
}

// thin leaves out fields at random: an applied configuration is partial.
func thin(r *rand.Rand, o object) {
	keys := []string{}
	for key := range o {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		switch key {
		case "apiVersion", "kind", "name", "metadata", "uid", "containerPort", "port", "type", "protocol":
			if child, ok := o[key].(object); ok {
				thin(r, child)
			}
			continue
		}
		if r.Intn(4) == 0 {
			delete(o, key)
			continue
		}
		switch child := o[key].(type) {
		case object:
			thin(r, child)
		case list:
			for _, item := range child {
				if element, ok := item.(object); ok {
					thin(r, element)
				}
			}
		}
	}
}
