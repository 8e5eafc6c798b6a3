package main

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// customResources converts, defaults and creates custom resources of a single version: there is nothing to do.
type customResources struct{}

func (customResources) Convert(in, out, context interface{}) error { return nil }

func (customResources) ConvertToVersion(in runtime.Object, gv runtime.GroupVersioner) (runtime.Object, error) {
	return in.DeepCopyObject(), nil
}

func (customResources) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (customResources) Default(in runtime.Object) {}

func (customResources) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	made := &unstructured.Unstructured{Object: object{}}
	made.SetGroupVersionKind(kind)
	return made, nil
}
