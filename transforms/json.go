package transforms

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxDepth bounds how deep JSON that is converted can be nested.
const maxDepth = 500

func objectFromJSON(v any) (any, string) {
	result, problem := fromJSON(v)
	if _, ok := result.(map[string]any); !ok && problem == "" {
		problem = "the JSON is no object"
	}
	return result, problem
}

func arrayFromJSON(v any) (any, string) {
	result, problem := fromJSON(v)
	if _, ok := result.([]any); !ok && problem == "" {
		problem = "the JSON is no array"
	}
	return result, problem
}

func fromJSON(v any) (result any, problem string) {
	s, _ := v.(string)
	decoder := json.NewDecoder(strings.NewReader(s))
	decoder.UseNumber()
	if err := decoder.Decode(&result); err != nil {
		return nil, jsonProblem(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, "not JSON: there is more after its end"
	}
	return plain(result, 0)
}

// jsonProblem says where JSON is wrong, and nothing of what it holds.
func jsonProblem(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("not JSON: wrong at byte %d", syntax.Offset)
	}
	return "not JSON: it ends too early"
}

// plain turns the numbers of decoded JSON to those of plain values, in place.
func plain(v any, depth int) (_ any, problem string) {
	if depth > maxDepth {
		return nil, fmt.Sprintf("JSON that is nested deeper than %d levels", maxDepth)
	}
	switch t := v.(type) {
	case json.Number:
		return plainNumber(string(t))
	case []any:
		for i := range t {
			if t[i], problem = plain(t[i], depth+1); problem != "" {
				return nil, problem
			}
		}
	case map[string]any:
		for k := range t {
			if t[k], problem = plain(t[k], depth+1); problem != "" {
				return nil, problem
			}
		}
	}
	return v, ""
}

func plainNumber(text string) (any, string) {
	f, problem := parseFloat(text)
	if problem != "" {
		return nil, "in the JSON " + problem
	}
	if !strings.ContainsAny(text, ".eE") && text != "-0" && strconv.FormatFloat(f, 'f', 0, 64) != text {
		return nil, "in the JSON " + inexact
	}
	return floatNumber(f).value(), ""
}
