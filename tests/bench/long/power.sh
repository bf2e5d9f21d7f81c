#!/bin/sh
# SPDX-License-Identifier: MIT
#
# power.sh [TIMES] - is a true difference of 5 % found, and how soon?
#
# So many timings (100) of a product against one that does a twentieth of its
# rows twice, with at most 60 units.  Fails if more than 5 % do not say faster,
# or if the median takes more than 20 units: on a machine that does nothing
# else.
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure power "${1:-100}"
must "true differences of 5 % missed, of ${1:-100}" "$(awk '
	{ bad += $1 != "faster" || $2 > 60 }
	END { printf "%.2f", 100 * bad / NR }' "$results")" % 5
must 'units until then, in the median' "$(median 2)" '' 20
exit $bad
