// Package process runs programs whose output goes to a file.
package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// patience bounds how long a program may take to stop.
const patience = 30 * time.Second

// Process is a program that was started. Its methods may be called concurrently.
type Process struct {
	Name string

	cmd    *exec.Cmd
	exited chan struct{}
	err    error // of the exit, once exited is closed
}

// Start starts a command, and appends its output to NAME.log in a folder. The
// kernel kills it if this process ends first.
func Start(folder, name string, cmd *exec.Cmd) (*Process, error) {
	log, err := os.OpenFile(filepath.Join(folder, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644) //nolint:gosec // People read it.
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	// An interrupt from the terminal is for the tests, which stop it.
	cmd.SysProcAttr.Setpgid = true
	cmd.Stdout, cmd.Stderr = log, log
	p := &Process{Name: name, cmd: cmd, exited: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	go func() {
		p.err = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// PID is the id of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Exited is closed when the program has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Running tells whether the program has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// Stop asks the program to stop, and returns an error unless it does. Stopped
// tells how. It does nothing to one that has ended.
func (p *Process) Stop() error {
	if !p.Running() {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(patience):
		p.Kill()
		return fmt.Errorf("%s had not stopped after %s", p.Name, patience)
	}
}

// Kill ends the program, and waits until it has ended.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // It may have ended.
	<-p.exited
}

// CPU is the time that the program has spent on processors.
func (p *Process) CPU() (time.Duration, error) {
	if !p.Running() {
		return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime(), nil
	}
	return cpu(p.PID())
}

// Stopped is how the program ended, once it has: nil if well.
func (p *Process) Stopped() error {
	<-p.exited
	return p.err
}
