// Writes stories of field ownership as Kubernetes' code tells them. See README.md.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type object = map[string]interface{}
type list = []interface{}

type step struct {
	Verb        string          `json:"verb"`
	Manager     string          `json:"manager"`
	Force       bool            `json:"force,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
	Object      json.RawMessage `json:"object"`
	Result      json.RawMessage `json:"result,omitempty"`
	Error       *failure        `json:"error,omitempty"`
}

type failure struct {
	Message string   `json:"message"`
	Causes  []string `json:"causes,omitempty"`
}

type story struct {
	Kind  string `json:"kind"`
	Steps []step `json:"steps"`
}

func main() {
	converter := typeConverter("../../data/kubernetes/schemas.json")
	lines := [][]byte{}
	for seed := 0; seed < 100; seed++ {
		r := rand.New(rand.NewSource(int64(seed)))
		made, ok := tell(r, converter)
		if ok {
			printed, err := json.Marshal(made)
			must(err)
			lines = append(lines, printed)
		}
	}
	out := append([]byte("[\n"), bytes.Join(lines, []byte(",\n"))...)
	must(os.WriteFile("../../test/conformance/fixtures/apply-stories.json", append(out, "\n]\n"...), 0o644))
}

// typeConverter reads our generated schemas, whose references are bare names.
func typeConverter(path string) managedfields.TypeConverter {
	text, err := os.ReadFile(path)
	must(err)
	text = bytes.ReplaceAll(text, []byte(`"$ref":"`), []byte(`"$ref":"#/components/schemas/`))
	schemas := map[string]*spec.Schema{}
	must(json.Unmarshal(text, &schemas))
	custom, err := os.ReadFile("../../test/conformance/fixtures/apply-custom-schema.json")
	must(err)
	schemas["io.ex.v1.Foo"] = &spec.Schema{}
	must(json.Unmarshal(bytes.ReplaceAll(custom, []byte(`"$ref": "`), []byte(`"$ref": "#/components/schemas/`)), schemas["io.ex.v1.Foo"]))
	converter, err := managedfields.NewTypeConverter(schemas, false)
	must(err)
	return converter
}

type narrator struct {
	gvk    schema.GroupVersionKind
	main   *managedfields.FieldManager
	status *managedfields.FieldManager
	live   runtime.Object
}

func tell(r *rand.Rand, converter managedfields.TypeConverter) (story, bool) {
	kind := kinds[r.Intn(len(kinds))]
	n := &narrator{gvk: kind.gvk, main: fieldManager(converter, kind.gvk, "", "status"), status: fieldManager(converter, kind.gvk, "status", "spec")}
	n.live = n.empty()
	told := story{Kind: kind.gvk.GroupVersion().String() + " " + kind.gvk.Kind}
	count := 3 + r.Intn(6)
	for i := 0; i < count; i++ {
		made, ok := n.step(r, kind, i)
		if !ok {
			return told, false
		}
		told.Steps = append(told.Steps, made)
	}
	return told, true
}

func fieldManager(converter managedfields.TypeConverter, gvk schema.GroupVersionKind, subresource, ignored string) *managedfields.FieldManager {
	reset := fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
		fieldpath.APIVersion(gvk.GroupVersion().String()): fieldpath.NewSet(fieldpath.MakePathOrDie(ignored)),
	})
	if gvk == foo {
		manager, err := managedfields.NewDefaultCRDFieldManager(converter, customResources{}, customResources{}, customResources{}, gvk, gvk.GroupVersion(), subresource, reset)
		must(err)
		return manager
	}
	manager, err := managedfields.NewDefaultFieldManager(converter, scheme.Scheme, scheme.Scheme, scheme.Scheme, gvk, gvk.GroupVersion(), subresource, reset)
	must(err)
	return manager
}

func (n *narrator) empty() runtime.Object {
	if n.gvk == foo {
		made, err := customResources{}.New(n.gvk)
		must(err)
		return made
	}
	made, err := scheme.Scheme.New(n.gvk)
	must(err)
	made.GetObjectKind().SetGroupVersionKind(n.gvk)
	return made
}

