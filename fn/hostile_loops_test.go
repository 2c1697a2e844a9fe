package fn_test

import (
	"fmt"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

// addLoops adds requests that make much of little: loops, conditions, and
// resources that wait.
func addLoops(t *testing.T, out map[string]*fnv1.RunFunctionRequest) {
	t.Helper()
	loops := make([]string, 2000)
	for i := range loops {
		loops[i] = fmt.Sprintf(`{name: r%d, forEach: {fromFieldPath: spec.list}, base: {apiVersion: v1, kind: K}}`, i)
	}
	costly := make([]string, 2000)
	for i := range costly {
		costly[i] = fmt.Sprintf(`{fromFieldPath: spec.size, condition: "xr.spec.list.all(a, xr.spec.list.all(b, xr.spec.list.exists(c, c == a)))", toFieldPath: spec.f%d}`, i)
	}
	waiting := make([]string, 3000)
	for i := range waiting {
		waiting[i] = fmt.Sprintf(`{name: r%d, dependsOn: [r%d, r0, nobody], base: {apiVersion: v1, kind: K}, patches: [
			{type: FromComposedFieldPath, resource: r%d, fromFieldPath: status.id, toFieldPath: spec.id, policy: {fromFieldPath: Required}}]}`, i+1, i, i)
	}
	waiting[0] = `{name: r1, base: {apiVersion: v1, kind: K}}`
	nestedSets, last := []string{`{name: s0, condition: "true", patches: [{fromFieldPath: spec.size}, {fromFieldPath: spec.size}]}`}, 40
	for i := 1; i <= last; i++ {
		include := fmt.Sprintf(`{type: PatchSet, patchSetName: s%d, condition: "true"}`, i-1)
		nestedSets = append(nestedSets, fmt.Sprintf(`{name: s%d, patches: [%s, %s]}`, i, include, include))
	}
	for name, input := range map[string]string{
		"two thousand loops":       `{resources: [` + strings.Join(loops, ", ") + `]}`,
		"two thousand conditions":  patches(costly...),
		"three thousand that wait": `{resources: [` + strings.Join(waiting, ", ") + `]}`,
		"patch sets that double":   `{patchSets: [` + strings.Join(nestedSets, ", ") + `], resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [{type: PatchSet, patchSetName: s40}]}]}`,
		"a loop of everything": `{resources: [{name: r, forEach: {fromFieldPath: spec.list}, base: {apiVersion: v1, kind: K}, patches: [
			{type: FromCompositeFieldPath, fromFieldPath: spec.list, toFieldPath: "spec.a[$index]"}, {type: FromItemFieldPath, toFieldPath: "spec.list[name=$key].a"},
			{type: ToCompositeFieldPath, fromFieldPath: spec.a, toFieldPath: "status.a[$index][$index]", default: x}]}]}`,
		"items without end": patches(manyItems()...),
	} {
		req := request(t, input, goodXR)
		req.Observed.Composite.Resource.Fields["spec"].GetStructValue().Fields["list"] = manyTexts()
		out[name] = req
	}
}

// manyTexts returns as many texts as a loop may have elements.
func manyTexts() *structpb.Value {
	list := make([]*structpb.Value, fn.MaxElements)
	for i := range list {
		list[i] = structpb.NewStringValue(fmt.Sprintf("item-%d", i))
	}
	return structpb.NewListValue(&structpb.ListValue{Values: list})
}

func manyItems() []string {
	out := make([]string, 5000)
	for i := range out {
		out[i] = fmt.Sprintf(`{fromFieldPath: spec.size, toFieldPath: "spec.list[name=n%d].value"}`, i)
	}
	return out
}
