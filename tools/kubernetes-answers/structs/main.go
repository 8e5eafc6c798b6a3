// How Go sees Kubernetes' kinds, as far as messages show it: the fields of internal structs, in which values and differences are printed,
// and the named types and embedded structs that decoding errors mention.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	"k8s.io/kubernetes/pkg/apis/rbac"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	"k8s.io/kubernetes/pkg/apis/storage"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// Name in print, name in the wire form, type; of tagged types also whether it is left out when empty.
type field []string

var structs = map[string][]field{}
var named = map[string]map[string]string{}
var embedded = map[string]map[string]string{}

func main() {
	for _, pair := range [][2]interface{}{
		{core.PodSpec{}, corev1.PodSpec{}},
		{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
		{core.PersistentVolumeClaimSpec{}, corev1.PersistentVolumeClaimSpec{}},
		{core.PersistentVolumeSource{}, corev1.PersistentVolumeSource{}},
		{core.ObjectReference{}, corev1.ObjectReference{}},
		{core.EventSource{}, corev1.EventSource{}},
		{core.NodeAffinity{}, corev1.NodeAffinity{}},
		{core.VolumeNodeAffinity{}, corev1.VolumeNodeAffinity{}},
		{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
		{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
		{apps.DeploymentStrategy{}, appsv1.DeploymentStrategy{}},
		{apps.DaemonSetUpdateStrategy{}, appsv1.DaemonSetUpdateStrategy{}},
		{apps.StatefulSetUpdateStrategy{}, appsv1.StatefulSetUpdateStrategy{}},
		{rbac.RoleRef{}, rbacv1.RoleRef{}},
		{storage.CSINodeDriver{}, storagev1.CSINodeDriver{}},
		{storage.VolumeAttachmentSpec{}, storagev1.VolumeAttachmentSpec{}},
	} {
		describe(reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]))
	}
	apiextinstall.Install(legacyscheme.Scheme)
	for gvk, t := range legacyscheme.Scheme.AllKnownTypes() {
		if gvk.Version == "v1" || gvk.Version == "v2" {
			decode(t, map[reflect.Type]bool{})
		}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	out.SetEscapeHTML(false)
	out.Encode(map[string]interface{}{"structs": structs, "named": named, "embedded": embedded})
}

func typeName(t reflect.Type) string { return t.String() }

// Records an internal struct beside the external one that has the names of the wire.
func describe(t, ext reflect.Type) {
	if _, known := structs[typeName(t)]; known {
		return
	}
	structs[typeName(t)] = nil
	fields := []field{}
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if f.PkgPath != "" {
			continue
		}
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		print, wire, rest := f.Name, "", []string{}
		var extType reflect.Type
		if tag != "" {
			parts := strings.Split(tag, ",")
			if parts[0] != "" {
				print, wire = parts[0], parts[0]
			}
			for _, part := range parts[1:] {
				if part == "omitempty" || part == "omitzero" {
					rest = append(rest, part)
				}
			}
			extType = f.Type
		}
		if ext != nil {
			if e, ok := ext.FieldByName(f.Name); ok {
				extType = e.Type
				wire = strings.Split(e.Tag.Get("json"), ",")[0]
			}
		}
		if f.Anonymous && (tag == "" || strings.HasPrefix(tag, ",")) && f.Type.Kind() == reflect.Struct {
			describe(f.Type, extType)
			fields = append(fields, field{"", wire, typeName(f.Type), "inline"})
			continue
		}
		fields = append(fields, append(field{print, wire, expression(f.Type, extType)}, rest...))
	}
	structs[typeName(t)] = fields
}

func expression(t, ext reflect.Type) string {
	switch typeName(t) {
	case "resource.Quantity":
		return "quantity"
	case "intstr.IntOrString", "v1.Time", "v1.MicroTime", "runtime.RawExtension", "v1.FieldsV1", "v1.Duration":
		return "raw:" + typeName(t)
	}
	elem := func() reflect.Type {
		if ext != nil && (ext.Kind() == reflect.Pointer || ext.Kind() == reflect.Slice || ext.Kind() == reflect.Map) {
			return ext.Elem()
		}
		return ext
	}
	switch t.Kind() {
	case reflect.Pointer:
		inner := ext
		if ext != nil && ext.Kind() == reflect.Pointer {
			inner = ext.Elem()
		}
		return "*" + expression(t.Elem(), inner)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + expression(t.Elem(), elem())
	case reflect.Map:
		return "map " + expression(t.Elem(), elem())
	case reflect.Struct:
		if ext != nil && ext.Kind() == reflect.Pointer {
			ext = ext.Elem()
		}
		describe(t, ext)
		return typeName(t)
	default:
		return t.Kind().String()
	}
}

// As the published schemas name a type.
func published(t reflect.Type) string {
	path := t.PkgPath()
	parts := strings.Split(path, "/")
	host := strings.Split(parts[0], ".")
	for i, j := 0, len(host)-1; i < j; i, j = i+1, j-1 {
		host[i], host[j] = host[j], host[i]
	}
	return strings.Join(append(host, parts[1:]...), ".") + "." + t.Name()
}

// Records what decoding errors name otherwise than by its kind alone.
func decode(t reflect.Type, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] || !strings.HasPrefix(t.PkgPath(), "k8s.io/") {
		return
	}
	seen[t] = true
	names, within := map[string]string{}, map[string]string{}
	collect(t, "", names, within, seen)
	if len(names) > 0 {
		named[published(t)] = names
	}
	if len(within) > 0 {
		embedded[published(t)] = within
	}
}

func collect(t reflect.Type, prefix string, names, within map[string]string, seen map[reflect.Type]bool) {
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name := strings.Split(f.Tag.Get("json"), ",")[0]
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			if f.Name == "TypeMeta" {
				continue
			}
			collect(f.Type, prefix+f.Name+".", names, within, seen)
			continue
		}
		if name == "" || name == "-" {
			continue
		}
		if prefix != "" {
			within[name] = strings.TrimSuffix(prefix, ".")
		}
		inner := f.Type
		for inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		ofNamed := inner.Kind() == reflect.Map && strings.Contains(inner.String(), ".")
		if ofNamed || inner.PkgPath() != "" && inner.Kind() != reflect.Struct {
			names[name] = inner.String()
		}
		if (inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map) && inner.PkgPath() == "" {
			e := inner.Elem()
			if e.PkgPath() != "" && e.Kind() != reflect.Struct {
				names[name+"[]"] = e.String()
			}
		}
		decode(f.Type, seen)
	}
}
