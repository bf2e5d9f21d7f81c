#!/bin/sh
# SPDX-License-Identifier: MIT
#
# screen.sh [TIMES] - how long until a candidate is known to be no gain?
#
# The wall time from a kernel's text to the decision, for calls of some 5 ms: of
# one that is 10 % slower, in screening, and of a tie that is to be confirmed;
# the median of so many (21), on a machine that does nothing else.
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure screen "${1:-21}"
must 'to screen a candidate that is 10 % slower' "$(median 1)" ms 1000
must 'to decide a tie' "$(median 4)" ms 5000
printf 'in %s and %s units; called faster: %s\n' "$(median 3)" "$(median 6)" \
	"$(awk '{ n += ($2 == "faster") + ($5 == "faster") } END { print n }' \
		"$results")"
exit $bad
