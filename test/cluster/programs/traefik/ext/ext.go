// Package ext stands in for Traefik's module of extension types, which is not published: the open edition has none.
package ext

// HTTP has no extensions.
type HTTP struct{}

// DeepCopyInto copies nothing, for there is nothing.
func (in *HTTP) DeepCopyInto(out *HTTP) { *out = *in }

// Router has no extensions.
type Router struct{}

// DeepCopyInto copies nothing, for there is nothing.
func (in *Router) DeepCopyInto(out *Router) { *out = *in }
