package main

import "net"

// listenPrivate listens on a socket in the user's own folder, whose access list
// guards it.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }
