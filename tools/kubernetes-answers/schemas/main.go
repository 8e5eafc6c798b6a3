// What the apiextensions server makes of schemas and values: one question a line, one answer a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
)

type question struct {
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	Value  json.RawMessage `json:"value"`
	Old    json.RawMessage `json:"old"`
}

type document = map[string]interface{}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var q question
		must(json.Unmarshal(in.Bytes(), &q))
		out.Encode(answer(q))
	}
}

func answer(q question) (result interface{}) {
	defer func() {
		if reason := recover(); reason != nil {
			result = document{"refused": fmt.Sprint(reason)}
		}
	}()
	if q.Op == "definition" {
		return document{"answer": judgeDefinition(q.Schema)}
	}
	var external v1.JSONSchemaProps
	must(utiljson.Unmarshal(q.Schema, &external))
	var internal apiextensions.JSONSchemaProps
	must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil))
	schema, err := structural.NewStructural(&internal)
	must(err)
	value := decode(q.Value)
	switch q.Op {
	case "default":
		defaulting.Default(value, schema)
		return document{"answer": document{"value": value}}
	case "nulls":
		defaulting.PruneNonNullableNullsWithoutDefaults(value, schema)
		return document{"answer": document{"value": value}}
	case "prune":
		unknown := pruning.PruneWithOptions(value, schema, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		sort.Strings(unknown)
		return document{"answer": document{"value": value, "unknown": append([]string{}, unknown...)}}
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	must(err)
	if first := misshapen(q.Value, schema); len(first) > 0 {
		return document{"oneOf": first}
	}
	objectmeta.Coerce(nil, value, schema, false, false)
	if q.Op == "validate" {
		return document{"answer": lines(judgeCreate(value, schema, validator))}
	}
	return document{"answer": lines(judgeUpdate(value, decode(q.Old), schema, validator))}
}

// What is said of resources inside the value that have wrong types: one of them, which one is left to chance.
func misshapen(value json.RawMessage, schema *structural.Structural) []string {
	found := map[string]bool{}
	for i := 0; i < 40; i++ {
		if err := objectmeta.Coerce(nil, decode(value), schema, false, false); err != nil {
			found[err.Error()] = true
		}
	}
	result := []string{}
	for line := range found {
		result = append(result, line)
	}
	sort.Strings(result)
	return result
}

// As the strategy of custom resources does on create.
func judgeCreate(value document, schema *structural.Structural, validator validation.SchemaValidator) field.ErrorList {
	errs := validation.ValidateCustomResource(nil, value, validator)
	errs = append(errs, objectmeta.Validate(nil, value, schema, false)...)
	return append(errs, listtype.ValidateListSetsAndMaps(nil, schema, value)...)
}

// As the strategy of custom resources does on update.
func judgeUpdate(value, old document, schema *structural.Structural, validator validation.SchemaValidator) field.ErrorList {
	if err := objectmeta.Coerce(nil, old, schema, false, false); err != nil {
		panic(err) // it could not have been stored
	}
	correlated := common.NewCorrelatedObject(value, old, &model.Structural{Structural: schema})
	errs := validation.ValidateCustomResourceUpdate(nil, value, old, validator, validation.WithRatcheting(correlated))
	errs = append(errs, objectmeta.Validate(nil, value, schema, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, schema, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, schema, value)...)
	}
	return errs
}

// The same schema in a definition that is right in all else.
func judgeDefinition(schema json.RawMessage) []string {
	var props v1.JSONSchemaProps
	must(utiljson.Unmarshal(schema, &props))
	definition := v1.CustomResourceDefinition{}
	definition.Name = "foos.example.com"
	definition.Spec = v1.CustomResourceDefinitionSpec{
		Group: "example.com",
		Scope: v1.NamespaceScoped,
		Names: v1.CustomResourceDefinitionNames{Plural: "foos", Singular: "foo", Kind: "Foo", ListKind: "FooList"},
		Versions: []v1.CustomResourceDefinitionVersion{
			{Name: "v1", Served: true, Storage: true, Schema: &v1.CustomResourceValidation{OpenAPIV3Schema: &props}},
		},
	}
	v1.SetDefaults_CustomResourceDefinition(&definition)
	v1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
	var internal apiextensions.CustomResourceDefinition
	must(v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&definition, &internal, nil))
	internal.Status.StoredVersions = []string{"v1"}
	return lines(definitions.ValidateCustomResourceDefinition(context.Background(), &internal))
}

// Sorted, as the order of Go's maps is random.
func lines(errs field.ErrorList) []string {
	result := []string{}
	for _, err := range errs {
		result = append(result, err.Error())
	}
	sort.Strings(result)
	return result
}

func decode(raw json.RawMessage) document {
	var value document
	must(utiljson.Unmarshal(raw, &value))
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
