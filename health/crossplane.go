package health

import "github.com/function-patchwork/function-patchwork/patch/fieldpath"

var pathClaimNames = fieldpath.Fields("spec", "claimNames")

func definition(o *object) Health {
	established := o.isTrue(o.condition("Established"))
	if o.get(pathClaimNames) == nil {
		return established
	}
	return first(established, o.isTrue(o.condition("Offered")))
}

func providerConfig(o *object) Health {
	if c := o.condition("Ready"); c.status != "" {
		return o.isTrue(c)
	}
	return healthy
}
