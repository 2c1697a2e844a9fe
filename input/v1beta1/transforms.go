package v1beta1

// TransformType is a kind of transform.
// +k8s:enum
type TransformType string

// The types of transforms.
const (
	// TransformTypeMap looks a string up in a table.
	TransformTypeMap TransformType = "map"
	// TransformTypeMatch gives the result of the first pattern that matches.
	TransformTypeMatch TransformType = "match"
	// TransformTypeMath calculates with a number.
	TransformTypeMath TransformType = "math"
	// TransformTypeString makes or changes a string.
	TransformTypeString TransformType = "string"
	// TransformTypeConvert converts a value to another type.
	TransformTypeConvert TransformType = "convert"
)

// Transform changes a value on its way from one field to another. The field
// that has the name of its type configures it.
// +patchwork:when:type=map,required=map
// +patchwork:when:type=match,required=match
// +patchwork:when:type=math,required=math
// +patchwork:when:type=string,required=string
// +patchwork:when:type=convert,required=convert
type Transform struct {
	// Type of the transform.
	Type TransformType `json:"type"`

	// Map is the table of a transform of type map: from strings to values of any
	// type. A string that it does not have is an error.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	// +kubebuilder:validation:MinProperties=1
	Map map[string]any `json:"map,omitempty"`

	// Match configures a transform of type match.
	// +optional
	Match *MatchTransform `json:"match,omitempty"`

	// Math configures a transform of type math.
	// +optional
	Math *MathTransform `json:"math,omitempty"`

	// String configures a transform of type string.
	// +optional
	String *StringTransform `json:"string,omitempty"`

	// Convert configures a transform of type convert.
	// +optional
	Convert *ConvertTransform `json:"convert,omitempty"`
}

// MatchTransform gives the result of the first pattern that matches.
type MatchTransform struct {
	// Patterns to try, in order. At least one.
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	Patterns []MatchPattern `json:"patterns"`

	// FallbackValue is the result when no pattern matches: any value, null by
	// default.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	FallbackValue any `json:"fallbackValue,omitempty"`

	// FallbackTo says what the result is when no pattern matches.
	// +optional
	// +kubebuilder:default=Value
	FallbackTo MatchFallback `json:"fallbackTo,omitempty"`
}

// MatchFallback says what the result is when no pattern matches.
// +k8s:enum
type MatchFallback string

// What the result is when no pattern matches.
const (
	// MatchFallbackValue is the fallbackValue.
	MatchFallbackValue MatchFallback = "Value"
	// MatchFallbackInput is the value that went in.
	MatchFallbackInput MatchFallback = "Input"
)

// MatchPattern is a pattern with its result.
// +patchwork:when:type=literal,required=literal
// +patchwork:when:type=regexp,required=regexp
type MatchPattern struct {
	// Type of the pattern.
	// +optional
	// +kubebuilder:default=literal
	Type MatchPatternType `json:"type,omitempty"`

	// Literal is the string that a pattern of type literal matches.
	// +optional
	Literal *string `json:"literal,omitempty"`

	// Regexp is the regular expression that a pattern of type regexp matches, in
	// the syntax of https://pkg.go.dev/regexp/syntax.
	// +optional
	Regexp *string `json:"regexp,omitempty"`

	// Result is what the transform gives when the pattern matches: any value.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	Result any `json:"result,omitempty"`
}

// MatchPatternType is a kind of pattern.
// +k8s:enum
type MatchPatternType string

// The types of patterns.
const (
	// MatchPatternTypeLiteral matches a string that is equal.
	MatchPatternTypeLiteral MatchPatternType = "literal"
	// MatchPatternTypeRegexp matches a regular expression.
	MatchPatternTypeRegexp MatchPatternType = "regexp"
)

// MathType is a calculation.
// +k8s:enum
type MathType string

// The calculations.
const (
	// MathTypeMultiply multiplies the value.
	MathTypeMultiply MathType = "Multiply"
	// MathTypeClampMin gives the operand for a value that is less.
	MathTypeClampMin MathType = "ClampMin"
	// MathTypeClampMax gives the operand for a value that is greater.
	MathTypeClampMax MathType = "ClampMax"
	// MathTypeAdd adds to the value.
	MathTypeAdd MathType = "Add"
	// MathTypeSubtract subtracts from the value.
	MathTypeSubtract MathType = "Subtract"
	// MathTypeDivide divides the value.
	MathTypeDivide MathType = "Divide"
)

