#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench_gains.sh [TASK...] - what the embedded agent makes of NKIBench's tasks.
#
# Evolves each task in a repository of its own with 60 evaluations and prints
# the gain of the winner over the author's baseline, as both are timed against
# each other in the end, and what a search costs.  Fails if the geometric mean
# is below 3.
set -eu
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/lib-bench.sh
. "$source_tree/tests/lib-bench.sh"
evaluations=60
least=3

if test $# = 0
then
	set -- matmul silu bmm_softmax rope_single_freq_apply rmsnorm_matmul
fi
git accelopt init --suite nkibench "$@" >/dev/null

# The winner's line of JSON becomes one of the table.
row() {
	git accelopt log --best --json "$1" | head -n 1 | tr ',{}' '\n' |
		awk -F: -v task="$1" -v wall="$2" '
			{ of[$1] = $2 }
			END {
				gain = of["\"gain_baseline\""]
				printf "%-24s %8s  %-16s %9.1f %5d s\n", task,
					sprintf("x%.2f", gain),
					sprintf("[%.2f..%.2f]",
						of["\"gain_baseline_low\""],
						of["\"gain_baseline_high\""]),
					of["\"percent_of_peak\""], wall
				print gain >>"gains"
			}'
}

printf '%-24s %8s  %-16s %9s %7s\n' task gain 95%-interval '% of peak' wall
for task
do
	start=$(date +%s)
	git accelopt evolve "$task" --max-evals $evaluations --seed 1 --quiet \
		>/dev/null
	row "$task" $(($(date +%s) - start))
done
awk -v least=$least '
	{ sum += log($1); n++ }
	END {
		mean = exp(sum / n)
		printf "%-24s %8s  (must be x%s or more)\n", "geometric mean",
			sprintf("x%.2f", mean), least
		exit mean < least
	}
' gains
