#!/bin/sh
# SPDX-License-Identifier: MIT
# Tasks whose axes are parameters: one build serves all cases.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# generic_task <name> <parameters> <case>...: a task of the suite with its axes
# as parameters; a case is its extents, the first one is the main one.
generic_task () {
	from=$source_tree/nkibench/tasks/$1 name=$1 parameters=$2
	shift 2
	mkdir -p "tasks/$name" &&
	{
		sed '/"cases"/,$d; /"practitioner"/d
			s/^  "target".*/&\n  "shapes": "generic",/' \
			"$from/task.json" &&
		printf '"cases": [ { "name": "main", "axes": { %s } }' "$1" &&
		shift &&
		for extents
		do
			printf ',\n{ "name": "%s", "weight": 0, "axes": { %s } }' \
				"$(echo "$extents" | tr -d '":, ')" "$extents"
		done &&
		echo ' ] }'
	} >"tasks/$name/task.json" || return 1
	for file in kernel reference
	do
		sed "1s/\$/\n#include <stddef.h>/
			s/int \([a-z]\) =/size_t \1 =/
			s/void $file(/&$parameters, /" \
			"$from/$file.c" >"tasks/$name/$file.c" || return 1
	done
}

# search <task> <evaluations>: in the repository of all of them.
search () {
	git -C ../generic accelopt evolve "$1" --max-evals "$2" --seed 1 \
		--quiet
}

# all_right <task>: no candidate was wrong, or did not compile.
all_right () {
	git -C ../generic accelopt log "$1" --json >all &&
	grep -c '"verdict":"PASSED"' all &&
	! grep '"verdict":"[^PD]' all
}

(
	git init -q "$work/generic" && cd "$work/generic" &&
	generic_task matmul 'size_t M, size_t N, size_t K' \
		'"M": 96, "N": 96, "K": 96' '"M": 17, "N": 63, "K": 13' \
		'"M": 5, "N": 130, "K": 1' '"M": 1, "N": 1, "K": 1' &&
	generic_task rmsnorm_matmul 'size_t M, size_t N, size_t K' \
		'"M": 96, "N": 96, "K": 96' '"M": 33, "N": 65, "K": 61' \
		'"M": 1, "N": 40, "K": 3' &&
	generic_task silu 'size_t M, size_t N' \
		'"M": 64, "N": 512' '"M": 33, "N": 63' '"M": 1, "N": 1' &&
	generic_task mamba 'size_t M, size_t C, size_t S' \
		'"M": 128, "C": 16, "S": 16' '"M": 61, "C": 9, "S": 5' \
		'"M": 2, "C": 1, "S": 1030' &&
	git add . && git commit -qm 'Add generic tasks'
) >"$work/setup.log" 2>&1 || sed 's/^/# /' "$work/setup.log"

test_title 'tasks with axes as parameters are sound'
test_ok '
	git -C ../generic accelopt task check matmul rmsnorm_matmul silu mamba
'

test_title 'a product of run-time extents is tiled, and gains by it'
test_ok '
	search matmul 2 && all_right matmul && gains_in ../generic matmul 1.5
'

test_title 'so is one with a normalisation before it'
test_ok '
	search rmsnorm_matmul 2 && all_right rmsnorm_matmul &&
	gains_in ../generic rmsnorm_matmul 1.5
'

test_title 'exponentials are vectorised for any length of rows'
test_ok '
	search silu 1 && all_right silu && gains_in ../generic silu 1.5
'

test_title 'states of a recurrence are vectorised, and too many stay as they are'
test_ok '
	search mamba 2 && all_right mamba && gains_in ../generic mamba 1.5 &&
	git -C ../generic show \
		"$(sed "1s/.*\"commit\":\"\([0-9a-f]*\)\".*/\1/" best)" |
	grep "KEPT_STATES"
'

test_done
