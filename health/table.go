package health

import "slices"

// Any is the group or kind of a rule that is for any.
const Any = "*"

// Rule says when resources of some kinds are healthy: a row of a table. Its Group
// is empty for the core group. It is for all versions.
type Rule struct {
	Group string
	Kinds []string
	Doc   string

	// observed says that the controller of these kinds always tells which
	// generation it has observed.
	observed bool
	check    func(*object) Health
}

// Rules returns the table. The last rule is that of all kinds that have none of
// their own. It must not be changed.
func Rules() []Rule { return rules }

const existsDoc = "Healthy as soon as it exists."

var rules = slices.Concat(workloads, cluster, data, gateways, crossplane, []Rule{{
	Group: Any, Kinds: []string{Any},
	Doc:   "Healthy when the condition Ready is True. If the condition or the status says which generation it is of, that must not be behind the resource's.",
	check: allTrue("Ready"),
}})

var workloads = []Rule{
	{
		Group: "apps", Kinds: []string{"Deployment"}, observed: true, check: deployment,
		Doc: "Healthy when all replicas are updated and available, and no old ones are left, as kubectl rollout status has it. Not healthy when the rollout has exceeded its deadline.",
	},
	{
		Group: "apps", Kinds: []string{"StatefulSet"}, observed: true, check: statefulSet,
		Doc: "Healthy when all replicas are ready and, unless the update strategy is OnDelete, those above the partition are updated.",
	},
	{
		Group: "apps", Kinds: []string{"DaemonSet"}, observed: true, check: daemonSet,
		Doc: "Healthy when the pods of all nodes are available and, unless the update strategy is OnDelete, updated.",
	},
	{
		Group: "apps", Kinds: []string{"ReplicaSet"}, observed: true, check: replicaSet,
		Doc: "Healthy when all replicas are available.",
	},
	{
		Kinds: []string{"ReplicationController"}, observed: true, check: replicaSet,
		Doc: "Healthy when all replicas are available.",
	},
	{
		Kinds: []string{"Pod"}, check: pod,
		Doc: "Healthy when it is running and ready, or has succeeded.",
	},
	{
		Group: "batch", Kinds: []string{"Job"}, check: job,
		Doc: "Healthy when it is complete, as in Argo CD; for kstatus it suffices that it runs.",
	},
	{
		Group: "batch", Kinds: []string{"CronJob"}, check: exists,
		Doc: "Healthy as soon as it exists, as in kstatus: when its next run is, and how the last one ended, says nothing about the schedule.",
	},
	{
		Group: "autoscaling", Kinds: []string{"HorizontalPodAutoscaler"}, check: autoscaler,
		Doc: "Healthy when the conditions AbleToScale and ScalingActive are True. Scaling that is disabled because there are to be no replicas is fine.",
	},
	{
		Group: "policy", Kinds: []string{"PodDisruptionBudget"}, observed: true, check: disruptionBudget,
		Doc: "Healthy when what it allows has been computed, as in kstatus, even if that is no disruption.",
	},
}

var cluster = []Rule{
	{
		Kinds: []string{"PersistentVolumeClaim"}, check: inPhase("Bound"),
		Doc: "Healthy when it is bound. With a storage class that waits for a first consumer that takes a pod that uses it.",
	},
	{
		Kinds: []string{"PersistentVolume"}, check: inPhase("Available", "Bound"),
		Doc: "Healthy when it is available or bound.",
	},
	{
		Kinds: []string{"Service"}, check: service,
		Doc: "Healthy as soon as it exists; of type LoadBalancer when it has an address, as in Argo CD.",
	},
	{
		Group: "networking.k8s.io", Kinds: []string{"Ingress"}, check: balanced,
		Doc: "Healthy when it has an address, as in Argo CD; for kstatus it suffices that it exists. If the ingress controller reports none, check it in another way.",
	},
	{
		Kinds: []string{"Namespace"}, check: inPhase("Active"),
		Doc: "Healthy when its phase is Active.",
	},
	{
		Kinds: []string{"Node"}, check: allTrue("Ready"),
		Doc: "Healthy when the condition Ready is True.",
	},
	{
		Group: "apiextensions.k8s.io", Kinds: []string{"CustomResourceDefinition"}, check: allTrue("NamesAccepted", "Established"),
		Doc: "Healthy when the conditions NamesAccepted and Established are True.",
	},
	{
		Group: "apiregistration.k8s.io", Kinds: []string{"APIService"}, check: allTrue("Available"),
		Doc: "Healthy when the condition Available is True.",
	},
}

