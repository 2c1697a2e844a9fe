package cloud

import (
	"slices"
	"strconv"
)

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
