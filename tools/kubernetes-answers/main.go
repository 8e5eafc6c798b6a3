package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	apiextinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	crdregistry "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/printers"
	printersinternal "k8s.io/kubernetes/pkg/printers/internalversion"
	admissionregistration_mutatingwebhookconfiguration "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	admissionregistration_validatingwebhookconfiguration "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	apps_controllerrevision "k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	apps_daemonset "k8s.io/kubernetes/pkg/registry/apps/daemonset"
	apps_deployment "k8s.io/kubernetes/pkg/registry/apps/deployment"
	apps_replicaset "k8s.io/kubernetes/pkg/registry/apps/replicaset"
	apps_statefulset "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	autoscaling_horizontalpodautoscaler "k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	batch_cronjob "k8s.io/kubernetes/pkg/registry/batch/cronjob"
	batch_job "k8s.io/kubernetes/pkg/registry/batch/job"
	coordination_lease "k8s.io/kubernetes/pkg/registry/coordination/lease"
	core_configmap "k8s.io/kubernetes/pkg/registry/core/configmap"
	core_endpoint "k8s.io/kubernetes/pkg/registry/core/endpoint"
	core_event "k8s.io/kubernetes/pkg/registry/core/event"
	core_limitrange "k8s.io/kubernetes/pkg/registry/core/limitrange"
	core_namespace "k8s.io/kubernetes/pkg/registry/core/namespace"
	core_node "k8s.io/kubernetes/pkg/registry/core/node"
	core_persistentvolume "k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	core_persistentvolumeclaim "k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	core_pod "k8s.io/kubernetes/pkg/registry/core/pod"
	core_podtemplate "k8s.io/kubernetes/pkg/registry/core/podtemplate"
	core_replicationcontroller "k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	core_resourcequota "k8s.io/kubernetes/pkg/registry/core/resourcequota"
	core_secret "k8s.io/kubernetes/pkg/registry/core/secret"
	core_service "k8s.io/kubernetes/pkg/registry/core/service"
	core_serviceaccount "k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	discovery_endpointslice "k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	networking_ingress "k8s.io/kubernetes/pkg/registry/networking/ingress"
	networking_ingressclass "k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	networking_ipaddress "k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	networking_networkpolicy "k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	networking_servicecidr "k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	node_runtimeclass "k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	policy_poddisruptionbudget "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	rbac_clusterrole "k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	rbac_clusterrolebinding "k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	rbac_role "k8s.io/kubernetes/pkg/registry/rbac/role"
	rbac_rolebinding "k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	scheduling_priorityclass "k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	storage_csidriver "k8s.io/kubernetes/pkg/registry/storage/csidriver"
	storage_csinode "k8s.io/kubernetes/pkg/registry/storage/csinode"
	storage_csistoragecapacity "k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	storage_storageclass "k8s.io/kubernetes/pkg/registry/storage/storageclass"
	storage_volumeattachment "k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	storage_volumeattributesclass "k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

type request struct {
	Op     string          `json:"op"`
	Name   string          `json:"name"`
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	Text   string          `json:"text,omitempty"`
}

