// Package favourite has what the cluster-scoped and the namespaced kinds of the
// favourite provider have in common.
//
// +kubebuilder:object:generate=true
package favourite

// DBInstanceParameters are what a database shall be like.
type DBInstanceParameters struct {
	// Region that the database is in. It cannot be changed.
	Region string `json:"region"`

	// Engine of the database. It cannot be changed.
	// +kubebuilder:validation:Enum=postgres;mysql
	// +optional
	Engine *string `json:"engine,omitempty"`

	// EngineVersion is the newest by default.
	// +optional
	EngineVersion *string `json:"engineVersion,omitempty"`

	// Class of the machine.
	// +kubebuilder:validation:Enum=small;medium;large;xlarge
	// +optional
	Class *string `json:"class,omitempty"`

	// StorageGB is the size of the storage. It cannot shrink.
	// +kubebuilder:validation:Minimum=10
	// +optional
	StorageGB *int64 `json:"storageGB,omitempty"`

	// NetworkID is the id of the network that the database is in. It cannot be changed.
	// +optional
	NetworkID *string `json:"networkID,omitempty"`

	// BackupWindow is chosen by the cloud unless it is set.
	// +optional
	BackupWindow *string `json:"backupWindow,omitempty"`

	// Tags of the database.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`

	// PubliclyAccessible makes the database have a public address.
	// +optional
	PubliclyAccessible *bool `json:"publiclyAccessible,omitempty"`

	// Parameters of the engine.
	// +listType=map
	// +listMapKey=name
	// +optional
	Parameters []Parameter `json:"parameters,omitempty"`
}

// DBInstanceInitParameters are what a database is created like, where
// forProvider does not say it. Later they mean nothing.
type DBInstanceInitParameters struct {
	// Region that the database is in.
	// +optional
	Region *string `json:"region,omitempty"`

	// Engine of the database.
	// +kubebuilder:validation:Enum=postgres;mysql
	// +optional
	Engine *string `json:"engine,omitempty"`

	// EngineVersion is the newest by default.
	// +optional
	EngineVersion *string `json:"engineVersion,omitempty"`

	// Class of the machine.
	// +kubebuilder:validation:Enum=small;medium;large;xlarge
	// +optional
	Class *string `json:"class,omitempty"`

	// StorageGB is the size of the storage.
	// +kubebuilder:validation:Minimum=10
	// +optional
	StorageGB *int64 `json:"storageGB,omitempty"`

	// NetworkID is the id of the network that the database is in.
	// +optional
	NetworkID *string `json:"networkID,omitempty"`

	// BackupWindow is chosen by the cloud unless it is set.
	// +optional
	BackupWindow *string `json:"backupWindow,omitempty"`

	// Tags of the database.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`

	// PubliclyAccessible makes the database have a public address.
	// +optional
	PubliclyAccessible *bool `json:"publiclyAccessible,omitempty"`

	// Parameters of the engine.
	// +listType=map
	// +listMapKey=name
	// +optional
	Parameters []Parameter `json:"parameters,omitempty"`
}

// A Parameter of a database's engine.
type Parameter struct {
	// Name of the parameter.
	Name string `json:"name"`

	// Value of the parameter.
	Value string `json:"value"`
}

// DBInstanceObservation is what a database is like.
type DBInstanceObservation struct {
	// ID that the cloud knows the database by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`

	// Endpoint is the address of the database, once it is available.
	// +optional
	Endpoint *string `json:"endpoint,omitempty"`

	// Port of the database, once it is available.
	// +optional
	Port *int64 `json:"port,omitempty"`

	// StorageGB is the size of the storage.
	// +optional
	StorageGB *int64 `json:"storageGB,omitempty"`

	// Class of the machine.
	// +optional
	Class *string `json:"class,omitempty"`
}
