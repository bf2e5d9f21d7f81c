#!/bin/sh
# SPDX-License-Identifier: MIT
#
# shapes.sh - a matrix product at twelve shapes against OpenBLAS.
#
# A user who cares for one shape makes it the main case of a task; so does this:
# a task for each shape, all searched in one repository, so that later searches
# learn from earlier ones.  BENCH_REPO and BENCH_OPTIONS as for nkibench.sh.
set -eu
source_tree=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=tests/lib-bench.sh
. "$source_tree/tests/lib-bench.sh"

# "1 1024 1024" is a task matmul_1x1024x1024: M, N, K.
add_task() {
	folder=tasks/matmul_$1x$2x$3
	mkdir -p "$folder"
	cp "$source_tree"/nkibench/tasks/matmul/*.c "$folder"
	awk -v name="matmul_$1x$2x$3" -v m="$1" -v n="$2" -v k="$3" '
		/"name": "matmul"/ { sub(/matmul/, name) }
		/"on_request"/ || /"name": "M=/ { next }
		/"name": "main"/ {
			sub(/{ "M".*K": 512 }/,
				"{ \"M\": " m ", \"N\": " n ", \"K\": " k " }")
		}
		/"name": "odd"/ { sub(/,$/, "") }
		{ print }
	' "$source_tree/nkibench/tasks/matmul/task.json" >"$folder/task.json"
}

if ! test -d tasks
then
	for rows in 1 8 16 64
	do
		add_task $rows 1024 1024
	done
	for extent in 256 512 1024 2048
	do
		add_task $extent $extent $extent
	done
	add_task 511 513 517
	add_task 16 4096 2048
	add_task 2048 64 2048
	add_task 512 512 4096
	git add tasks
	git commit -q -m 'tasks: add a product at twelve shapes'
fi
# shellcheck disable=SC2086
git accelopt bench --resume ${BENCH_OPTIONS-}