var managers = []string{"alice", "bob", "kubectl", "controller", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m13"}

func (n *narrator) step(r *rand.Rand, kind kindOf, number int) (made step, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // a comparison that Go itself cannot make
		}
	}()
	made.Manager = managers[r.Intn(4)]
	if r.Intn(12) == 0 {
		made.Manager = managers[r.Intn(len(managers))]
	}
	manager := n.main
	isCreated := uidOf(n.live) != ""
	if isCreated && r.Intn(5) == 0 {
		manager, made.Subresource = n.status, "status"
	}
	wanted := kind.make(r)
	var result runtime.Object
	var err error
	if r.Intn(5) < 2 {
		made.Verb = "update"
		result, err = n.update(r, manager, &made, wanted)
	} else {
		made.Verb = "apply"
		made.Force = r.Intn(4) == 0
		thin(r, wanted)
		made.Object = text(wanted)
		result, err = manager.Apply(n.live.DeepCopyObject(), &unstructured.Unstructured{Object: decode(made.Object)}, made.Manager, made.Force)
	}
	if err != nil {
		made.Error = failureOf(err)
		return made, true
	}
	if result == nil {
		return made, false
	}
	n.accept(result, number)
	made.Result = text(n.live)
	return made, true
}

func (n *narrator) update(r *rand.Rand, manager *managedfields.FieldManager, made *step, wanted object) (runtime.Object, error) {
	next := n.empty()
	if r.Intn(4) == 0 {
		made.Manager = "kubectl-client-side-apply"
		lastApplied := string(text(wanted)) + "\n"
		wanted["metadata"].(object)["annotations"] = object{"kubectl.kubernetes.io/last-applied-configuration": lastApplied}
	}
	read(text(wanted), next)
	next.GetObjectKind().SetGroupVersionKind(n.gvk)
	accessor, err := meta.Accessor(next)
	must(err)
	live, err := meta.Accessor(n.live)
	must(err)
	accessor.SetUID(live.GetUID())
	if r.Intn(3) > 0 {
		accessor.SetManagedFields(live.GetManagedFields())
	}
	if r.Intn(25) == 0 {
		accessor.SetManagedFields([]metav1.ManagedFieldsEntry{{}})
	}
	made.Object = text(next)
	return manager.Update(n.live.DeepCopyObject(), next, made.Manager)
}

// accept stores the result: it gets a uid, and new times become the number of the step.
func (n *narrator) accept(result runtime.Object, number int) {
	typed := n.empty()
	read(text(result), typed)
	typed.GetObjectKind().SetGroupVersionKind(n.gvk)
	accessor, err := meta.Accessor(typed)
	must(err)
	accessor.SetUID("u")
	entries := accessor.GetManagedFields()
	for i := range entries {
		if entries[i].Time != nil && entries[i].Time.Year() > 2001 {
			entries[i].Time = &metav1.Time{Time: time.Date(2001, 1, 1, 0, 0, number, 0, time.UTC)}
		}
	}
	accessor.SetManagedFields(entries)
	n.live = stored(typed)
}

// stored is what a server reads back: storage is protobuf, which does not tell empty lists from missing ones.
func stored(o runtime.Object) runtime.Object {
	if _, isCustom := o.(*unstructured.Unstructured); isCustom {
		return o
	}
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	var wire bytes.Buffer
	must(serializer.Encode(o, &wire))
	read, gvk, err := serializer.Decode(wire.Bytes(), nil, nil)
	must(err)
	read.GetObjectKind().SetGroupVersionKind(*gvk)
	return read
}

// read keeps integers whole, as the server's decoder does.
func read(printed []byte, into runtime.Object) {
	if custom, ok := into.(*unstructured.Unstructured); ok {
		custom.Object = decode(printed)
		return
	}
	must(json.Unmarshal(printed, into))
}

func failureOf(err error) *failure {
	made := &failure{Message: err.Error()}
	if status, ok := err.(*errors.StatusError); ok && status.ErrStatus.Details != nil {
		for _, cause := range status.ErrStatus.Details.Causes {
			made.Causes = append(made.Causes, fmt.Sprintf("%s: %s", cause.Message, cause.Field))
		}
	}
	return made
}

func uidOf(o runtime.Object) string {
	accessor, err := meta.Accessor(o)
	must(err)
	return string(accessor.GetUID())
}

func decode(printed []byte) object {
	made := object{}
	must(json.Unmarshal(printed, &made))
	return integers(made).(object)
}

// integers turns whole floats into int64, as the server's decoder does.
func integers(value interface{}) interface{} {
	switch typed := value.(type) {
	case object:
		for key, child := range typed {
			typed[key] = integers(child)
		}
	case list:
		for i, child := range typed {
			typed[i] = integers(child)
		}
	case float64:
		if typed == float64(int64(typed)) {
			return int64(typed)
		}
	}
	return value
}

func text(value interface{}) []byte {
	printed, err := json.Marshal(value)
	must(err)
	return printed
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
