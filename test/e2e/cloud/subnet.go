package cloud

func fillSubnet(p map[string]any) {
	if _, given := p["zone"]; !given {
		region, _ := p["region"].(string)
		p["zone"] = region + "a"
	}
}

// checkSubnet refuses subnets without a network, or that are not part of it.
func checkSubnet(c *Cloud, p map[string]any) error {
	if err := checkRegion(p); err != nil {
		return err
	}
	id, _ := p["networkID"].(string)
	if id == "" {
		return refuse(InvalidParameter, "networkID is required")
	}
	if err := checkNetworkOf(c, p); err != nil {
		return err
	}
	network, err := c.findKind(Network, id)
	if err != nil {
		return err
	}
	block, err := checkCIDR(network.properties["cidrBlock"])
	if err != nil {
		return err
	}
	part, err := checkCIDR(p["cidrBlock"])
	if err != nil {
		return err
	}
	if part.Bits() < block.Bits() || !block.Contains(part.Addr()) {
		return refuse(InvalidParameter, "%s is not part of %s", part, block)
	}
	return nil
}

func changeSubnet(old, next map[string]any) error {
	return unchanged(old, next, "region", "networkID", "cidrBlock", "zone")
}

// checkRoute refuses routes out of no subnet, or out of one that is elsewhere.
func checkRoute(c *Cloud, p map[string]any) error {
	if err := checkRegion(p); err != nil {
		return err
	}
	id, _ := p["subnetID"].(string)
	subnet, err := c.findKind(Subnet, id)
	if err != nil || subnet.deleting {
		return refuse(InvalidParameter, "there is no subnet %q", id)
	}
	if subnet.properties["region"] != p["region"] {
		return refuse(InvalidParameter, "subnet %q is in region %v", id, subnet.properties["region"])
	}
	return nil
}

func changeRoute(old, next map[string]any) error {
	return unchanged(old, next, "region", "subnetID")
}
