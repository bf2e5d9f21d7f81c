#!/bin/sh
# SPDX-License-Identifier: MIT
#
# flood.sh [TIMES] - what of 2 GB that are printed stays in the judge's memory?
#
# The growth of its peak while a kernel writes 2 GB, and while a compiler does;
# the most of so many (5).
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure flood "${1:-5}"
must 'growth while a kernel prints 2 GB' "$(most 1)" KiB 1024
must 'growth while a compiler prints 2 GB' "$(most 2)" KiB 1024
exit $bad
