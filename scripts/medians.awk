# Reads go test -bench output of several runs and prints the median of every
# measure of each benchmark; other lines pass through.

/^Benchmark/ {
	if (!($1 in seen)) { seen[$1] = 1; order[++names] = $1 }
	for (i = 3; i < NF; i += 2) {
		unit = $(i + 1)
		if (!(($1, unit) in n)) units[$1] = units[$1] (units[$1] == "" ? "" : " ") unit
		value[$1, unit, ++n[$1, unit]] = $i
	}
	next
}
/^PASS$/ { next }
/^ok / { flush_medians() }
{ print }
END { flush_medians() }

function flush_medians(   i, j, count, list) {
	for (i = 1; i <= names; i++) {
		printf "%-56s", order[i]
		count = split(units[order[i]], list, " ")
		for (j = 1; j <= count; j++) printf "  %12.4g %s", median(order[i], list[j]), list[j]
		print ""
	}
	split("", seen); split("", units); split("", n); split("", value)
	names = 0
}

function median(name, unit,   i, j, count, tmp, sorted) {
	count = n[name, unit]
	for (i = 1; i <= count; i++) sorted[i] = value[name, unit, i] + 0
	for (i = 2; i <= count; i++)
		for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) { tmp = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = tmp }
	return count % 2 ? sorted[(count + 1) / 2] : (sorted[count / 2] + sorted[count / 2 + 1]) / 2
}
