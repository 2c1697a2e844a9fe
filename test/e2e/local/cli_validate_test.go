package local

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// verdict is what crossplane resource validate says.
type verdict struct {
	Summary   struct{ Total, Valid, Invalid, MissingSchemas int }
	Resources []struct {
		APIVersion, Kind, Name, Status string
		Errors                         []struct{ Type, Field, Message string }
	}
}

// validate validates files, and what is on standard input if one is "-".
func (s schemas) validate(t *testing.T, stdin []byte, extensions []string, files ...string) verdict {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program("crossplane-cli"), "resource", "validate",
		"--cache-dir="+s.cache, "--crossplane-image="+crossplaneImage, "--error-on-missing-schemas", "--output=json",
		strings.Join(append(extensions, s.composed), ","), strings.Join(files, ","))
	var out, log bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &log
	err := cmd.Run()
	var v verdict
	if broken := json.Unmarshal(out.Bytes(), &v); broken != nil {
		t.Fatalf("%v: %v\n%s%s", err, broken, out.String(), log.String())
	}
	if (err == nil) != (v.Summary.Valid == v.Summary.Total) {
		t.Errorf("the exit status, %v, says something else than\n%s", err, out.String())
	}
	return v
}

// toldOfInput is what is wrong with the input of a Composition, in which it is
// the only one: it comes before it. That some schema has to hold says
// nothing, and which values there are is left out.
func (v verdict) toldOfInput(composition string) []string {
	var out []string
	for i, r := range v.Resources {
		if r.Kind != "Composition" || r.Name != composition || i == 0 {
			continue
		}
		for _, e := range v.Resources[i-1].Errors {
			if !strings.Contains(e.Message, "must validate a") {
				message, _, _ := strings.Cut(e.Message, ": supported values: ")
				out = append(out, message)
			}
		}
	}
	return out
}

// String has what is wrong.
func (v verdict) String() string {
	var out strings.Builder
	for _, r := range v.Resources {
		if r.Status == "valid" {
			continue
		}
		out.WriteString(r.Status + " " + r.Kind + "/" + r.Name + "\n")
		for _, e := range r.Errors {
			out.WriteString("  " + e.Message + "\n")
		}
	}
	return out.String()
}
