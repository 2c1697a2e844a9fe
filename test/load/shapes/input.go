package shapes

import (
	"fmt"
	"strings"
)

// shared is how many patches of the catalogue stand in a patch set.
const shared = 4

// catalogue returns patches as compositions have them. The first ones are the
// same in all resources.
func catalogue() []string {
	return []string{
		`{fromFieldPath: spec.parameters.region, toFieldPath: spec.forProvider.region$again}`,
		`{fromFieldPath: metadata.labels, toFieldPath: metadata.labels, policy: {toFieldPath: MergeObjects}}`,
		`{fromFieldPath: metadata.uid, toFieldPath: "metadata.annotations[example.org/owner$again]",
			transforms: [{type: string, string: {type: Format, fmt: "xr-%s"}}]}`,
		`{fromFieldPath: spec.parameters.deletionPolicy, toFieldPath: spec.deletionPolicy}`,
		`{fromFieldPath: spec.parameters.size, toFieldPath: spec.forProvider.instanceClass$again,
			transforms: [{type: map, map: {small: db.t4g.small, medium: db.m7g.large, large: db.m7g.$composition.xlarge}}]}`,
		`{fromFieldPath: spec.parameters.storageGB, toFieldPath: spec.forProvider.allocatedStorage$again,
			transforms: [{type: math, math: {type: Multiply, multiply: 2}}]}`,
		`{fromFieldPath: spec.parameters.port, toFieldPath: spec.forProvider.port$again,
			transforms: [{type: convert, convert: {toType: int64}}]}`,
		`{type: CombineFromComposite, toFieldPath: spec.forProvider.identifier$again,
			combine: {strategy: string, string: {fmt: "%s-%s-$resource"},
			variables: [{fromFieldPath: metadata.name}, {fromFieldPath: spec.parameters.region}]}}`,
		`{fromFieldPath: spec.parameters.size, toFieldPath: spec.forProvider.multiAz$again, transforms: [{type: match, match:
			{patterns: [{type: regexp, regexp: "^(medium|large)$", result: true}], fallbackValue: false}}]}`,
		`{type: FromEnvironmentFieldPath, fromFieldPath: network.subnetIds, toFieldPath: spec.forProvider.subnetIds$again}`,
		`{type: ToCompositeFieldPath, fromFieldPath: status.atProvider.arn, toFieldPath: "status.databases[$resource].arn$again"}`,
		`{type: ToEnvironmentFieldPath, fromFieldPath: status.atProvider.endpoint, toFieldPath: "databases[$resource].endpoint$again"}`,
		`{fromFieldPath: spec.parameters.missing, toFieldPath: spec.forProvider.missing$again}`,
		`{fromFieldPath: metadata.name, toFieldPath: spec.forProvider.secretName$again, policy: {fromFieldPath: Required},
			transforms: [{type: string, string: {type: Convert, convert: ToUpper}}, {type: string, string: {type: TrimPrefix, trim: ORDERS-}}]}`,
		`{fromFieldPath: "spec.parameters.zones[0]", toFieldPath: "spec.forProvider.availabilityZones[0]"}`,
		`{type: FromEnvironmentFieldPath, fromFieldPath: account.id, toFieldPath: "spec.forProvider.tags[account$again]"}`,
		`{fromFieldPath: spec.parameters.settings, toFieldPath: spec.forProvider.settings$again}`,
		`{type: CombineToComposite, toFieldPath: "status.databases[$resource].url$again",
			combine: {strategy: string, string: {fmt: "postgres://%s:%d"},
			variables: [{fromFieldPath: status.atProvider.endpoint}, {fromFieldPath: status.atProvider.port}]}}`,
		`{fromFieldPath: spec.parameters.engineVersion, toFieldPath: spec.forProvider.family$again,
			transforms: [{type: string, string: {type: Regexp, regexp: {match: "^([0-9]+)[.]", group: 1}}}]}`,
		`{fromFieldPath: metadata.annotations, toFieldPath: spec.forProvider.checksum$again,
			transforms: [{type: string, string: {type: Convert, convert: ToSha256}}]}`,
	}
}

