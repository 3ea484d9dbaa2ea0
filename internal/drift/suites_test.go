package drift

import "os"

// suites reports whether the long runs are asked for.
func suites() bool { return os.Getenv("INTERLOCK_SUITES") != "" }
