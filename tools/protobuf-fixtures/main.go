// Writes src/builtin/fixtures/protobuf-objects.json: objects of every served kind as Kubernetes' own code writes them in
// protobuf, and the JSON that it prints for what it reads back. See README.md.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"
)

type fixture struct {
	Kind     string          `json:"kind"`
	Protobuf string          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
	// What a person wrote, where one did.
	Input json.RawMessage `json:"input,omitempty"`
}

func main() {
	if err := apiextensionsv1.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
	filler := newFiller()
	fixtures := []fixture{}
	for _, kind := range servedKinds("../../data/kubernetes/resources.json") {
		for round := 0; round < 3; round++ {
			object, err := scheme.Scheme.New(kind)
			if err != nil {
				panic(err)
			}
			if round > 0 {
				filler.Fill(object)
			}
			object.GetObjectKind().SetGroupVersionKind(kind)
			fixtures = append(fixtures, write(object, kind))
		}
	}
	for _, text := range handWritten {
		object, kind, err := scheme.Codecs.UniversalDeserializer().Decode([]byte(text), nil, nil)
		if err != nil {
			panic(err)
		}
		row := write(object, *kind)
		row.Input = json.RawMessage(text)
		fixtures = append(fixtures, row)
	}
	for _, version := range []string{"v1", "apps/v1", "rbac.authorization.k8s.io/v1"} {
		gv, _ := schema.ParseGroupVersion(version)
		fixtures = append(fixtures, deleteOptions(gv.WithKind("DeleteOptions")))
	}
	save(fixtures)
}

func newFiller() *randfill.Filler {
	return randfill.NewWithSeed(36).NilChance(.5).NumElements(1, 2).MaxDepth(14).Funcs(
		func(t *metav1.Time, c randfill.Continue) {
			*t = metav1.NewTime(time.Unix(c.Int63n(4102444800), 0).UTC())
		},
		func(t *metav1.MicroTime, c randfill.Continue) {
			*t = metav1.NewMicroTime(time.Unix(c.Int63n(4102444800), c.Int63n(1000000)*1000).UTC())
		},
		func(d *metav1.Duration, c randfill.Continue) {
			d.Duration = time.Duration(c.Int63n(int64(100 * time.Hour)))
		},
		func(q *resource.Quantity, c randfill.Continue) {
			forms := []string{"0", "1", "100m", "1500m", "2Gi", "512Mi", "1e3", "0.5", "5T", "123456789", "-3Ki"}
			*q = resource.MustParse(forms[c.Intn(len(forms))])
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			*v = []intstr.IntOrString{intstr.FromInt32(8080), intstr.FromString("http"), intstr.FromString("25%"), intstr.FromInt32(0)}[c.Intn(4)]
		},
		func(r *runtime.RawExtension, c randfill.Continue) {
			r.Raw = []byte(`{"apiVersion":"v1","kind":"X","n":1.50,"list":[1,null,"a"]}`)
		},
		func(f *metav1.FieldsV1, c randfill.Continue) {
			f.SetRawBytes([]byte(`{"f:spec":{".":{},"f:replicas":{}}}`))
		},
		func(j *apiextensionsv1.JSON, c randfill.Continue) {
			forms := []string{`1`, `"a"`, `{"a":[1,2.0]}`, `null`, `[]`, `false`}
			j.Raw = []byte(forms[c.Intn(len(forms))])
		},
		func(b *[]byte, c randfill.Continue) { *b = make([]byte, c.Intn(9)); c.Rand.Read(*b) },
		func(p *apiextensionsv1.JSONSchemaProps, c randfill.Continue) { *p = schemaProps(c, 3) },
		func(s *string, c randfill.Continue) { *s = words[c.Intn(len(words))] },
		func(i *int64, c randfill.Continue) {
			*i = []int64{0, 1, -1, 30, 1 << 40, 9007199254740993, -9223372036854775808}[c.Intn(7)]
		},
		func(i *int32, c randfill.Continue) { *i = []int32{0, 1, -1, 420, 2147483647, -2147483648}[c.Intn(6)] },
	)
}

