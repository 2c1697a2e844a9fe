package transforms

import "regexp/syntax"

// char is the most bytes that a character has.
const char = 4

// maxLookahead returns how many bytes behind the end of a match an expression
// looks at most until it knows that the match is not longer, or -1 if that can be
// the whole text. It is known when whatever can repeat without end stands last:
// then the match grows with each repetition, and ends where one fails.
func maxLookahead(tree *syntax.Regexp) int {
	if width := maxWidth(tree); width >= 0 {
		return width
	}
	switch tree.Op {
	case syntax.OpCapture, syntax.OpQuest:
		return maxLookahead(tree.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return maxWidth(tree.Sub[0])
	case syntax.OpRepeat:
		return repeatedWidth(tree.Sub[0], tree.Min+1)
	case syntax.OpConcat:
		last := len(tree.Sub) - 1
		return sum(sumOf(tree.Sub[:last], maxWidth), maxLookahead(tree.Sub[last]))
	case syntax.OpAlternate:
		return sumOf(tree.Sub, maxLookahead)
	}
	return -1
}

// maxWidth returns how many bytes an expression looks at most, or -1 if there is
// no bound.
func maxWidth(tree *syntax.Regexp) int {
	switch tree.Op {
	case syntax.OpLiteral:
		return char * len(tree.Rune)
	case syntax.OpCapture, syntax.OpQuest:
		return maxWidth(tree.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return -1
	case syntax.OpRepeat:
		return repeatedWidth(tree.Sub[0], tree.Max)
	case syntax.OpConcat, syntax.OpAlternate:
		return sumOf(tree.Sub, maxWidth) // of alternatives this is more than needed
	}
	return char // a class, or an assertion, which looks at a character
}

func repeatedWidth(tree *syntax.Regexp, times int) int {
	width := maxWidth(tree)
	if width < 0 || times < 0 {
		return -1
	}
	return width * times
}

func sumOf(trees []*syntax.Regexp, measure func(*syntax.Regexp) int) int {
	total := 0
	for _, tree := range trees {
		total = sum(total, measure(tree))
	}
	return total
}

// sum adds lengths of which -1 is without bound.
func sum(a, b int) int {
	if a < 0 || b < 0 {
		return -1
	}
	return a + b
}
