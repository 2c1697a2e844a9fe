package fieldpath

// Budget bounds the work of one request, in values written and bytes of text
// handled. A nil Budget is without bound. It is not safe for concurrent use.
type Budget struct{ left int64 }

// NewBudget returns a budget of n units.
func NewBudget(n int64) *Budget { return &Budget{left: n} }

// Spend takes n units, or returns a *BudgetError when there are not so many left.
func (b *Budget) Spend(n int) error {
	if b == nil {
		return nil
	}
	if b.left -= int64(n); b.left < 0 {
		return &BudgetError{}
	}
	return nil
}
