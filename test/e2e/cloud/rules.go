package cloud

import (
	"net/netip"
	"slices"
	"strconv"
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
}

// MinStorage and MaxStorage are the least and the most GB that a database has.
const (
	MinStorage = int64(10)
	MaxStorage = int64(65536)
)

var (
	classes = []string{"small", "medium", "large", "xlarge"}
	ports   = map[string]int64{"postgres": 5432, "mysql": 3306}
	newest  = map[string]string{"postgres": "18", "mysql": "8.4"}
)

func fillDatabase(p map[string]any) {
	engine, _ := p["engine"].(string)
	for _, d := range []struct {
		property string
		value    any
	}{
		{"engineVersion", newest[engine]},
		{"class", "small"},
		{"backupWindow", "03:00-04:00"},
		{"publiclyAccessible", false},
	} {
		if _, given := p[d.property]; !given {
			p[d.property] = d.value
		}
	}
}

func checkDatabase(c *Cloud, p map[string]any) error {
	if err := checkRegion(p); err != nil {
		return err
	}
	engine, _ := p["engine"].(string)
	if ports[engine] == 0 {
		return refuse(InvalidParameter, "there is no engine %q", engine)
	}
	if class, _ := p["class"].(string); !slices.Contains(classes, class) {
		return refuse(InvalidParameter, "there is no class %q", class)
	}
	storage, ok := p["storageGB"].(int64)
	if !ok || storage < MinStorage || storage > MaxStorage {
		return refuse(InvalidParameter, "storageGB must be between %d and %d, not %v", MinStorage, MaxStorage, p["storageGB"])
	}
	return checkNetworkOf(c, p)
}

// checkNetworkOf refuses a network that does not exist, or is elsewhere.
func checkNetworkOf(c *Cloud, p map[string]any) error {
	id, _ := p["networkID"].(string)
	if id == "" {
		return nil
	}
	network, err := c.findKind(Network, id)
	if err != nil || network.deleting {
		return refuse(InvalidParameter, "there is no network %q", id)
	}
	if network.properties["region"] != p["region"] {
		return refuse(InvalidParameter, "network %q is in region %v", id, network.properties["region"])
	}
	return nil
}

func changeDatabase(old, next map[string]any) error {
	if err := unchanged(old, next, "region", "engine", "networkID"); err != nil {
		return err
	}
	was, _ := old["storageGB"].(int64)
	if is, _ := next["storageGB"].(int64); is < was {
		return refuse(InvalidParameter, "storageGB cannot shrink from %d to %d", was, is)
	}
	return nil
}

func provisionDatabase(r *resource) {
	engine, _ := r.properties["engine"].(string)
	region, _ := r.properties["region"].(string)
	endpoint, port := r.id+"."+region+".db.example.org", ports[engine]
	r.outputs = map[string]any{"endpoint": endpoint, "port": port}
	if r.connection["password"] == "" {
		r.connection["password"] = random(16)
	}
	r.connection["endpoint"] = endpoint
	r.connection["port"] = strconv.FormatInt(port, 10)
	r.connection["username"] = "admin"
}

func checkNetwork(_ *Cloud, p map[string]any) error {
	if err := checkRegion(p); err != nil {
		return err
	}
	block, err := checkCIDR(p["cidrBlock"])
	if err != nil {
		return err
	}
	for _, s := range subnets(p) {
		part, err := checkCIDR(s["cidrBlock"])
		if err != nil {
			return err
		}
		if part.Bits() < block.Bits() || !block.Contains(part.Addr()) {
			return refuse(InvalidParameter, "subnet %v has %s, which is not part of %s", s["name"], part, block)
		}
	}
	return nil
}

func changeNetwork(old, next map[string]any) error {
	return unchanged(old, next, "region", "cidrBlock")
}

func provisionNetwork(r *resource) {
	known := map[string]any{}
	if before, ok := r.outputs["subnets"].(map[string]any); ok {
		known = before
	}
	ids, byName := []any{}, map[string]any{}
	for _, s := range subnets(r.properties) {
		name, _ := s["name"].(string)
		id, exists := known[name]
		if !exists {
			id = "subnet-" + random(6)
		}
		byName[name], ids = id, append(ids, id)
	}
	r.outputs = map[string]any{"subnetIDs": ids, "subnets": byName}
}

func subnets(p map[string]any) []map[string]any {
	list, _ := p["subnets"].([]any)
	out := make([]map[string]any, 0, len(list))
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
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
