#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt show: one candidate in full.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-run.sh"

test_title "show has plan, evidence, profiles, insight and change"
test_ok '
	run_repo && git accelopt show $(made 1.1) >out 2>err && ! test -s err &&
	says "$(made 1.1)" out && says "verdict  PASSED" out &&
	says "Stream past the caches, as there is time to gain." out &&
	says "x2.00 [1.90..2.10]" out && says "x2.84 [2.83..2.85]" out &&
	says "e-value 128 in 4 units, 1.0 % of the time" out &&
	says "4.4 %" out && says "8.8 %" out &&
	says "Stream what is not read again" out &&
	says "+/* 1.1: Stream past the caches */" out
'

test_title "a winner that was timed again has its screening told from that"
test_ok '
	tiny_repo && made_run <<-\RUN &&
	run tiny
	baseline peak=3.1
	attempt 0.1 base gain=1.5 timings=2 : Use vectors
	insight 0.1 base : Vectors beat scalars
	best 0.1
	RUN
	git accelopt show $(made 0.1) >out &&
	says "main, against its parent, the baseline, screening: x1.50" out &&
	says "main, against its parent, the baseline, timed again: x1.50" out &&
	test "$(grep -A 2 "slow();" out | tail -n 1)" = "    fast:"
'

test_title "a failed attempt has its verdict, why, and its change"
test_ok '
	run_repo && git accelopt show $(made 0.2) >out &&
	says "COMPILE_ERROR" out && says "kernel.c:3: no semicolon" out &&
	says "+/* 0.2: Tile */" out
'

test_title "a candidate is named by commit, branch, or run and number"
test_ok '
	run_repo && git accelopt show $(made 1.1) >full && run=$(made run) &&
	git accelopt show $(made 1.1 | cut -c1-12) >out && cmp full out &&
	git accelopt show accelopt/tiny/$run/best >out && cmp full out &&
	git accelopt show $run/1.1 >out && cmp full out &&
	git accelopt show $(echo $run | cut -c1-20)/1.1 >out && cmp full out
'

test_title "an amended or rebased commit has the evidence of its kernel"
test_ok '
	run_repo && git checkout -q -b ship $(made 1.1) &&
	git commit -q --amend -m "A better message" &&
	git accelopt show HEAD >out 2>err && says "x2.00 [1.90..2.10]" out &&
	says "which has the kernel of candidate $(made 1.1 | cut -c1-10)" err
'

test_title "--json is one object on one line"
test_ok '
	run_repo && git accelopt show --json $(made 1.1) >out &&
	test $(wc -l <out) = 1 && says "\"attempt\":\"1.1\"" out &&
	says "\"gain_parent\":2" out && says "\"units\":[0.693147," out &&
	says "\"percent_of_peak\":4.4" out &&
	says "\"title\":\"Stream what is not read again\"" out &&
	says "\"change\":\"diff --git a/tasks/tiny/kernel.c" out
'

test_title "no program that the configuration names is run for the change"
test_ok '
	run_repo && git config diff.external "touch $PWD/was-run; false" &&
	git config diff.x.textconv "touch $PWD/was-run; cat" &&
	echo "*.c diff=x" >.git/info/attributes &&
	git accelopt show $(made 1.1) >out && ! test -e was-run &&
	says "+/* 1.1: Stream past the caches */" out
'

test_title "colours come when the configuration asks for them, not otherwise"
test_ok '
	run_repo && git accelopt show $(made 1.1) >out &&
	! grep "$(printf "\\033")" out &&
	git -c color.accelopt=always accelopt show $(made 1.1) >out &&
	grep "$(printf "\\033")" out >/dev/null &&
	NO_COLOR=1 git -c color.ui=always accelopt show $(made 1.1) >out &&
	! grep "$(printf "\\033")" out
'

test_title "on a terminal the pager of git shows it, elsewhere none does"
test_ok_on_terminal '
	run_repo && commit=$(made 1.1) && paged() {
		TERM=xterm script -qec "$*" ../typescript >/dev/null
	} &&
	git config core.pager "sed s/^/PAGED:/" &&
	paged git-accelopt show $commit && says "PAGED:commit" ../typescript &&
	paged env GIT_PAGER=cat git-accelopt show $commit &&
	! grep PAGED: ../typescript && says "commit   $commit" ../typescript &&
	paged git-accelopt show --json $commit && ! grep PAGED: ../typescript &&
	git config pager.accelopt false && paged git-accelopt show $commit &&
	! grep PAGED: ../typescript &&
	git config pager.accelopt "sed s/^/OURS:/" &&
	paged git-accelopt show $commit && says "OURS:commit" ../typescript &&
	git-accelopt show $commit >out && ! grep OURS: out
'

test_title "escape sequences in a kernel do not reach the terminal"
test_ok '
	tiny_repo && {
		echo "run tiny" &&
		printf "attempt 0.1 base gain=1.5 : \033]0;t\007 \033[8mhidden\n"
	} | made_run &&
	git -c color.ui=always accelopt show $(made 0.1) >out &&
	says "+/* 0.1: \\x1b]0;t\\x07 \\x1b[8mhidden */" out &&
	! grep "$(printf "\033")\[8m" out && ! grep "$(printf "\007")" out &&
	says "$(printf "\033")[32m+" out
'

test_title "a clone without notes shows what commits tell"
test_ok '
	run_repo && git clone -q . clone && commit=$(made 1.1) && cd clone &&
	git accelopt show $commit >out 2>err &&
	says "Stream past the caches" out && says "refs/notes/remotes/origin" err &&
	says "+/* 1.1: Stream past the caches */" out
'

test_title "what is no candidate is an error that says so"
test_ok '
	run_repo && exits 128 git accelopt show HEAD 2>err &&
	says "no candidate" err && exits 128 git accelopt show nowhere 2>err &&
	says "nowhere" err &&
	exits 128 git accelopt show $(made run)/7.7 2>err && says "7.7" err &&
	exits 128 git accelopt show 1.2 2>err &&
	says "say <run>/1.2, such as $(made run)/1.2" err &&
	exits 129 git accelopt show 2>err
'

test_done
