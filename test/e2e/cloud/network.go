package cloud

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
