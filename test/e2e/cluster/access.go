package cluster

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// account is the ServiceAccount that Crossplane runs as.
const account = "crossplane"

// User is who that is to the API server.
const User = "system:serviceaccount:" + Namespace + ":" + account

// aggregate is the label of the ClusterRoles that Crossplane has.
const aggregate = "rbac.crossplane.io/aggregate-to-crossplane"

// allow gives Crossplane what its chart gives it, and access to the kinds of the
// provider, as Crossplane's RBAC manager would if that were a package.
func allow(ctx context.Context, kube client.Client) error {
	every := []string{"*"}
	for _, o := range []client.Object{
		&rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: account},
			AggregationRule: &rbacv1.AggregationRule{
				ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{aggregate: "true"}}},
			},
		},
		&rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: account},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: account},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: Namespace, Name: account}},
		},
		role("crossplane:system:aggregate-to-crossplane", []rbacv1.PolicyRule{
			{
				APIGroups: []string{""}, Verbs: every,
				Resources: []string{"events", "secrets", "serviceaccounts", "services", "configmaps"},
			},
			{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: every},
			{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: every},
			{
				APIGroups: []string{"apiextensions.k8s.io"}, Verbs: every,
				Resources: []string{"customresourcedefinitions", "customresourcedefinitions/status"},
			},
			{
				APIGroups: []string{
					"apiextensions.crossplane.io", "ops.crossplane.io", "pkg.crossplane.io", "protection.crossplane.io",
				},
				Resources: every, Verbs: every,
			},
			{
				APIGroups: []string{"admissionregistration.k8s.io"}, Verbs: every,
				Resources: []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations"},
			},
		}),
		role("crossplane:provider", []rbacv1.PolicyRule{{
			APIGroups: []string{"favourite.example.org", "favourite.m.example.org", "rival.m.example.org"},
			Resources: every, Verbs: every,
		}}),
	} {
		if err := kube.Create(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// Allow gives Crossplane access to kinds of a group, as its RBAC manager does
// for each definition.
func (c *Cluster) Allow(ctx context.Context, name, group string, resources ...string) error {
	return c.Client.Create(ctx, role("crossplane:"+name, []rbacv1.PolicyRule{{
		APIGroups: []string{group}, Resources: resources, Verbs: []string{"*"},
	}}))
}

func role(name string, rules []rbacv1.PolicyRule) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{aggregate: "true"}},
		Rules:      rules,
	}
}

// aggregateRoles runs Kubernetes' controller that makes one ClusterRole of
// several, until the context is done.
func aggregateRoles(ctx context.Context, config *rest.Config) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	shared := informers.NewSharedInformerFactory(kube, 0)
	controller := clusterroleaggregation.NewClusterRoleAggregation(shared.Rbac().V1().ClusterRoles(), kube.RbacV1())
	shared.Start(ctx.Done())
	const workers = 1
	go controller.Run(ctx, workers)
	return nil
}

// asCrossplane writes a copy of a KUBECONFIG that has the permissions of
// Crossplane's ServiceAccount, and no others.
func asCrossplane(kubeconfig, path string) error {
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		return err
	}
	for _, user := range config.AuthInfos {
		user.Impersonate = User
	}
	return clientcmd.WriteToFile(*config, path)
}
