package fn_test

import (
	"fmt"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

// shape of the request of a benchmark.
type shape struct {
	name                                   string
	resources, patches, observed, upstream int
	rules                                  int
}

// shapes of real compositions: a first one, a usual one, one resource with a
// great many patches and a long list, a pipeline in which others make nearly all
// resources, and a whole platform.
var shapes = []shape{
	{name: "small", resources: 1, patches: 5},
	{name: "typical", resources: 10, patches: 12, observed: 3 << 10},
	{name: "wide", resources: 1, patches: 1000, observed: 24 << 10, rules: 200},
	{name: "passthrough", resources: 1, patches: 12, observed: 3 << 10, upstream: 300},
	{name: "large", resources: 100, patches: 20, observed: 6 << 10},
}

// catalogue of patches as compositions have them.
var catalogue = []string{
	`{fromFieldPath: spec.parameters.region, toFieldPath: spec.forProvider.region}`,
	`{fromFieldPath: spec.parameters.size, toFieldPath: spec.forProvider.class, transforms: [{type: map, map: {small: s, medium: m}}]}`,
	`{fromFieldPath: metadata.uid, toFieldPath: "metadata.annotations[example.org/owner]", transforms: [{type: string, string: {fmt: "xr-%s"}}]}`,
	`{fromFieldPath: metadata.labels, toFieldPath: metadata.labels, policy: {toFieldPath: MergeObjects}}`,
	`{type: CombineFromComposite, toFieldPath: spec.forProvider.name, combine: {strategy: string, string: {fmt: "%s-%s"}, variables: [{fromFieldPath: metadata.name}, {fromFieldPath: spec.parameters.region}]}}`,
	`{fromFieldPath: spec.parameters.storage, toFieldPath: spec.forProvider.storage, transforms: [{type: math, math: {multiply: 2}}]}`,
	`{fromFieldPath: spec.parameters.port, toFieldPath: spec.forProvider.port, transforms: [{type: convert, convert: {toType: int64}}]}`,
	`{fromFieldPath: spec.parameters.size, toFieldPath: spec.forProvider.multiAz, transforms: [{type: match, match: {patterns: [{type: regexp, regexp: "^(medium|large)$", result: true}], fallbackValue: false}}]}`,
	`{type: ToCompositeFieldPath, fromFieldPath: status.atProvider.arn, toFieldPath: "status.arns[RESOURCE]"}`,
	`{type: ToEnvironmentFieldPath, fromFieldPath: status.atProvider.arn, toFieldPath: "arns[RESOURCE]"}`,
	`{type: FromEnvironmentFieldPath, fromFieldPath: network.vpcId, toFieldPath: spec.forProvider.vpcId}`,
	`{fromFieldPath: spec.parameters.missing, toFieldPath: spec.forProvider.missing}`,
}

func (s shape) template(i int) string {
	list := make([]string, s.patches)
	for j := range list {
		switch {
		case s.rules > 0 && j%10 == 9:
			list[j] = fmt.Sprintf(`{fromFieldPath: spec.parameters.region, toFieldPath: "spec.forProvider.rules[*].f%d"}`, j%3)
		case s.rules > 0:
			list[j] = fmt.Sprintf(`{fromFieldPath: spec.parameters.region, toFieldPath: "spec.forProvider.parameters.p%d"}`, j)
		default:
			list[j] = strings.ReplaceAll(catalogue[j%len(catalogue)], "RESOURCE", name(i))
		}
	}
	rules := strings.Join(repeat(s.rules, `{protocol: tcp, port: 80, f0: "", f1: "", f2: ""}`), ", ")
	return fmt.Sprintf(`{name: %s, base: {apiVersion: rds.example.org/v1, kind: Instance, metadata: {labels: {component: database}},
		spec: {providerConfigRef: {name: default}, forProvider: {engine: postgres, storageEncrypted: true, window: "09:46-10:16", rules: [%s]}}},
		connectionDetails: [{name: c%d, type: FromFieldPath, fromFieldPath: status.atProvider.arn}],
		readinessChecks: [{type: MatchString, fieldPath: status.atProvider.state, matchString: available}], patches: [%s]}`,
		name(i), rules, i, strings.Join(list, ", "))
}

func name(i int) string { return fmt.Sprintf("database-%03d", i) }

func (s shape) request(b *testing.B) []byte {
	b.Helper()
	templates := make([]string, s.resources)
	for i := range templates {
		templates[i] = s.template(i)
	}
	req := request(b, `{resources: [`+strings.Join(templates, ", ")+`]}`, `{apiVersion: example.org/v1, kind: XR,
		metadata: {name: team-a, uid: 30f893fb, labels: {team: a, crossplane.io/composite: team-a}},
		spec: {parameters: {region: eu-west-1, size: medium, storage: 20, port: "5432"}}}`)
	req.Context = &structpb.Struct{Fields: map[string]*structpb.Value{environmentKey: structpb.NewStructValue(structOf(b, `{network: {vpcId: vpc-1}}`))}}
	req.Observed.Resources, req.Desired = map[string]*fnv1.Resource{}, &fnv1.State{Resources: map[string]*fnv1.Resource{}}
	for i := range s.resources + s.upstream {
		if s.observed > 0 {
			req.Observed.Resources[name(i)] = &fnv1.Resource{Resource: observedResource(b, i, s.observed)}
		}
		if i >= s.resources {
			req.Desired.Resources[name(i)] = &fnv1.Resource{Resource: observedResource(b, i, 1<<10), Ready: fnv1.Ready_READY_TRUE}
		}
	}
	out, err := proto.Marshal(req)
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// observedResource returns a resource with about so many bytes of fields.
func observedResource(b *testing.B, i, size int) *structpb.Struct {
	b.Helper()
	o := structOf(b, fmt.Sprintf(`{apiVersion: rds.example.org/v1, kind: Instance, metadata: {name: r-%d},
		status: {atProvider: {arn: "arn:aws:rds:%d", state: available}, conditions: [{type: Ready, status: "True"}]}}`, i, i))
	filler := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for n := range size / 40 {
		filler.Fields[fmt.Sprintf("field%03d", n)] = structpb.NewStringValue("some value here")
	}
	o.Fields["spec"] = structpb.NewStructValue(filler)
	return o
}

// BenchmarkRun answers encoded requests.
func BenchmarkRun(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			req, f := s.request(b), fn.New(fn.Options{})
			rsp, call, err := f.Run(b.Context(), req, nil)
			if err != nil || call.Fatal > 0 || call.Warnings > 0 {
				b.Fatalf("%v, %v", call.Messages, err)
			}
			b.SetBytes(int64(len(req) + len(rsp)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := f.Run(b.Context(), req, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode only decodes the same requests with the standard library and
// encodes their desired state, to compare with.
func BenchmarkDecode(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			in := s.request(b)
			b.ReportAllocs()
			for b.Loop() {
				req := &fnv1.RunFunctionRequest{}
				if err := proto.Unmarshal(in, req); err != nil {
					b.Fatal(err)
				}
				if _, err := proto.Marshal(&fnv1.RunFunctionResponse{Desired: req.GetDesired()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile answers requests whose input was not seen before.
func BenchmarkCompile(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			req := s.request(b)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := fn.New(fn.Options{}).Run(b.Context(), req, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
