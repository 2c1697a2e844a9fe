package health

import "github.com/function-patchwork/function-patchwork/patch/fieldpath"

var (
	pathServiceType = fieldpath.Fields("spec", "type")
	pathAddresses   = fieldpath.Fields("status", "loadBalancer", "ingress")
	pathParents     = fieldpath.Fields("status", "parents")
)

func service(o *object) Health {
	if o.text(pathServiceType) != "LoadBalancer" {
		return healthy
	}
	return balanced(o)
}

// balanced is the rule of what is healthy when a load balancer has an address.
func balanced(o *object) Health {
	if len(o.list(pathAddresses)) == 0 {
		return not("its load balancer has no address yet")
	}
	return healthy
}

// route is healthy when all gateways that it belongs to have taken it.
func route(o *object) Health {
	parents := o.list(pathParents)
	if len(parents) == 0 {
		return not("no gateway has accepted it yet")
	}
	for _, v := range parents {
		parent, _ := v.(map[string]any)
		conditions, _ := parent["conditions"].([]any)
		for _, typ := range []string{"Accepted", "ResolvedRefs"} {
			if h := o.isTrue(conditionOf(conditions, typ)); !h.Healthy {
				return h
			}
		}
	}
	return healthy
}