// data are kinds of Kubernetes that nothing has to happen to.
var data = []Rule{
	{
		Kinds: []string{
			"ConfigMap", "Secret", "ServiceAccount", "Endpoints", "Event", "LimitRange", "ResourceQuota", "PodTemplate",
		},
		Doc: existsDoc, check: exists,
	},
	{Group: "apps", Kinds: []string{"ControllerRevision"}, Doc: existsDoc, check: exists},
	{
		Group: "rbac.authorization.k8s.io", Kinds: []string{"Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"},
		Doc: existsDoc, check: exists,
	},
	{Group: "networking.k8s.io", Kinds: []string{"NetworkPolicy", "IngressClass"}, Doc: existsDoc, check: exists},
	{Group: "discovery.k8s.io", Kinds: []string{"EndpointSlice"}, Doc: existsDoc, check: exists},
	{Group: "events.k8s.io", Kinds: []string{"Event"}, Doc: existsDoc, check: exists},
	{Group: "coordination.k8s.io", Kinds: []string{"Lease"}, Doc: existsDoc, check: exists},
	{Group: "scheduling.k8s.io", Kinds: []string{"PriorityClass"}, Doc: existsDoc, check: exists},
	{Group: "node.k8s.io", Kinds: []string{"RuntimeClass"}, Doc: existsDoc, check: exists},
	{
		Group: "storage.k8s.io", Kinds: []string{"StorageClass", "CSIDriver", "CSINode", "CSIStorageCapacity", "VolumeAttributesClass"},
		Doc: existsDoc, check: exists,
	},
	{
		Group: "admissionregistration.k8s.io",
		Kinds: []string{
			"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "ValidatingAdmissionPolicy",
			"ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
		},
		Doc: existsDoc, check: exists,
	},
	{
		Group: "flowcontrol.apiserver.k8s.io", Kinds: []string{"FlowSchema", "PriorityLevelConfiguration"},
		Doc: existsDoc, check: exists,
	},
}

var gateways = []Rule{
	{
		Group: "gateway.networking.k8s.io", Kinds: []string{"GatewayClass"}, check: allTrue("Accepted"),
		Doc: "Healthy when the condition Accepted is True.",
	},
	{
		Group: "gateway.networking.k8s.io", Kinds: []string{"Gateway"}, check: allTrue("Accepted", "Programmed"),
		Doc: "Healthy when the conditions Accepted and Programmed are True.",
	},
	{
		Group: "gateway.networking.k8s.io", Kinds: []string{"HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"}, check: route,
		Doc: "Healthy when it has a parent, and each has the conditions Accepted and ResolvedRefs True.",
	},
	{Group: "gateway.networking.k8s.io", Kinds: []string{"ReferenceGrant"}, Doc: existsDoc, check: exists},
}

var crossplane = []Rule{
	{
		Group: "apiextensions.crossplane.io", Kinds: []string{"CompositeResourceDefinition"}, check: definition,
		Doc: "Healthy when the condition Established is True and, if there are to be claims, Offered.",
	},
	{
		Group: "apiextensions.crossplane.io", Kinds: []string{"Composition", "CompositionRevision", "EnvironmentConfig"},
		Doc: existsDoc, check: exists,
	},
	{
		Group: "pkg.crossplane.io", Kinds: []string{"Provider", "Function", "Configuration"}, check: allTrue("Installed", "Healthy"),
		Doc: "Healthy when the conditions Installed and Healthy are True.",
	},
	{
		Group: "pkg.crossplane.io", Kinds: []string{"DeploymentRuntimeConfig", "ImageConfig"},
		Doc: existsDoc, check: exists,
	},
	{
		Group: Any, Kinds: []string{"ProviderConfig", "ClusterProviderConfig"}, check: providerConfig,
		Doc: "Healthy as soon as it exists; if it has a condition Ready, when that is True.",
	},
}

type groupKind struct{ group, kind string }

var byKind = indexed(rules)

func indexed(rules []Rule) map[groupKind]*Rule {
	m := map[groupKind]*Rule{}
	for i := range rules {
		for _, kind := range rules[i].Kinds {
			m[groupKind{rules[i].Group, kind}] = &rules[i]
		}
	}
	return m
}

// ruleOf returns the rule for a kind: its own, that for any group, that for any.
func ruleOf(group, kind string) *Rule {
	for _, k := range []groupKind{{group, kind}, {Any, kind}} {
		if r := byKind[k]; r != nil {
			return r
		}
	}
	return byKind[groupKind{Any, Any}]
}