const baseText = `
apiVersion: rds.aws.upbound.io/v1beta2
kind: Instance
metadata:
  labels: {app.kubernetes.io/component: database, platform.example.org/composition: c$composition}
  annotations: {platform.example.org/team: storage}
spec:
  providerConfigRef: {name: default}
  forProvider:
    engine: postgres
    storageEncrypted: true
    storageType: gp3
    backupRetentionPeriod: 7
    maintenanceWindow: Sun:09:46-Sun:10:16
    parameters: [{name: max_connections, value: "400"}, {name: log_statement, value: ddl}]
    tags: {managed-by: crossplane}
`

// input returns the input of a composition.
func (b *builder) input(composition int) object {
	words := map[string]string{"composition": fmt.Sprint(composition), "again": "", "resource": ""}
	resources := make([]any, b.shape.Templates)
	for i := range resources {
		resources[i] = b.template(i, words["composition"])
	}
	out := object{"apiVersion": "pt.fn.crossplane.io/v1beta1", "kind": "Resources", "resources": resources}
	if b.shape.sharesPatches() {
		text := "patches: [" + strings.Join(catalogue()[:shared], ", ") + "]"
		set := b.object(text, words)
		set["name"] = "common"
		out["patchSets"] = []any{set}
	}
	return out
}

func (s Shape) sharesPatches() bool { return s.Rules == 0 && s.Patches > shared*2 }

func (b *builder) template(i int, composition string) object {
	words := map[string]string{"resource": name(i), "composition": composition}
	out := b.object(`
name: $resource
connectionDetails:
- {name: $resource-arn, type: FromFieldPath, fromFieldPath: status.atProvider.arn}
- {name: $resource-password, type: FromConnectionSecretKey, fromConnectionSecretKey: password}
readinessChecks:
- {type: MatchString, fieldPath: status.atProvider.status, matchString: available}
- {type: MatchCondition, matchCondition: {type: Ready, status: "True"}}
`, words)
	if b.shape.Conditions {
		out["condition"] = fmt.Sprintf(`xr.spec.parameters.size != "none" && !("retired-%d" in xr.metadata.annotations)`, i)
	}
	base := b.object(baseText, words)
	if b.shape.Rules > 0 {
		b.at(base, "spec", "forProvider")["rules"] = b.rules()
	}
	out["base"] = base
	out["patches"] = b.patches(words)
	return out
}

func (b *builder) rules() []any {
	out := make([]any, b.shape.Rules)
	for i := range out {
		out[i] = object{"protocol": "tcp", "port": 8000 + i, "cidr": "10.0.0.0/8", "f0": "", "f1": "", "f2": ""}
	}
	return out
}

func (b *builder) patches(words map[string]string) []any {
	list, all := make([]any, 0, b.shape.Patches), catalogue()
	first := 0
	if b.shape.sharesPatches() {
		list, first = append(list, object{"type": "PatchSet", "patchSetName": "common"}), shared
	}
	for j := first; j < b.shape.Patches; j++ {
		text := all[j%len(all)]
		words["again"] = ""
		if round := j / len(all); round > 0 {
			words["again"] = fmt.Sprint(round + 1)
		}
		if b.shape.Rules > 0 {
			text = wide(j)
		}
		list = append(list, b.object(text, words))
	}
	return list
}

// wide returns one of very many patches of one resource.
func wide(j int) string {
	if j%10 == 9 {
		return fmt.Sprintf(`{fromFieldPath: spec.parameters.region, toFieldPath: "spec.forProvider.rules[*].f%d"}`, j%3)
	}
	return fmt.Sprintf(`{fromFieldPath: spec.parameters.size, toFieldPath: "spec.forProvider.options.option%03d"}`, j)
}
