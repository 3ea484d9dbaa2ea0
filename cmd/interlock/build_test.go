package main

var buildDir = ""
