package main
var buildDir = ""
