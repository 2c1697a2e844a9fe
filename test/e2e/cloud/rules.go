package cloud

import (
	"net/netip"
)

// rules are what is special to a kind of resources.
type rules struct {
	// fill sets the defaults of properties that are left out.
	fill func(p map[string]any)

	// check refuses properties that no resource of the kind can have.
	check func(c *Cloud, p map[string]any) error

	// change refuses changes that cannot be made to a resource that exists.
	change func(old, next map[string]any) error

	// provision sets outputs and connection details. It is called again after
	// updates, and keeps what was generated before.
	provision func(r *resource)
}

var kinds = map[Kind]rules{
	Database: {fill: fillDatabase, check: checkDatabase, change: changeDatabase, provision: provisionDatabase},
	Network:  {fill: func(map[string]any) {}, check: checkNetwork, change: changeNetwork, provision: provisionNetwork},
	Subnet:   {fill: fillSubnet, check: checkSubnet, change: changeSubnet, provision: func(*resource) {}},
	Route:    {fill: func(map[string]any) {}, check: checkRoute, change: changeRoute, provision: func(*resource) {}},
	Machine:  {fill: func(map[string]any) {}, check: checkMachine, change: changeMachine, provision: provisionMachine},
}

func checkRegion(p map[string]any) error {
	if region, _ := p["region"].(string); region == "" {
		return refuse(InvalidParameter, "region is required")
	}
	return nil
}

func checkCIDR(v any) (netip.Prefix, error) {
	s, _ := v.(string)
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return prefix, refuse(InvalidParameter, "cidrBlock %q is none", s)
	}
	return prefix, nil
}

func unchanged(old, next map[string]any, keys ...string) error {
	for _, k := range keys {
		if old[k] != next[k] {
			return refuse(InvalidParameter, "%s cannot change from %v to %v", k, old[k], next[k])
		}
	}
	return nil
}
