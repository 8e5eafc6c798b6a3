// Writes what Kubernetes' code makes of random patches. See README.md.
package main

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type object = map[string]interface{}
type list = []interface{}

func main() {
	save("strategic", 400, strategicRow)
	save("json", 700, jsonRow)
	save("merge", 250, mergeRow)
}

func strategicRow(r *rand.Rand) list {
	kinds := []struct {
		name   string
		make   func(*rand.Rand) object
		typeOf interface{}
	}{
		{"apps/v1 Deployment", deployment, appsv1.Deployment{}},
		{"v1 Service", service, corev1.Service{}},
		{"v1 Node", node, corev1.Node{}},
		{"policy/v1 PodDisruptionBudget", budget, policyv1.PodDisruptionBudget{}},
	}
	kind := kinds[r.Intn(len(kinds))]
	if r.Intn(3) > 0 {
		kind = kinds[0]
	}
	original := text(kind.make(r))
	var patch []byte
	var err error
	switch r.Intn(4) {
	case 0: // as kubectl edit makes it
		patch, err = strategicpatch.CreateTwoWayMergePatch(original, text(kind.make(r)), kind.typeOf)
	case 1: // as kubectl apply makes it
		var meta strategicpatch.PatchMetaFromStruct
		meta, err = strategicpatch.NewPatchMetaFromStruct(kind.typeOf)
		must(err)
		patch, err = strategicpatch.CreateThreeWayMergePatch(text(kind.make(r)), text(kind.make(r)), original, meta, true)
	default: // anything, with directives strewn in
		patch = text(strew(r, kind.make(r)))
	}
	if err != nil {
		return nil // duplicate keys, which kubectl refuses as well
	}
	return row(kind.name, original, patch, func() ([]byte, error) {
		return strategicpatch.StrategicMergePatch(original, patch, kind.typeOf)
	})
}

// settle runs a patch several times: only results that do not depend on the order of Go's maps count.
func settle(apply func() ([]byte, error)) (result []byte, failure string, stable bool) {
	defer func() {
		if recover() != nil {
			stable = false
		}
	}()
	for i := 0; i < 30; i++ {
		got, err := apply()
		message := ""
		if err != nil {
			message = err.Error()
		}
		if i > 0 && (!bytes.Equal(got, result) || message != failure) {
			return nil, "", false
		}
		result, failure = got, message
	}
	return result, failure, true
}

func jsonRow(r *rand.Rand) list {
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
	document := text(small(r))
	patch := list{}
	for i := r.Intn(3); i >= 0; i-- {
		patch = append(patch, operation(r))
	}
	return row(nil, document, text(patch), func() ([]byte, error) {
		decoded, err := jsonpatch.DecodePatch(text(patch))
		if err != nil {
			return nil, err
		}
		return decoded.Apply(document)
	})
}

var pointers = []string{
	"/labels/a", "/labels/b", "/labels/~0x~1y", "/labels", "/items/0", "/items/1", "/items/-", "/items/-1", "/items/2/name", "/number", "/none",
	"/labels/a", "/labels", "/items/0", "/items", "/items/2", "/number", "/items/9", "/items/x", "/nope/deep", "", "x/labels/a", "/number/x", "/items/01", "/none/x",
}

func operation(r *rand.Rand) object {
	values := list{"x", 1, nil, true, object{"a": "1"}, list{"f1", nil}, "1", 3, object{"name": "z"}}
	kinds := []string{"add", "add", "add", "remove", "remove", "replace", "replace", "move", "move", "copy", "copy", "test", "bogus"}
	op := object{"op": kinds[r.Intn(len(kinds))], "path": pointers[r.Intn(len(pointers))]}
	if op["op"] == "move" || op["op"] == "copy" {
		op["from"] = pointers[r.Intn(len(pointers))]
	}
	if r.Intn(8) > 0 || op["path"] == "" {
		op["value"] = values[r.Intn(len(values))]
	}
	if r.Intn(30) == 0 {
		delete(op, "path")
	}
	return op
}

func mergeRow(r *rand.Rand) list {
	document, patch := text(small(r)), text(sprinkle(r, small(r)))
	return row(nil, document, patch, func() ([]byte, error) { return jsonpatch.MergePatch(document, patch) })
}

// sprinkle puts nulls and values of other kinds into a patch.
func sprinkle(r *rand.Rand, value interface{}) interface{} {
	switch typed := value.(type) {
	case object:
		for _, key := range keysOf(typed) {
			typed[key] = sprinkle(r, typed[key])
		}
		if r.Intn(3) == 0 {
			typed["extra"] = object{"none": nil, "some": list{nil, object{"none": nil}}}
		}
		return typed
	case list:
		for i := range typed {
			typed[i] = sprinkle(r, typed[i])
		}
	}
	switch r.Intn(8) {
	case 0:
		return nil
	case 1:
		return object{"was": "other", "none": nil}
	}
	return value
}

// row is nil where the result is not stable.
func row(kind interface{}, document, patch []byte, apply func() ([]byte, error)) list {
	result, failure, stable := settle(apply)
	if !stable {
		return nil
	}
	columns := list{json.RawMessage(document), json.RawMessage(patch), json.RawMessage(result)}
	if failure != "" {
		columns = list{json.RawMessage(document), json.RawMessage(patch), nil, failure}
	}
	if kind != nil {
		return append(list{kind}, columns...)
	}
	return columns
}

func text(value interface{}) []byte {
	printed, err := json.Marshal(value)
	must(err)
	return printed
}

// save gives each row a seed of its own, so that a row left out does not change the others.
func save(name string, count int, makeRow func(*rand.Rand) list) {
	lines := [][]byte{}
	for seed := 0; seed < count; seed++ {
		if made := makeRow(rand.New(rand.NewSource(int64(seed)))); made != nil {
			lines = append(lines, text(made))
		}
	}
	out := append([]byte("[\n"), bytes.Join(lines, []byte(",\n"))...)
	must(os.WriteFile("../../test/conformance/fixtures/"+name+"-patches.json", append(out, "\n]\n"...), 0o644))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
