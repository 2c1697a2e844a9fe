package favourite

// NetworkParameters are what a network shall be like.
type NetworkParameters struct {
	// Region that the network is in. It cannot be changed.
	Region string `json:"region"`

	// CIDRBlock is the range of the network's addresses. It cannot be changed.
	// +kubebuilder:validation:Pattern=`^([0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$`
	CIDRBlock string `json:"cidrBlock"`

	// Subnets of the network.
	// +listType=map
	// +listMapKey=name
	// +optional
	Subnets []Subnet `json:"subnets,omitempty"`

	// Tags of the network.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`
}

// NetworkInitParameters are what a network is created like, where forProvider
// does not say it. Later they mean nothing.
type NetworkInitParameters struct {
	// Region that the network is in.
	// +optional
	Region *string `json:"region,omitempty"`

	// CIDRBlock is the range of the network's addresses.
	// +kubebuilder:validation:Pattern=`^([0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$`
	// +optional
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// Subnets of the network.
	// +listType=map
	// +listMapKey=name
	// +optional
	Subnets []Subnet `json:"subnets,omitempty"`

	// Tags of the network.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`
}

// A Subnet is part of a network.
type Subnet struct {
	// Name of the subnet.
	Name string `json:"name"`

	// CIDRBlock is the range of the subnet's addresses, part of the network's.
	// +kubebuilder:validation:Pattern=`^([0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$`
	CIDRBlock string `json:"cidrBlock"`

	// Zone of the region that the subnet is in.
	// +optional
	Zone *string `json:"zone,omitempty"`
}

// NetworkObservation is what a network is like.
type NetworkObservation struct {
	// ID that the cloud knows the network by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`

	// CIDRBlock is the range of the network's addresses.
	// +optional
	CIDRBlock *string `json:"cidrBlock,omitempty"`

	// SubnetIDs are the ids of the subnets, in their order, once the network is available.
	// +optional
	SubnetIDs []string `json:"subnetIDs,omitempty"`
}
