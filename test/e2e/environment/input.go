package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/types/known/structpb"
)

// Input is the part of function-environment-configs' input that the tests use,
// in its form, so that a Composition works with either function. Produce is an
// addition.
type Input struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       Spec   `json:"spec"`
}

// Spec says what goes into the environment, and what into the desired state.
type Spec struct {
	// DefaultData is in the environment unless an EnvironmentConfig has it.
	DefaultData map[string]any `json:"defaultData"`
	// EnvironmentConfigs are merged in this order: a later one wins.
	EnvironmentConfigs []Source `json:"environmentConfigs"`
	// Produce has resources for the desired state, by their name in it.
	Produce map[string]map[string]any `json:"produce"`
}

// Source is one EnvironmentConfig, or those that have some labels.
type Source struct {
	Type     string    `json:"type"` // Reference or Selector.
	Ref      Ref       `json:"ref"`
	Selector *Selector `json:"selector"`
}

// Ref names an EnvironmentConfig, which must be there.
type Ref struct {
	Name string `json:"name"`
}

// Selector selects EnvironmentConfigs by labels.
type Selector struct {
	// Mode is Single, for which exactly one must match, or Multiple.
	Mode        string         `json:"mode"`
	MinMatch    int            `json:"minMatch"`
	MatchLabels []LabelMatcher `json:"matchLabels"`
}

// LabelMatcher is a label with a fixed value, or one that is read from the
// composite resource.
type LabelMatcher struct {
	Type               string `json:"type"` // FromCompositeFieldPath or Value.
	Key                string `json:"key"`
	Value              string `json:"value"`
	ValueFromFieldPath string `json:"valueFromFieldPath"`
}

// decode reads an input, and refuses what it does not know.
func decode(s *structpb.Struct) (*Input, error) {
	data, err := s.MarshalJSON()
	if err != nil {
		return nil, err
	}
	in := &Input{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	for i := range in.Spec.EnvironmentConfigs {
		if err := in.Spec.EnvironmentConfigs[i].check(); err != nil {
			return nil, fmt.Errorf("input: spec.environmentConfigs[%d]: %w", i, err)
		}
	}
	return in, nil
}

func (s *Source) check() error {
	switch {
	case s.Type == "Selector" && s.Selector == nil:
		return errors.New("selector: required")
	case s.Type == "Selector":
		return s.Selector.check()
	case s.Type != "" && s.Type != "Reference":
		return fmt.Errorf("type: %q is not Reference or Selector", s.Type)
	case s.Ref.Name == "":
		return errors.New("ref.name: required")
	}
	return nil
}

func (s *Selector) check() error {
	if s.Mode != "" && s.Mode != "Single" && s.Mode != "Multiple" {
		return fmt.Errorf("selector.mode: %q is not Single or Multiple", s.Mode)
	}
	if len(s.MatchLabels) == 0 {
		return errors.New("selector.matchLabels: required")
	}
	for i, m := range s.MatchLabels {
		if m.Type != "" && m.Type != "FromCompositeFieldPath" && m.Type != "Value" {
			return fmt.Errorf("selector.matchLabels[%d].type: %q is not FromCompositeFieldPath or Value", i, m.Type)
		}
	}
	return nil
}

// isMet tells whether a number of EnvironmentConfigs is what the source asks for.
func (s *Source) isMet(matches int) bool {
	if s.Selector != nil && s.Selector.Mode == "Multiple" {
		return matches >= s.Selector.MinMatch
	}
	return matches == 1
}