var words = []string{"", "a", "web", "kube-system", "größer", "日本", "a/b~c", "line\nbreak \"quoted\" <&>", "\u2028", "\U0001f6a2", "__proto__", "constructor"}

func schemaProps(c randfill.Continue, depth int) apiextensionsv1.JSONSchemaProps {
	minimum, maximum, length, yes := 1.5, 1e21, int64(7), true
	props := apiextensionsv1.JSONSchemaProps{Type: "object", Description: words[c.Intn(len(words))], Minimum: &minimum, Maximum: &maximum, MaxLength: &length, Nullable: c.Bool(), XPreserveUnknownFields: &yes}
	if depth == 0 {
		return props
	}
	child := schemaProps(c, depth-1)
	props.Properties = map[string]apiextensionsv1.JSONSchemaProps{"a": child, "__proto__": child}
	props.Items = []*apiextensionsv1.JSONSchemaPropsOrArray{nil, {Schema: &child}, {JSONSchemas: []apiextensionsv1.JSONSchemaProps{child}}, {}}[c.Intn(4)]
	props.AdditionalProperties = []*apiextensionsv1.JSONSchemaPropsOrBool{nil, {Allows: true}, {Allows: false}, {Allows: true, Schema: &child}}[c.Intn(4)]
	props.Dependencies = apiextensionsv1.JSONSchemaDependencies{"x": {Property: []string{"a", "b"}}, "y": {Schema: &child}, "z": {}}
	props.Default = &apiextensionsv1.JSON{Raw: []byte(`{"a":[1,"2"]}`)}
	props.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"x"`)}, {Raw: []byte(`9007199254740993`)}}
	props.XListMapKeys = []string{"name"}
	props.XValidations = apiextensionsv1.ValidationRules{{Rule: "self.a > 1", Message: "no"}}
	return props
}

// write marshals, reads back (so that nil and empty slices are what a server sees) and prints.
func write(object runtime.Object, kind schema.GroupVersionKind) fixture {
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	var wire bytes.Buffer
	if err := serializer.Encode(object, &wire); err != nil {
		panic(fmt.Sprintf("%v: %v", kind, err))
	}
	read, _, err := serializer.Decode(wire.Bytes(), nil, nil)
	if err != nil {
		panic(err)
	}
	read.GetObjectKind().SetGroupVersionKind(kind)
	printed, err := json.Marshal(read)
	if err != nil {
		panic(fmt.Sprintf("%v: %v", kind, err))
	}
	return fixture{Kind: kind.String(), Protobuf: base64.StdEncoding.EncodeToString(wire.Bytes()), JSON: printed}
}

func deleteOptions(kind schema.GroupVersionKind) fixture {
	grace, policy, uid := int64(0), metav1.DeletePropagationForeground, "5d44464f"
	options := &metav1.DeleteOptions{GracePeriodSeconds: &grace, PropagationPolicy: &policy, Preconditions: metav1.NewUIDPreconditions(uid), DryRun: []string{"All"}}
	options.SetGroupVersionKind(kind)
	return write(options, kind)
}

func servedKinds(path string) []schema.GroupVersionKind {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	type row struct {
		Group, Version, Kind string
		Subresources         []row
	}
	var rows []row
	if err := json.Unmarshal(text, &rows); err != nil {
		panic(err)
	}
	seen := map[schema.GroupVersionKind]bool{}
	for _, r := range rows {
		for _, k := range append(r.Subresources, r) {
			gvk := schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
			if scheme.Scheme.Recognizes(gvk) {
				seen[gvk] = true
			}
		}
	}
	kinds := []schema.GroupVersionKind{}
	for gvk := range seen {
		kinds = append(kinds, gvk)
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].String() < kinds[j].String() })
	return kinds
}

func save(fixtures []fixture) {
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, f := range fixtures {
		line := &bytes.Buffer{}
		encoder := json.NewEncoder(line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(f); err != nil {
			panic(err)
		}
		out.Write(bytes.TrimRight(line.Bytes(), "\n"))
		if i < len(fixtures)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("]\n")
	if err := os.WriteFile("../../src/builtin/fixtures/protobuf-objects.json", out.Bytes(), 0o644); err != nil {
		panic(err)
	}
}
