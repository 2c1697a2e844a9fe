// Package cloud is a cloud in memory: what a provider's controllers manage when
// there is no real one. It has regions, generates identifiers, takes its time,
// refuses what makes no sense, fails now and then when told to, and keeps a
// journal of who did what, for tests to read.
//
// Nothing in it runs by itself. What takes time is done once the clock says so,
// which is found out when somebody looks.
package cloud