type answer struct {
	Op       string          `json:"op"`
	Name     string          `json:"name"`
	Object   json.RawMessage `json:"object,omitempty"`
	Old      json.RawMessage `json:"old,omitempty"`
	Text     string          `json:"text,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	Cells    []interface{}   `json:"cells,omitempty"`
	Error    string          `json:"error,omitempty"`
	Causes   []string        `json:"causes,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

var strategies = map[string]strategy{
	"v1/ConfigMap":                                    core_configmap.Strategy,
	"v1/Endpoints":                                    core_endpoint.Strategy,
	"v1/LimitRange":                                   core_limitrange.Strategy,
	"v1/Namespace":                                    core_namespace.Strategy,
	"v1/Node":                                         core_node.Strategy,
	"v1/PersistentVolume":                             core_persistentvolume.Strategy,
	"v1/PersistentVolumeClaim":                        core_persistentvolumeclaim.Strategy,
	"v1/Pod":                                          core_pod.Strategy,
	"v1/PodTemplate":                                  core_podtemplate.Strategy,
	"v1/ReplicationController":                        core_replicationcontroller.Strategy,
	"v1/ResourceQuota":                                core_resourcequota.Strategy,
	"v1/Secret":                                       core_secret.Strategy,
	"v1/Service":                                      core_service.Strategy,
	"v1/ServiceAccount":                               core_serviceaccount.Strategy,
	"v1/Event":                                        core_event.Strategy,
	"events.k8s.io/v1/Event":                          core_event.Strategy,
	"apps/v1/ControllerRevision":                      apps_controllerrevision.Strategy,
	"apps/v1/DaemonSet":                               apps_daemonset.Strategy,
	"apps/v1/Deployment":                              apps_deployment.Strategy,
	"apps/v1/ReplicaSet":                              apps_replicaset.Strategy,
	"apps/v1/StatefulSet":                             apps_statefulset.Strategy,
	"batch/v1/CronJob":                                batch_cronjob.Strategy,
	"batch/v1/Job":                                    batch_job.Strategy,
	"networking.k8s.io/v1/Ingress":                    networking_ingress.Strategy,
	"networking.k8s.io/v1/IngressClass":               networking_ingressclass.Strategy,
	"networking.k8s.io/v1/NetworkPolicy":              networking_networkpolicy.Strategy,
	"networking.k8s.io/v1/IPAddress":                  networking_ipaddress.Strategy,
	"networking.k8s.io/v1/ServiceCIDR":                networking_servicecidr.Strategy,
	"policy/v1/PodDisruptionBudget":                   policy_poddisruptionbudget.Strategy,
	"autoscaling/v2/HorizontalPodAutoscaler":          autoscaling_horizontalpodautoscaler.Strategy,
	"rbac.authorization.k8s.io/v1/ClusterRole":        rbac_clusterrole.Strategy,
	"rbac.authorization.k8s.io/v1/ClusterRoleBinding": rbac_clusterrolebinding.Strategy,
	"rbac.authorization.k8s.io/v1/Role":               rbac_role.Strategy,
	"rbac.authorization.k8s.io/v1/RoleBinding":        rbac_rolebinding.Strategy,
	"storage.k8s.io/v1/CSIDriver":                     storage_csidriver.Strategy,
	"storage.k8s.io/v1/CSINode":                       storage_csinode.Strategy,
	"storage.k8s.io/v1/CSIStorageCapacity":            storage_csistoragecapacity.Strategy,
	"storage.k8s.io/v1/StorageClass":                  storage_storageclass.Strategy,
	"storage.k8s.io/v1/VolumeAttachment":              storage_volumeattachment.Strategy,
	"storage.k8s.io/v1/VolumeAttributesClass":         storage_volumeattributesclass.Strategy,
	"scheduling.k8s.io/v1/PriorityClass":              scheduling_priorityclass.Strategy,
	"discovery.k8s.io/v1/EndpointSlice":               discovery_endpointslice.Strategy,
	"coordination.k8s.io/v1/Lease":                    coordination_lease.Strategy,
	"admissionregistration.k8s.io/v1/MutatingWebhookConfiguration":   admissionregistration_mutatingwebhookconfiguration.Strategy,
	"admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": admissionregistration_validatingwebhookconfiguration.Strategy,
	"node.k8s.io/v1/RuntimeClass":                                    node_runtimeclass.Strategy,
}

type recorder struct{ list *[]string }

func (r recorder) AddWarning(_, text string) { *r.list = append(*r.list, text) }

func decode(raw []byte) (runtime.Object, schema.GroupVersionKind, error) {
	obj, gvk, err := legacyscheme.Codecs.UniversalDeserializer().Decode(raw, nil, nil)
	if err != nil {
		return nil, schema.GroupVersionKind{}, err
	}
	legacyscheme.Scheme.Default(obj)
	internal, err := legacyscheme.Scheme.ConvertToVersion(obj, schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal})
	return internal, *gvk, err
}

func run(req request) (ans answer) {
	ans = answer{Op: req.Op, Name: req.Name, Object: req.Object, Old: req.Old, Text: req.Text}
	fail := func(err error) answer {
		ans.Error = err.Error()
		if status, ok := err.(apierrors.APIStatus); ok && status.Status().Details != nil {
			for _, cause := range status.Status().Details.Causes {
				ans.Causes = append(ans.Causes, cause.Field+": "+cause.Message)
			}
		}
		return ans
	}
	if req.Op == "selector" {
		selector, err := labels.Parse(req.Text)
		if err != nil {
			return fail(err)
		}
		ans.Result, _ = json.Marshal(selector.String())
		return ans
	}
	if req.Op == "quantity" {
		q, err := resource.ParseQuantity(req.Text)
		if err != nil {
			return fail(err)
		}
		first := q.String()
		q.RoundUp(-3)
		ans.Result, _ = json.Marshal([]string{first, q.String()})
		return ans
	}
	obj, gvk, err := decode(req.Object)
	if err != nil {
		return fail(err)
	}
	if req.Op == "table" {
		table, err := generator.GenerateTable(obj, printers.GenerateOptions{Wide: true})
		if err != nil {
			return fail(err)
		}
		ans.Cells = table.Rows[0].Cells
		return ans
	}
	ctx := genericapirequest.WithNamespace(context.Background(), "")
	access, _ := meta.Accessor(obj)
	ctx = genericapirequest.WithNamespace(ctx, access.GetNamespace())
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: gvk.Group, APIVersion: gvk.Version})
	ctx = warning.WithWarningRecorder(ctx, recorder{&ans.Warnings})
	gv := gvk.GroupVersion().String()
	strategy := strategies[gv+"/"+gvk.Kind]
	if gvk.Kind == "CustomResourceDefinition" {
		strategy = crdregistry.NewStrategy(legacyscheme.Scheme)
	}
	if req.Op == "create" {
		rest.FillObjectMetaSystemFields(access)
		access.SetUID("UID")
		err = rest.BeforeCreate(strategy, ctx, obj)
	} else {
		old, _, derr := decode(req.Old)
		if derr != nil {
			return fail(derr)
		}
		err = rest.BeforeUpdate(strategy, ctx, obj, old)
	}
	if err != nil {
		return fail(err)
	}
	versioned, err := legacyscheme.Scheme.ConvertToVersion(obj, gvk.GroupVersion())
	if err != nil {
		return fail(err)
	}
	ans.Result, err = json.Marshal(versioned)
	if err != nil {
		return fail(err)
	}
	return ans
}

var generator = printers.NewTableGenerator()

func main() {
	apiextinstall.Install(legacyscheme.Scheme)
	printersinternal.AddHandlers(generator)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var req request
		if err := json.Unmarshal(in.Bytes(), &req); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		out.Encode(run(req))
	}
}
