#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plan_gains.sh - measure the table that test_learning replays searches on.
#
# Takes half an hour.  With BENCH_GAINS=FILE the table is kept there, and gone
# on with if it has some of the tasks already; tests/data/plan-gains.tsv was
# made so.  At the end come the searches on it.
set -eu
cd "$(dirname "$0")/../../.."
if test "${BENCH_GAINS-}"
then
	table=$BENCH_GAINS
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM HUP
	table=$work/plan-gains.tsv
fi
"$BUILD/bench/long/plan_gains" "$table" nkibench/tasks/*
GAINS_TABLE=$table "$BUILD/unit/test_learning"