// MathTransform calculates with a number. The field that goes with its type
// holds the operand, which may have a fraction.
// +patchwork:when:type=Multiply,required=multiply
// +patchwork:when:type=ClampMin,required=clampMin
// +patchwork:when:type=ClampMax,required=clampMax
// +patchwork:when:type=Add,required=add
// +patchwork:when:type=Subtract,required=subtract
// +patchwork:when:type=Divide,required=divide
type MathTransform struct {
	// Type of the calculation.
	// +optional
	// +kubebuilder:default=Multiply
	Type MathType `json:"type,omitempty"`

	// Multiply the value by this.
	// +optional
	Multiply *float64 `json:"multiply,omitempty"`

	// ClampMin is the least that the result can be.
	// +optional
	ClampMin *float64 `json:"clampMin,omitempty"`

	// ClampMax is the greatest that the result can be.
	// +optional
	ClampMax *float64 `json:"clampMax,omitempty"`

	// Add this to the value.
	// +optional
	Add *float64 `json:"add,omitempty"`

	// Subtract this from the value.
	// +optional
	Subtract *float64 `json:"subtract,omitempty"`

	// Divide the value by this. Cannot be zero.
	// +optional
	Divide *float64 `json:"divide,omitempty"`
}

// StringTransformType is a way to make or change a string.
// +k8s:enum
type StringTransformType string

// The ways to make or change a string.
const (
	// StringTransformTypeFormat formats the value.
	StringTransformTypeFormat StringTransformType = "Format"
	// StringTransformTypeConvert changes case, encodes, decodes or hashes.
	StringTransformTypeConvert StringTransformType = "Convert"
	// StringTransformTypeTrimPrefix removes a prefix.
	StringTransformTypeTrimPrefix StringTransformType = "TrimPrefix"
	// StringTransformTypeTrimSuffix removes a suffix.
	StringTransformTypeTrimSuffix StringTransformType = "TrimSuffix"
	// StringTransformTypeRegexp extracts what a regular expression matches.
	StringTransformTypeRegexp StringTransformType = "Regexp"
	// StringTransformTypeJoin joins the elements of an array.
	StringTransformTypeJoin StringTransformType = "Join"
	// StringTransformTypeReplace replaces every occurrence of a string.
	StringTransformTypeReplace StringTransformType = "Replace"
	// StringTransformTypeRegexpReplace replaces every match of a regular
	// expression.
	StringTransformTypeRegexpReplace StringTransformType = "RegexpReplace"
	// StringTransformTypeTruncate cuts a long string, and keeps it unique.
	StringTransformTypeTruncate StringTransformType = "Truncate"
)

// StringTransform makes or changes a string. The field that goes with its type
// configures it.
// +patchwork:when:type=Format,required=fmt
// +patchwork:when:type=Convert,required=convert
// +patchwork:when:type=TrimPrefix;TrimSuffix,required=trim
// +patchwork:when:type=Regexp,required=regexp
// +patchwork:when:type=Join,required=join
// +patchwork:when:type=Replace,required=replace
// +patchwork:when:type=RegexpReplace,required=regexpReplace
// +patchwork:when:type=Truncate,required=truncate
type StringTransform struct {
	// Type of the transform.
	// +optional
	// +kubebuilder:default=Format
	Type StringTransformType `json:"type,omitempty"`

	// Format of type Format: a format string of Go's package fmt, with one verb.
	// +optional
	Format *string `json:"fmt,omitempty"`

	// Convert is the conversion of type Convert.
	// +optional
	Convert StringConversion `json:"convert,omitempty"`

	// Trim is the prefix or suffix that TrimPrefix or TrimSuffix removes.
	// +optional
	Trim *string `json:"trim,omitempty"`

	// Regexp configures type Regexp.
	// +optional
	Regexp *StringRegexp `json:"regexp,omitempty"`

	// Join configures type Join.
	// +optional
	Join *StringJoin `json:"join,omitempty"`

	// Replace configures type Replace.
	// +optional
	Replace *StringReplace `json:"replace,omitempty"`

	// RegexpReplace configures type RegexpReplace.
	// +optional
	RegexpReplace *StringRegexpReplace `json:"regexpReplace,omitempty"`

	// Truncate configures type Truncate.
	// +optional
	Truncate *StringTruncate `json:"truncate,omitempty"`
}

// StringConversion is a conversion from one string to another.
// +k8s:enum
type StringConversion string

