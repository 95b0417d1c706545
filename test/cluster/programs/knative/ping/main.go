// Knative's ping adapter as a plain process: as its own main, but without the health probes, whose port the event source's adapter has already.
package main

import (
	"knative.dev/eventing/pkg/adapter/mtping"
	"knative.dev/eventing/pkg/adapter/v2"
	"knative.dev/eventing/pkg/auth"
	"knative.dev/eventing/pkg/eventingtls"
	filteredFactory "knative.dev/pkg/client/injection/kube/informers/factory/filtered"
	"knative.dev/pkg/signals"
)

func main() {
	ctx := adapter.WithHealthProbesDisabled(signals.NewContext())
	ctx = adapter.WithController(ctx, mtping.NewController)
	ctx = filteredFactory.WithSelectors(ctx, auth.OIDCLabelSelector, eventingtls.TrustBundleLabelSelector)
	adapter.MainWithContext(ctx, "pingsource-mt-adapter", mtping.NewEnvConfig, mtping.NewAdapter)
}
