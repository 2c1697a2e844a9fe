package child

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill a child whose parent was killed before it
// could stop it. It watches the thread that starts the child: Go keeps that one.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
