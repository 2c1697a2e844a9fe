package shapes

import (
	"fmt"

	"google.golang.org/protobuf/proto"
)

const compositeText = `
apiVersion: platform.example.org/v1
kind: XDatabase
metadata:
  name: $xr
  uid: $uid
  resourceVersion: "184402"
  generation: 3
  creationTimestamp: "2026-02-11T08:14:05Z"
  finalizers: [composite.apiextensions.crossplane.io]
  labels: {crossplane.io/composite: $xr, platform.example.org/team: orders, platform.example.org/tier: gold}
  annotations: {platform.example.org/change: $change, platform.example.org/contact: orders@example.org}
  managedFields:
  - {apiVersion: platform.example.org/v1, manager: apiextensions.crossplane.io/composite, operation: Apply, fieldsType: FieldsV1,
     time: "2026-02-11T08:14:05Z", fieldsV1: {"f:spec": {"f:resourceRefs": {}}, "f:status": {"f:conditions": {}}}}
spec:
  parameters:
    region: $region
    size: $size
    port: "5432"
    engineVersion: "16.4"
    deletionPolicy: Delete
    zones: [$regiona, $regionb, $regionc]
    settings: {logging: true, retentionDays: 14, statementTimeout: 30s}
status:
  conditions:
  - {type: Synced, status: "True", reason: ReconcileSuccess, lastTransitionTime: "2026-02-11T08:14:09Z"}
  - {type: Ready, status: "True", reason: Available, lastTransitionTime: "2026-02-11T08:31:40Z"}
`

// composite returns the composite resource: a classic and a modern one in turn.
func (b *builder) composite(variant int) object {
	region := []string{"eu-west-1", "eu-central-1", "us-east-1"}[variant%3]
	out := b.object(compositeText, map[string]string{
		"xr": b.xr, "uid": b.word(32), "change": b.word(40), "region": region,
		"regiona": region + "a", "regionb": region + "b", "regionc": region + "c",
		"size": []string{"small", "medium", "large"}[variant%3],
	})
	b.at(out, "spec", "parameters")["storageGB"] = 20 + 5*variant
	refs := make([]any, b.shape.Templates+b.shape.Upstream)
	for i := range refs {
		refs[i] = object{"apiVersion": "rds.aws.upbound.io/v1beta2", "kind": "Instance", "name": b.xr + "-" + b.word(12)}
	}
	machinery := b.at(out, "spec")
	if variant%2 == 1 {
		b.at(out, "metadata")["namespace"] = "orders"
		machinery = b.at(out, "spec", "crossplane")
	}
	machinery["compositionRef"] = object{"name": "databases"}
	machinery["compositionUpdatePolicy"] = "Automatic"
	machinery["resourceRefs"] = refs
	return out
}

func (b *builder) environment() object {
	return b.object(`
apiVersion: internal.crossplane.io/v1alpha1
kind: Environment
network: {vpcId: vpc-$vpc, cidr: 10.20.0.0/16, subnetIds: [subnet-$one, subnet-$two, subnet-$three]}
account: {id: "210987654321", alias: orders}
`, map[string]string{"vpc": b.word(17), "one": b.word(17), "two": b.word(17), "three": b.word(17)})
}

