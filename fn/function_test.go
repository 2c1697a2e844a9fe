package fn_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

func TestAResponseThatCrossplaneWouldRefuseIsFatal(t *testing.T) {
	for name, size := range map[string]int{"fits": 3 << 20, "too large": 5 << 20} {
		t.Run(name, func(t *testing.T) {
			req := request(t, goodInput, goodXR)
			req.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{"big": {Resource: &structpb.Struct{
				Fields: map[string]*structpb.Value{"text": structpb.NewStringValue(strings.Repeat("x", size))},
			}}}}
			rsp, err := fnv1.NewFunctionRunnerServiceClient(serve(t, fn.New(fn.Options{}).Run).dial(t, nil)).RunFunction(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			fatal := len(rsp.GetResults()) == 1 && rsp.GetResults()[0].GetSeverity() == fnv1.Severity_SEVERITY_FATAL
			if fatal != (size > 4<<20) {
				t.Errorf("%d bytes pass through: results %v", size, rsp.GetResults())
			}
			if fatal && !strings.Contains(rsp.GetResults()[0].GetMessage(), "larger than 4 MiB") {
				t.Errorf("it does not say why: %s", rsp.GetResults()[0].GetMessage())
			}
		})
	}
}

func TestNoticesAreToldOnceForEachProgram(t *testing.T) {
	var told []string
	f := fn.New(fn.Options{Notify: func(n fn.Notice) { told = append(told, n.Place+" "+n.Text) }})
	input := `{resources: [{name: r, base: {apiVersion: v1, kind: K, status: {}},
		connectionDetails: [{name: d, type: FromFieldPath, fromFieldPath: status.text.below}]}]}`
	req := request(t, input, goodXR)
	req.Observed.Resources = map[string]*fnv1.Resource{"r": {Resource: structOf(t, `{apiVersion: v1, kind: K, status: {text: x}}`)}}
	for range 3 {
		if _, err := f.RunFunction(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		`resources[0] ("r").base.status has no effect: the status of a composed resource is written by its controller, not by Crossplane`,
		`resources[0] ("r").connectionDetails[0].fromFieldPath cannot be used now, so that connection detail "d" is left out: ` +
			`status.text: not an object but a string`,
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
}

func TestTheTTLIsThatOfTheOptions(t *testing.T) {
	for ttl, want := range map[time.Duration]time.Duration{0: time.Minute, 90 * time.Second: 90 * time.Second} {
		for name, input := range map[string]string{"good": goodInput, "bad": `{resources: 5}`} {
			rsp, err := fn.New(fn.Options{TTL: ttl}).RunFunction(t.Context(), request(t, input, goodXR))
			if err != nil || rsp.GetMeta().GetTtl().AsDuration() != want || rsp.GetMeta().GetTag() != "hostile" {
				t.Errorf("%s input, option %s: %v, %v", name, ttl, rsp.GetMeta(), err)
			}
		}
	}
}

func TestACallTellsHowItWent(t *testing.T) {
	req := request(t, `{resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [
		{fromFieldPath: spec.missing, toFieldPath: spec.x, policy: {fromFieldPath: Required}}]}]}`,
		`{apiVersion: example.org/v1, kind: XR, metadata: {name: xr, namespace: ns}}`)
	f := fn.New(fn.Options{})
	for _, hit := range []bool{false, true} {
		b := encode(t, req)
		rsp, call, err := f.Run(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if call.Tag != "hostile" || call.APIVersion != "example.org/v1" || call.Kind != "XR" || call.Namespace != "ns" || call.Name != "xr" {
			t.Errorf("it is about something else: %+v", call)
		}
		if call.Fatal != 0 || call.Warnings != 1 || len(call.Messages) != 1 || call.CacheHit != hit {
			t.Errorf("it went otherwise: %+v", call)
		}
		if call.RequestBytes != len(b) || call.ResponseBytes != len(rsp) {
			t.Errorf("the sizes are off: %+v", call)
		}
	}
}