// The conversions from one string to another.
const (
	// StringConversionToUpper gives the string in upper case.
	StringConversionToUpper StringConversion = "ToUpper"
	// StringConversionToLower gives the string in lower case.
	StringConversionToLower StringConversion = "ToLower"
	// StringConversionToBase64 encodes the string as base64.
	StringConversionToBase64 StringConversion = "ToBase64"
	// StringConversionFromBase64 decodes base64.
	StringConversionFromBase64 StringConversion = "FromBase64"
	// StringConversionToJSON encodes the value, of any type, as JSON.
	StringConversionToJSON StringConversion = "ToJson"
	// StringConversionToSHA1 gives the SHA-1 hash in hexadecimal.
	StringConversionToSHA1 StringConversion = "ToSha1"
	// StringConversionToSHA256 gives the SHA-256 hash in hexadecimal.
	StringConversionToSHA256 StringConversion = "ToSha256"
	// StringConversionToSHA512 gives the SHA-512 hash in hexadecimal.
	StringConversionToSHA512 StringConversion = "ToSha512"
	// StringConversionToAdler32 gives the Adler-32 checksum in decimal.
	StringConversionToAdler32 StringConversion = "ToAdler32"
)

// StringRegexp extracts what a regular expression matches.
type StringRegexp struct {
	// Match is the regular expression, in the syntax of
	// https://pkg.go.dev/regexp/syntax.
	Match string `json:"match"`

	// Group is the capturing group to give. Defaults to 0, the whole match.
	// +optional
	// +kubebuilder:default=0
	// +kubebuilder:validation:Minimum=0
	Group *int64 `json:"group,omitempty"`
}

// StringJoin joins the elements of an array.
type StringJoin struct {
	// Separator to put between the elements. May be empty.
	Separator string `json:"separator"`
}

// StringReplace replaces every occurrence of a string.
type StringReplace struct {
	// Search is the string to look for.
	Search string `json:"search"`

	// Replace is the string to put in its place. May be empty.
	Replace string `json:"replace"`
}

// StringRegexpReplace replaces every match of a regular expression.
type StringRegexpReplace struct {
	// Match is the regular expression, in the syntax of
	// https://pkg.go.dev/regexp/syntax.
	Match string `json:"match"`

	// Replace is what to put in the place of a match. In it $1 or ${1} stands for
	// the first capturing group, ${name} for a named one and $$ for a dollar sign.
	Replace string `json:"replace"`
}

// StringTruncate cuts a string that is too long. What it cuts ends with a dash
// and the beginning of a hash of the whole, so that it stays unique.
type StringTruncate struct {
	// Length that the result has at most, in characters.
	// +kubebuilder:validation:Minimum=1
	Length int64 `json:"length"`

	// HashLength is how many characters of a hash a string ends with that was
	// cut. 0 is for no dash and no hash.
	// +optional
	// +kubebuilder:default=5
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=64
	HashLength *int64 `json:"hashLength,omitempty"`
}

// ConvertTransform converts a value to another type.
type ConvertTransform struct {
	// ToType is the type to convert to.
	ToType ConvertType `json:"toType"`

	// Format of the value that is converted.
	// +optional
	// +kubebuilder:default=none
	Format ConvertFormat `json:"format,omitempty"`
}

// ConvertType is a type to convert to.
// +k8s:enum
type ConvertType string

// The types to convert to.
const (
	// ConvertTypeString is a string.
	ConvertTypeString ConvertType = "string"
	// ConvertTypeBool is true or false.
	ConvertTypeBool ConvertType = "bool"
	// ConvertTypeInt is another name of int64.
	ConvertTypeInt ConvertType = "int"
	// ConvertTypeInt64 is a number without a fraction.
	ConvertTypeInt64 ConvertType = "int64"
	// ConvertTypeFloat64 is a number.
	ConvertTypeFloat64 ConvertType = "float64"
	// ConvertTypeObject is an object, decoded from JSON.
	ConvertTypeObject ConvertType = "object"
	// ConvertTypeArray is an array, decoded from JSON.
	ConvertTypeArray ConvertType = "array"
)

// ConvertFormat is the format of a value that is converted.
// +k8s:enum
type ConvertFormat string

// The formats of a value that is converted.
const (
	// ConvertFormatNone is plain text, as numbers and booleans are written.
	ConvertFormatNone ConvertFormat = "none"
	// ConvertFormatQuantity is a Kubernetes quantity, such as 500m or 2Gi.
	ConvertFormatQuantity ConvertFormat = "quantity"
	// ConvertFormatJSON is JSON.
	ConvertFormatJSON ConvertFormat = "json"
)
