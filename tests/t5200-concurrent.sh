#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve: several searches at once

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

test_title 'runs in one repository do not disturb each other'
test_ok '
	product_repo r && cd r && product_task other && git add . && git commit -qm other &&
	{ git-accelopt evolve tiny --max-evals 5 & } && a=$! &&
	{ git-accelopt evolve tiny --max-evals 5 --seed 2 & } && b=$! &&
	{ git-accelopt evolve other --max-evals 5 & } && c=$! &&
	wait $a && wait $b && wait $c &&
	test "$(git for-each-ref "refs/heads/accelopt/*/*/all" | wc -l)" = 3 &&
	git accelopt log tiny --json >tiny.log &&
	git accelopt log other --json >other.log &&
	test "$(wc -l <tiny.log)" -ge 10 && test "$(wc -l <other.log)" -ge 5 &&
	! grep "\"verdict\":null" tiny.log other.log &&
	git fsck --strict --no-dangling
'

test_title 'searches in two repositories take turns at timing'
test_ok '
	product_repo a && cp -r a b &&
	{ ( cd a && exec git-accelopt evolve tiny --max-evals 4 ) & } && a=$! &&
	{ ( cd b && exec git-accelopt evolve tiny --max-evals 4 ) & } && b=$! &&
	wait $a && wait $b &&
	( cd a && test "$(attempts | wc -l)" -ge 4 ) &&
	( cd b && test "$(attempts | wc -l)" -ge 4 )
'

test_done
