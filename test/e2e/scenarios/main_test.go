package scenarios

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// here is the world that all stories take place in.
var here *world.World

func TestMain(m *testing.M) {
	if err := run(m); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(m *testing.M) (err error) {
	places, err := world.FromEnvironment()
	if err != nil {
		return err
	}
	interrupted, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(interrupted, 2*time.Minute)
	defer cancel()
	begin := time.Now()
	if here, err = world.Start(ctx, places); err != nil {
		return err
	}
	fmt.Printf("everything started in %s\n", time.Since(begin).Round(100*time.Millisecond))
	defer func() { err = errors.Join(err, here.Stop()) }()

	code := make(chan int, 1)
	go func() { code <- m.Run() }()
	select {
	case <-interrupted.Done():
		return context.Cause(interrupted)
	case c := <-code:
		if c != 0 {
			return errors.Join(errors.New("some tests failed"), here.Dump())
		}
		return nil
	}
}
