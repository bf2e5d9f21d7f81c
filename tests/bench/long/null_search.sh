#!/bin/sh
# SPDX-License-Identifier: MIT
#
# null_search.sh [RUNS [EVALUATIONS]] - is a gain ever found where there is none?
#
# So many searches (20, of 60 evaluations each) whose every candidate is an edit
# that changes nothing, with seeds 1, 2, ...; see null_search.c.  Fails if fewer
# than 19 of 20 end with "no difference".  Takes an hour.  With
# BENCH_NULL=FOLDER repositories and results are kept there, and runs that ended
# before are not run again.
set -eu
source_tree=$(cd "$(dirname "$0")/../../.." && pwd)
runs=${1:-20}
evaluations=${2:-60}

if test "${BENCH_NULL-}"
then
	mkdir -p "$BENCH_NULL"
	work=$(cd "$BENCH_NULL" && pwd)
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM HUP
fi

# A fresh repository: nothing is known from the run before.
make_repo() {
	rm -rf "$1"
	git init -q "$1"
	mkdir -p "$1/tasks"
	cp -r "$source_tree/tests/bench/long/null" "$1/tasks/null"
	git -C "$1" config user.name bench
	git -C "$1" config user.email bench@localhost
	# Nothing writes there any more once it is to be removed.
	git -C "$1" config gc.autoDetach false
	git -C "$1" add .
	git -C "$1" commit -q -m 'tasks: add null'
}

rm -f "$work/all.new" # of one that was interrupted
run=1
while test "$run" -le "$runs"
do
	result=$work/$run.$evaluations.txt
	if ! test -s "$result"
	then
		make_repo "$work/$run"
		(cd "$work/$run" &&
			"$BUILD/bench/long/null_search" "$run" "$evaluations") \
			>"$result.new"
		mv "$result.new" "$result"
	fi
	printf 'seed %2d: ' "$run"
	cat "$result"
	cat "$result" >>"$work/all.new"
	run=$((run + 1))
done
awk '
	{ same += $1 == "same"; seconds += $NF }
	END {
		printf "%d of %d say \"no difference\"; %.0f s each\n", same,
			NR, seconds / NR
		exit same * 20 < NR * 19
	}
' "$work/all.new" && status=0 || status=$?
rm -f "$work/all.new"
exit "$status"
