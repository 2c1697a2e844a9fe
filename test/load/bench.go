package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// bench measures what the options ask for.
type bench struct {
	options
	progress io.Writer
}

// row is what was measured of a shape: of the server, and of the echo.
type row struct {
	shape          string
	concurrency    int
	requestBytes   int
	function, echo result

	// ratio of the CPU times of the rounds, 0 if there is none.
	ratio float64
}

// result of one side.
type result struct {
	figures
	peak          int64
	responseBytes int
}

func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.progress, format+"\n", args...) }

// measure starts both sides anew, and measures a shape.
func (b *bench) measure(ctx context.Context, s shapes.Shape, concurrency int) (row, error) {
	b.say("%s, %d at a time", s.Name, concurrency)
	kinds, err := kinds(b.server)
	if err != nil {
		return row{}, err
	}
	function, err := kinds[0].start(ctx)
	if err != nil {
		return row{}, err
	}
	defer function.kill()
	echo, err := kinds[1].start(ctx)
	if err != nil {
		return row{}, err
	}
	defer echo.kill()
	out, err := b.compare(ctx, s, concurrency, function, echo)
	if err != nil {
		return row{}, fmt.Errorf("%s, %d at a time: %w", s.Name, concurrency, err)
	}
	return out, errors.Join(function.stop(), echo.stop())
}

// compare has two sides take turns, after a while to warm up.
func (b *bench) compare(ctx context.Context, s shapes.Shape, concurrency int, function, echo *side) (row, error) {
	r, err := requestsOf(s)
	if err != nil {
		return row{}, err
	}
	out := row{shape: s.Name, concurrency: concurrency}
	if out.requestBytes, out.function.responseBytes, err = function.warmUp(ctx, r, concurrency, b.time); err != nil {
		return row{}, err
	}
	if _, out.echo.responseBytes, err = echo.warmUp(ctx, r, concurrency, b.time); err != nil {
		return row{}, err
	}
	if err := b.takeTurns(ctx, r, &out, function, echo); err != nil {
		return row{}, err
	}
	if _, out.function.peak, err = memoryOf(function.pid); err != nil {
		return row{}, err
	}
	_, out.echo.peak, err = memoryOf(echo.pid)
	return out, err
}

func (b *bench) takeTurns(ctx context.Context, r *requests, out *row, function, echo *side) error {
	var of, at []figures
	var ratios []float64
	for round := range b.rounds {
		f, err := function.turn(ctx, r, out.concurrency, b.time)
		if err != nil {
			return err
		}
		e, err := echo.turn(ctx, r, out.concurrency, b.time)
		if err != nil {
			return err
		}
		of, at, ratios = append(of, f), append(at, e), append(ratios, f.ratio(e))
		b.say("  round %d: %s of CPU, echo %s, ratio %.2f", round+1, f.cpu.Round(time.Microsecond), e.cpu.Round(time.Microsecond), f.ratio(e))
	}
	out.function.figures, out.echo.figures, out.ratio = medians(of), medians(at), median(ratios)
	return nil
}
