#!/bin/sh
# SPDX-License-Identifier: MIT
#
# isolation.sh [TIMES] - what does shutting up compiler and kernels take?
#
# The wall time of a caged compiler and linker and of ten workers, each with a
# warden of its own, beyond that of starting as many programs; the median of so
# many (21), on a machine that does nothing else.
set -eu
here=$(dirname "$0")
# shellcheck source=tests/bench/long/rows
. "$here/rows"
measure isolation "${1:-21}"
must 'isolation of compiler and ten workers' "$(median 1)" ms 60
printf 'of compiler and linker %s ms, of ten workers %s ms\n' "$(median 2)" \
	"$(median 3)"
exit $bad
