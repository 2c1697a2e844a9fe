package cloud

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

// clock is a clock that tests turn.
type clock struct{ now time.Time }

func (c *clock) time() time.Time         { return c.now }
func (c *clock) advance(d time.Duration) { c.now = c.now.Add(d) }

func newTest(o Options) (*Cloud, *clock) {
	at := &clock{now: time.Unix(1_700_000_000, 0)}
	o.Clock = at.time
	return New(o), at
}

func database(extra map[string]any) Request {
	p := map[string]any{"region": "eu", "engine": "postgres", "storageGB": 20}
	for k, v := range extra {
		p[k] = v
	}
	return Request{Kind: Database, Owner: Owner{Namespace: "team", Name: "db"}, Properties: p}
}

func network() Request {
	return Request{Kind: Network, Owner: Owner{Name: "net"}, Properties: map[string]any{
		"region": "eu", "cidrBlock": "10.0.0.0/16",
		"subnets": []map[string]any{{"name": "a", "cidrBlock": "10.0.1.0/24"}, {"name": "b", "cidrBlock": "10.0.2.0/24"}},
	}}
}

func mustCreate(t *testing.T, c *Cloud, r Request) Resource {
	t.Helper()
	res, err := c.Create(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestEverythingTakesItsTime(t *testing.T) {
	c, at := newTest(Options{CreateTime: 3 * time.Second, UpdateTime: 2 * time.Second, DeleteTime: time.Second})
	res := mustCreate(t, c, database(nil))
	if res.State != Creating || res.Outputs != nil || res.Connection != nil {
		t.Errorf("after creation: %+v", res)
	}
	if err := c.Update(Database, res.ID, map[string]any{"class": "large"}); !Is(err, InvalidState) {
		t.Errorf("update while creating: %v", err)
	}
	step := func(d time.Duration, want State) {
		t.Helper()
		at.advance(d)
		if got, err := c.Describe(Database, res.ID); err != nil || got.State != want {
			t.Errorf("state %q, error %v; want %q", got.State, err, want)
		}
	}
	step(2*time.Second, Creating)
	step(time.Second, Available)
	if err := c.Update(Database, res.ID, map[string]any{"class": "large"}); err != nil {
		t.Fatal(err)
	}
	step(0, Updating)
	step(2*time.Second, Available)
	for range 2 {
		if err := c.Delete(Database, res.ID); err != nil {
			t.Fatal(err)
		}
	}
	step(0, Deleting)
	at.advance(time.Second)
	if _, err := c.Describe(Database, res.ID); !Is(err, NotFound) {
		t.Errorf("after deletion: %v", err)
	}
	if n := len(c.Deleted(Filter{})); n != 1 {
		t.Errorf("%d deletions in the journal, want 1", n)
	}
}

func TestDatabase(t *testing.T) {
	c, _ := newTest(Options{})
	res := mustCreate(t, c, database(nil))
	want := map[string]any{
		"region": "eu", "engine": "postgres", "storageGB": int64(20), "engineVersion": "18",
		"class": "small", "backupWindow": "03:00-04:00", "publiclyAccessible": false,
	}
	if !reflect.DeepEqual(res.Properties, want) {
		t.Errorf("properties %v, want %v", res.Properties, want)
	}
	endpoint := res.ID + ".eu.db.example.org"
	if res.Outputs["endpoint"] != endpoint || res.Outputs["port"] != int64(5432) {
		t.Errorf("outputs %v", res.Outputs)
	}
	if res.Connection["endpoint"] != endpoint || res.Connection["port"] != "5432" ||
		res.Connection["username"] == "" || res.Connection["password"] == "" {
		t.Errorf("connection %v", res.Connection)
	}
	if err := c.Update(Database, res.ID, map[string]any{"storageGB": 30}); err != nil {
		t.Fatal(err)
	}
	after, _ := c.Get(res.ID)
	if after.Properties["storageGB"] != int64(30) || !reflect.DeepEqual(after.Connection, res.Connection) {
		t.Errorf("after update: %+v", after)
	}
}

func TestNetworkKeepsSubnets(t *testing.T) {
	c, _ := newTest(Options{})
	res := mustCreate(t, c, network())
	before, _ := res.Outputs["subnetIDs"].([]any)
	if len(before) != 2 {
		t.Fatalf("subnets %v", before)
	}
	err := c.Update(Network, res.ID, map[string]any{"subnets": []map[string]any{
		{"name": "c", "cidrBlock": "10.0.3.0/24"}, {"name": "b", "cidrBlock": "10.0.2.0/24"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := c.Get(res.ID)
	after, _ := got.Outputs["subnetIDs"].([]any)
	if len(after) != 2 || after[1] != before[1] || after[0] == before[0] {
		t.Errorf("subnets %v, before %v", after, before)
	}
}

func TestRefuses(t *testing.T) {
	c, _ := newTest(Options{})
	net := mustCreate(t, c, network())
	db := mustCreate(t, c, database(map[string]any{"networkID": net.ID}))
	change := func(k Kind, id, property string, value any) func() error {
		return func() error { return c.Update(k, id, map[string]any{property: value}) }
	}
	create := func(r Request) func() error {
		return func() error { _, err := c.Create(r); return err }
	}
	withID := database(nil)
	withID.ID = db.ID
	cases := map[string]struct {
		call func() error
		code Code
	}{
		"NoRegion":          {create(database(map[string]any{"region": ""})), InvalidParameter},
		"NoSuchEngine":      {create(database(map[string]any{"engine": "paper"})), InvalidParameter},
		"NoSuchClass":       {create(database(map[string]any{"class": "first"})), InvalidParameter},
		"LittleStorage":     {create(database(map[string]any{"storageGB": 9})), InvalidParameter},
		"NoSuchNetwork":     {create(database(map[string]any{"networkID": "net-0"})), InvalidParameter},
		"NetworkElsewhere":  {create(database(map[string]any{"networkID": net.ID, "region": "us"})), InvalidParameter},
		"NoSuchKind":        {create(Request{Kind: "moon"}), InvalidParameter},
		"SameID":            {create(withID), AlreadyExists},
		"NoBlock":           {create(Request{Kind: Network, Properties: map[string]any{"region": "eu"}}), InvalidParameter},
		"SubnetOutside":     {change(Network, net.ID, "subnets", []map[string]any{{"name": "a", "cidrBlock": "10.1.0.0/24"}}), InvalidParameter},
		"OtherBlock":        {change(Network, net.ID, "cidrBlock", "10.2.0.0/16"), InvalidParameter},
		"ShrinkingStorage":  {change(Database, db.ID, "storageGB", 19), InvalidParameter},
		"OtherEngine":       {change(Database, db.ID, "engine", "mysql"), InvalidParameter},
		"OtherRegion":       {change(Database, db.ID, "region", "us"), InvalidParameter},
		"UpdateNothing":     {change(Database, "db-0", "class", "large"), NotFound},
		"DeleteNothing":     {func() error { return c.Delete(Database, "db-0") }, NotFound},
		"DeleteOtherKind":   {func() error { return c.Delete(Network, db.ID) }, NotFound},
		"DeleteUsedNetwork": {func() error { return c.Delete(Network, net.ID) }, DependencyViolation},
		"DescribeOtherKind": {func() error { _, err := c.Describe(Network, db.ID); return err }, NotFound},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			mark := c.Mark()
			if err := tc.call(); !Is(err, tc.code) {
				t.Errorf("got %v, want %s", err, tc.code)
			}
			if c.Created(Filter{Since: mark}) != nil || c.Updated(Filter{Since: mark}) != nil || c.Deleted(Filter{Since: mark}) != nil {
				t.Errorf("the journal has a success: %v", c.Events(Filter{Since: mark}))
			}
		})
	}
	if all := c.List(Filter{}); len(all) != 2 {
		t.Errorf("resources %v, want 2", all)
	}
}

func TestWhatIsReturnedIsACopy(t *testing.T) {
	c, _ := newTest(Options{})
	res := mustCreate(t, c, network())
	res.Properties["region"] = "changed"
	subnets(res.Properties)[0]["name"] = "changed"
	res.Outputs["subnetIDs"].([]any)[0] = "changed"
	got, _ := c.Get(res.ID)
	if got.Properties["region"] != "eu" || subnets(got.Properties)[0]["name"] != "a" || got.Outputs["subnetIDs"].([]any)[0] == "changed" {
		t.Errorf("changed from outside: %+v", got)
	}
}

func TestVanishAndDrift(t *testing.T) {
	c, _ := newTest(Options{})
	db := mustCreate(t, c, database(nil))
	if !c.Drift(db.ID, map[string]any{"storageGB": 11}) {
		t.Error("drift found nothing")
	}
	if got, _ := c.Get(db.ID); got.Properties["storageGB"] != int64(11) {
		t.Errorf("properties after drift: %v", got.Properties)
	}
	if !c.Vanish(db.ID) || c.Vanish(db.ID) || c.Drift(db.ID, nil) {
		t.Error("vanished more than once, or not at all")
	}
	if c.Updated(Filter{}) != nil || c.Deleted(Filter{}) != nil {
		t.Errorf("counted as calls: %v", c.Events(Filter{}))
	}
}

func TestErrorsAreWhatTestsInject(t *testing.T) {
	c, _ := newTest(Options{FailEvery: map[Operation]int{Update: 3}})
	broken := errors.New("broken")
	c.FailNext(Create, Filter{Name: "db"}, 1, broken)
	c.FailNext(Describe, Filter{}, 1, nil)
	mustCreate(t, c, network())
	if _, err := c.Create(database(nil)); !errors.Is(err, broken) {
		t.Errorf("first creation: %v", err)
	}
	db := mustCreate(t, c, database(nil))
	if _, err := c.Describe(Database, db.ID); !Is(err, Throttled) {
		t.Errorf("first description: %v", err)
	}
	if _, err := c.Describe(Database, db.ID); err != nil {
		t.Errorf("second description: %v", err)
	}
	for i := range 6 {
		err := c.Update(Database, db.ID, map[string]any{"class": "large"})
		if fails := i%3 == 2; fails != Is(err, Throttled) {
			t.Errorf("update %d: %v", i, err)
		}
	}
	if n := len(c.Failed(Filter{})); n != 4 {
		t.Errorf("%d failures in the journal, want 4", n)
	}
	if n := c.Calls(Update); n != 6 {
		t.Errorf("%d calls, want 6", n)
	}
}

func TestHold(t *testing.T) {
	c, at := newTest(Options{CreateTime: time.Second})
	release := c.Hold(Filter{Kind: Database})
	db, net := mustCreate(t, c, database(nil)), mustCreate(t, c, network())
	at.advance(time.Minute)
	if got, _ := c.Get(net.ID); got.State != Available {
		t.Errorf("network is %s", got.State)
	}
	if got, _ := c.Get(db.ID); got.State != Creating {
		t.Errorf("held database is %s", got.State)
	}
	release()
	release()
	if got, _ := c.Get(db.ID); got.State != Available {
		t.Errorf("released database is %s", got.State)
	}
}

func TestFailsUntilStopped(t *testing.T) {
	c, _ := newTest(Options{})
	db := mustCreate(t, c, database(nil))
	stop := c.Fail(Update, Filter{ID: db.ID}, nil)
	for range 3 {
		if err := c.Update(Database, db.ID, map[string]any{"class": "large"}); !Is(err, Throttled) {
			t.Errorf("update before it is stopped: %v", err)
		}
	}
	stop()
	if err := c.Update(Database, db.ID, map[string]any{"class": "large"}); err != nil {
		t.Errorf("update after it is stopped: %v", err)
	}
}

func TestSubnetsRoutesAndMachines(t *testing.T) {
	c := New(Options{})
	network, err := c.Create(Request{Kind: Network, Properties: map[string]any{"region": "eu", "cidrBlock": "10.0.0.0/16"}})
	if err != nil {
		t.Fatal(err)
	}
	in := func(cidr string) map[string]any {
		return map[string]any{"region": "eu", "networkID": network.ID, "cidrBlock": cidr}
	}
	subnet, err := c.Create(Request{Kind: Subnet, Properties: in("10.0.1.0/24")})
	if err != nil || subnet.Properties["zone"] != "eua" {
		t.Fatalf("%v: %v", subnet.Properties, err)
	}
	for why, r := range map[string]Request{
		"a subnet that is no part of its network": {Kind: Subnet, Properties: in("10.1.0.0/24")},
		"a subnet without a network":              {Kind: Subnet, Properties: map[string]any{"region": "eu", "cidrBlock": "10.0.1.0/24"}},
		"a route out of no subnet":                {Kind: Route, Properties: map[string]any{"region": "eu", "subnetID": network.ID}},
		"a route elsewhere":                       {Kind: Route, Properties: map[string]any{"region": "us", "subnetID": subnet.ID}},
		"a machine without a network":             {Kind: Machine, Properties: map[string]any{"region": "eu"}},
	} {
		if _, err := c.Create(r); !Is(err, InvalidParameter) {
			t.Errorf("%s: %v", why, err)
		}
	}
	for _, r := range []Request{
		{Kind: Route, Properties: map[string]any{"region": "eu", "subnetID": subnet.ID}},
		{Kind: Machine, Properties: map[string]any{"region": "eu", "networkID": network.ID}},
	} {
		if _, err := c.Create(r); err != nil {
			t.Error(err)
		}
	}
	for kind, id := range map[Kind]string{Network: network.ID, Subnet: subnet.ID} {
		if err := c.Delete(kind, id); !Is(err, DependencyViolation) {
			t.Errorf("deleting the %s that is used: %v", kind, err)
		}
	}
	if err := c.Update(Subnet, subnet.ID, map[string]any{"zone": "eub"}); !Is(err, InvalidParameter) {
		t.Errorf("moving the subnet: %v", err)
	}
}
