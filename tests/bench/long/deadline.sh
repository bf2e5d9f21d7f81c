#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deadline.sh [TIMES] - how late is what ignores its limit of 2 s?
#
# Kernels that never return, one of which forks and blocks signals, and a
# compiler that does all of it; the most of so many (5), and what is left
# running.
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure deadline "${1:-5}"
must 'a kernel that never returns' "$(most 1)" ms 2400
must 'one that forks and blocks signals' "$(most 2)" ms 2400
must 'a compiler that does' "$(most 3)" ms 2400
must 'processes left' "$(most 4)" '' 0
exit $bad
