package cloud

func checkMachine(c *Cloud, p map[string]any) error {
	if err := checkRegion(p); err != nil {
		return err
	}
	if p["networkID"] == nil {
		return refuse(InvalidParameter, "networkID is required")
	}
	return checkNetworkOf(c, p)
}

func changeMachine(old, next map[string]any) error {
	return unchanged(old, next, "region", "networkID")
}

func provisionMachine(r *resource) {
	region, _ := r.properties["region"].(string)
	r.outputs = map[string]any{"address": r.id + "." + region + ".vm.example.org"}
}
