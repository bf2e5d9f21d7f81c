#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve --resume: nothing finished is lost, nothing is done twice

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# no_number_twice: every attempt of the one run here is there once.
no_number_twice () {
	attempts >all && sort -u all | sort -V >unique && cmp all unique
}

# judges_gone <folder>: no process of a search in that folder is left.
judges_gone () {
	for p in /proc/[0-9]*
	do
		test "$(readlink "$p/cwd" 2>/dev/null)" = "$1" || continue
		tr "\0" " " <"$p/cmdline" 2>/dev/null | grep "git-accelopt" &&
			return 1
	done
	return 0
}

test_title 'after kill -9, what was finished is still there and goes on'
test_ok '
	product_repo r && cd r &&
	{ git-accelopt evolve tiny --max-evals 14 & } && pid=$! &&
	wait_for_attempts 3 && kill -9 $pid && { wait $pid || :; } &&
	attempts >before &&
	git fsck --strict --no-dangling &&
	git accelopt evolve tiny --resume --max-evals 14 &&
	attempts >after && test -z "$(comm -23 before after)" &&
	test "$(wc -l <after)" -gt "$(wc -l <before)" &&
	no_number_twice &&
	test "$(git for-each-ref "refs/heads/accelopt/tiny/*/all" | wc -l)" = 1
'

test_title 'after kill -9 at many points, no attempt is lost or doubled'
test_ok '
	# killed_after <until>: what was there before is there after it.
	killed_after () {
		resume=--resume
		test -n "$(git for-each-ref "refs/heads/accelopt/tiny/*/all")" ||
			resume=
		{ git-accelopt evolve tiny $resume --max-evals 30 & } && pid=$! &&
		"$@" && { kill -9 $pid || :; } && { wait $pid || :; } &&
		{ attempts >after || :; } &&
		test -z "$(comm -23 before after)" && cp after before &&
		git fsck --strict --no-dangling
	}
	product_repo r && cd r && : >before &&
	for delay in 0.3 0.7 1.1 1.6 2.3 3.1
	do
		killed_after sleep $delay || return 1
	done &&
	# However slow the machine is, some attempts are there for the last one.
	killed_after wait_for_attempts $(($(wc -l <before) + 2)) &&
	git accelopt evolve tiny --resume --max-evals 12 &&
	attempts >after && test -z "$(comm -23 before after)" && no_number_twice
'

test_title 'Ctrl-C ends cleanly with 130, says how to go on, leaves nobody'
test_ok '
	product_repo r && cd r &&
	{ git-accelopt evolve tiny --max-evals 40 2>err & } && pid=$! &&
	wait_for_attempts 2 && kill -INT $pid &&
	{ wait $pid; status=$?; } ; test $status = 130 &&
	grep -e "--resume" err && judges_gone "$PWD" &&
	attempts >before && no_number_twice && git fsck --strict --no-dangling &&
	git accelopt evolve tiny --resume --max-evals 8 &&
	attempts >after && test -z "$(comm -23 before after)" && no_number_twice
'

test_title 'a run that another process writes is not resumed'
test_ok '
	product_repo r && cd r &&
	{ git-accelopt evolve tiny --max-evals 40 & } && pid=$! &&
	wait_for_attempts 1 &&
	exits 128 git accelopt evolve tiny --resume 2>err ;
	status=$?; kill -INT $pid; wait $pid; test $status = 0 && grep -i "another process" err
'

test_title 'a finished run takes more evaluations with a higher limit'
test_ok '
	product_repo r && cd r &&
	git accelopt evolve tiny --max-evals 3 && attempts >before &&
	git accelopt evolve tiny --resume --max-evals 6 --json >events &&
	tail -n 1 events | grep "\"evals\":6[,}]" &&
	attempts >after && test -z "$(comm -23 before after)" && no_number_twice
'

test_title 'resuming twice does not judge the baseline again'
test_ok '
	product_repo r && cd r &&
	git accelopt evolve tiny --max-evals 2 &&
	git accelopt evolve tiny --resume --max-evals 3 --json >events &&
	! grep "\"event\":\"baseline\"" events
'

test_title 'an unknown run, or a task without one, is named'
test_ok '
	product_repo r && cd r &&
	exits 128 git accelopt evolve tiny --resume 2>err && grep tiny err &&
	git accelopt evolve tiny --max-evals 1 &&
	exits 128 git accelopt evolve tiny --resume=20200101T000000-00000000 2>err &&
	grep 20200101T000000-00000000 err
'

test_done
