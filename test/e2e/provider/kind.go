package provider

import (
	"strconv"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
	cluster "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/cluster/v1alpha1"
	namespaced "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/namespaced/v1alpha1"
	rival "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/rival/v1alpha1"
)

// An Object is a managed resource of this provider.
type Object interface {
	resource.Managed

	// Parts returns pointers to spec.forProvider, spec.initProvider and
	// status.atProvider.
	Parts() (forProvider, initProvider, atProvider any)
}

// values are JSON-like values by name: the properties of the cloud's resources,
// or the fields of part of a managed resource.
type values = map[string]any

// A kind of managed resources is an adapter of them to a kind of the cloud.
type kind struct {
	cloud cloud.Kind

	// object returns an empty managed resource.
	object func() Object

	// properties makes the cloud's properties of forProvider's fields.
	properties func(values) (values, error)

	// fields makes fields of forProvider and atProvider of the cloud's.
	fields func(values) values

	// late has the fields of forProvider that the cloud's choice is written to
	// where they are not set.
	late []string
}

var lateDatabase = []string{"engineVersion", "class", "backupWindow"}

// kinds returns the adapters of all kinds.
func kinds() []kind {
	return []kind{
		sameNames(cloud.Database, func() Object { return &cluster.FavouriteDBInstance{} }, lateDatabase...),
		sameNames(cloud.Network, func() Object { return &cluster.FavouriteNetwork{} }),
		sameNames(cloud.Database, func() Object { return &namespaced.FavouriteDBInstance{} }, lateDatabase...),
		sameNames(cloud.Network, func() Object { return &namespaced.FavouriteNetwork{} }),
		sameNames(cloud.Subnet, func() Object { return &namespaced.FavouriteSubnet{} }, "zone"),
		sameNames(cloud.Route, func() Object { return &namespaced.FavouriteRoute{} }),
		sameNames(cloud.Machine, func() Object { return &namespaced.FavouriteMachine{} }),
		{
			cloud:      cloud.Database,
			object:     func() Object { return &rival.RivalDatabase{} },
			properties: rivalProperties,
			fields:     rivalFields,
		},
	}
}

// sameNames adapts a kind whose fields are named as the cloud names them.
func sameNames(k cloud.Kind, object func() Object, late ...string) kind {
	return kind{
		cloud:      k,
		object:     object,
		properties: func(v values) (values, error) { return v, nil },
		fields:     func(v values) values { return v },
		late:       late,
	}
}

const gibibytes = "Gi"

var (
	rivalNames   = map[string]string{"location": "region", "labels": "tags", "flavour": "engine"}
	rivalEngines = map[string]string{"PostgreSQL": "postgres", "MySQL": "mysql"}
)

func rivalProperties(v values) (values, error) {
	out := values{}
	for theirs, ours := range rivalNames {
		if value, ok := v[theirs]; ok {
			out[ours] = value
		}
	}
	if flavour, ok := v["flavour"].(string); ok {
		out["engine"] = rivalEngines[flavour]
	}
	if size, ok := v["diskSize"].(string); ok {
		n, err := strconv.ParseInt(strings.TrimSuffix(size, gibibytes), 10, 64)
		if err != nil {
			return nil, err
		}
		out["storageGB"] = n
	}
	return out, nil
}

func rivalFields(v values) values {
	out := values{"id": v["id"], "state": v["state"]}
	if size, ok := v["storageGB"].(int64); ok {
		out["diskSize"] = strconv.FormatInt(size, 10) + gibibytes
	}
	endpoint, _ := v["endpoint"].(string)
	if port, ok := v["port"].(int64); ok {
		out["address"] = endpoint + ":" + strconv.FormatInt(port, 10)
	}
	return out
}
