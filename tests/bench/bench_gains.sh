#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench_gains.sh [TASK...] - what the embedded agent makes of NKIBench's tasks.
#
# Searches each task in 60 evaluations and prints the page that compares what
# won with both baselines.  Fails if the geometric mean over the author's is
# below 3.  tests/bench/long/nkibench.sh takes all tasks.
set -eu
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/lib-bench.sh
. "$source_tree/tests/lib-bench.sh"
least=3

if test $# = 0
then
	set -- matmul silu bmm_softmax rope_single_freq_apply rmsnorm_matmul
fi
git accelopt init --suite nkibench "$@" >/dev/null
tasks=$(echo "$*" | tr ' ' ,)
git accelopt bench --suite nkibench --tasks "$tasks" --max-evals 60 --seed 1 \
	--quiet --output page.md
cat page.md
gain=$(sed -n 's/^Geometric means.*: x\([0-9.]*\) over the author.*/\1/p' page.md)
echo "x$gain over the author's baselines; it must be x$least or more"
awk -v gain="$gain" -v least=$least 'BEGIN { exit gain < least }'