const observedText = `
apiVersion: rds.aws.upbound.io/v1beta2
kind: Instance
metadata:
  name: $xr-$suffix
  uid: $uid
  resourceVersion: "184410"
  generation: 2
  creationTimestamp: "2026-02-11T08:14:06Z"
  finalizers: [finalizer.managedresource.crossplane.io]
  annotations: {crossplane.io/composition-resource-name: $resource, crossplane.io/external-name: $xr-$suffix}
  labels: {crossplane.io/composite: $xr, app.kubernetes.io/component: database}
  ownerReferences: [{apiVersion: platform.example.org/v1, kind: XDatabase, name: $xr, uid: $owner, controller: true}]
  managedFields:
  - {apiVersion: rds.aws.upbound.io/v1beta2, manager: provider, operation: Update, fieldsType: FieldsV1, time: "2026-02-11T08:31:38Z"}
spec:
  deletionPolicy: Delete
  managementPolicies: ["*"]
  providerConfigRef: {name: default}
  forProvider: {engine: postgres, allocatedStorage: 40}
status:
  atProvider:
    arn: arn:aws:rds:eu-west-1:210987654321:db:$xr-$suffix
    endpoint: $xr-$suffix.$host.eu-west-1.rds.amazonaws.com
    port: 5432
    status: available
  conditions:
  - {type: Ready, status: "True", reason: Available, lastTransitionTime: "2026-02-11T08:31:38Z"}
  - {type: Synced, status: "True", reason: ReconcileSuccess, lastTransitionTime: "2026-02-11T08:14:09Z"}
`

// observed returns a composed resource as its provider left it.
func (b *builder) observed(i int) object {
	out := b.object(observedText, map[string]string{
		"xr": b.xr, "resource": name(i), "suffix": b.word(12), "uid": b.word(32), "owner": b.word(32), "host": b.word(12),
	})
	spec, status, names := b.at(out, "spec", "forProvider"), b.at(out, "status", "atProvider"), object{}
	// A provider repeats in the status what the spec has, and the API server
	// keeps the names of all fields.
	for n, size := 0, proto.Size(b.message(out)); size < b.shape.Observed; n++ {
		key, value := fieldName(n), b.fieldValue(n)
		field := proto.Size(b.message(object{key: value}))
		status[key], size = value, size+field
		if n%2 == 0 {
			spec[key], names["f:"+key] = value, object{}
			size += field + len(key) + 12
		}
	}
	b.at(out, "metadata")["managedFields"] = []any{object{
		"apiVersion": "rds.aws.upbound.io/v1beta2", "manager": "provider", "operation": "Update", "fieldsType": "FieldsV1",
		"time": "2026-02-11T08:31:38Z", "fieldsV1": object{"f:spec": object{"f:forProvider": names}},
	}}
	return out
}

// details are the connection details that a provider writes for some resources.
func (b *builder) details(i int) map[string][]byte {
	if i%3 != 0 {
		return nil
	}
	return map[string][]byte{"username": []byte("app"), "password": []byte(b.word(24)), "port": []byte("5432")}
}

// upstream returns a resource as an earlier function desires it.
func (b *builder) upstream(i int) object {
	out := b.object(baseText, map[string]string{"composition": "0"})
	b.at(out, "metadata", "labels")["crossplane.io/composite"] = b.xr
	b.at(out, "metadata", "annotations")["crossplane.io/external-name"] = b.xr + "-" + name(i)
	fields := b.at(out, "spec", "forProvider")
	for n := range 10 {
		fields[fieldName(n)] = b.fieldValue(n)
	}
	return out
}

// fieldName returns a name like those of a provider's fields. No two are alike.
func fieldName(n int) string {
	first := []string{"backup", "storage", "network", "monitoring", "parameter", "log", "performance", "snapshot", "replica", "domain"}
	second := []string{"Retention", "Type", "GroupName", "Enabled", "RoleArn", "Window", "Throughput", "KmsKeyId", "Policy", "Identifier"}
	out := first[n%10] + second[n/10%10]
	if n >= 100 {
		out += fmt.Sprint(n / 100)
	}
	return out
}

// fieldValue returns one of the kinds of values that fields have.
func (b *builder) fieldValue(n int) any {
	switch n % 6 {
	case 0:
		return b.random.IntN(2) == 0
	case 1:
		return b.random.IntN(10_000)
	case 2:
		return []any{"sg-" + b.word(17), "sg-" + b.word(17)}
	case 3:
		return object{"name": b.word(12), "applyMethod": "pending-reboot", "value": b.random.IntN(100)}
	default:
		return b.word(6 + b.random.IntN(24))
	}
}
