#!/bin/sh
# SPDX-License-Identifier: MIT
#
# aa_pairs.sh [PAIRS] - how often is a kernel called different from itself?
#
# So many timings (300) of one object against itself, samples of 6 ms.  Fails if
# more than one in a hundred say faster or slower.
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure aa_pairs "${1:-300}"
must "A/A pairs called different, of ${1:-300}" "$(awk '
	{ bad += $1 == "faster" || $1 == "slower" }
	END { printf "%.2f", 100 * bad / NR }' "$results")" % 1
printf 'median %s units\n' "$(median 2)"
exit $bad
