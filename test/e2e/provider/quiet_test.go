package provider

import (
	"context"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

func TestQuietWritesOnlyWhatChanges(t *testing.T) {
	s := runtime.NewScheme()
	if err := AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	writes := 0
	inner := fake.NewClientBuilder().WithScheme(s).WithObjects(newDB()).WithStatusSubresource(newDB()).
		WithInterceptorFuncs(interceptor.Funcs{
			SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, o client.Object, opts ...client.SubResourceUpdateOption) error {
				writes++
				return c.SubResource(sub).Update(ctx, o, opts...)
			},
		}).Build()
	c := quietClient{Client: inner}
	for i, condition := range []xpv2.Condition{xpv2.Creating(), xpv2.Creating(), xpv2.Available(), xpv2.Available()} {
		db := newDB()
		if err := c.Get(t.Context(), client.ObjectKeyFromObject(db), db); err != nil {
			t.Fatal(err)
		}
		db.SetConditions(condition)
		if err := c.Status().Update(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if want := i/2 + 1; writes != want {
			t.Errorf("%d writes after %d statuses, want %d", writes, i+1, want)
		}
	}
}

func TestInterval(t *testing.T) {
	o := Options{PollInterval: time.Minute}.withDefaults()
	db := newDB()
	if got := o.interval(db, o.PollInterval); got != o.PendingInterval {
		t.Errorf("before it is ready: %s", got)
	}
	db.SetConditions(xpv2.Available())
	if got := o.interval(db, o.PollInterval); got != time.Minute {
		t.Errorf("once it is ready: %s", got)
	}
}
