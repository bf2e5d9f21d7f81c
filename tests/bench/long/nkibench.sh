#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nkibench.sh - all of NKIBench with both baselines, as a page of Markdown.
#
# Takes half an hour.  BENCH_REPO=FOLDER keeps the repository there and goes on
# with it; BENCH_OPTIONS are more options of `git accelopt bench`, such as
# "--tasks silu,bmm".
set -eu
source_tree=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=tests/lib-bench.sh
. "$source_tree/tests/lib-bench.sh"

git accelopt init --suite nkibench >/dev/null 2>&1
# shellcheck disable=SC2086
git accelopt bench --suite nkibench --resume ${BENCH_OPTIONS-}
