// Package health tells from an observed resource whether it is healthy: rolled
// out, bound, running, completed, whatever that is for its kind.
//
// A table of rules says so for the kinds of Kubernetes itself, the Gateway API
// and Crossplane: [Rules]. They are those of kubectl rollout status, where that
// has one, or else of kstatus or Argo CD; a rule's documentation says where these
// differ. Any other kind is healthy when its condition Ready is True.
//
// kstatus is not used as a library since it brings the types of Kubernetes' API:
// the server would have six megabytes more, a third of what it has. Its rules take
// a few hundred lines, and here they read but the fields that they need.
package health
