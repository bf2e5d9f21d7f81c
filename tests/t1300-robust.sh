#!/bin/sh
# SPDX-License-Identifier: MIT
# Histories that git, or somebody by hand, changed: nothing is lost or silent.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-run.sh"

# all: the branch with the journal of the run that was made.
all() {
	echo "refs/heads/accelopt/tiny/$(made run)/all"
}

# attempts: how many the log has.
attempts() {
	git accelopt log tiny --json 2>err | wc -l
}

test_title 'git tidying up in a loop while runs are written loses nothing'
test_ok '
	tiny_repo &&
	{ while ! test -e stop
	  do
		git repack -adq; git pack-refs --all --prune
		git prune --expire=now
	  done & } 2>/dev/null && loop=$! &&
	for i in 1 2 3 4 5 6
	do
		made_run <<-RUN || touch failed
		run tiny
		baseline peak=3.1
		attempt 0.1 base gain=1.42 move=simd : One
		flush
		attempt 0.2 0.1 gain=1.5 move=simd : Two
		flush
		attempt 1.1 0.2 gain=2 move=stream : Three
		flush
		best 1.1
		RUN
	done &&
	touch stop && wait $loop && ! test -e failed &&
	git fsck --strict --no-dangling &&
	test "$(attempts)" = 18 && ! grep "not all" err &&
	! ls .git/objects/pack | grep keep
'

test_title 'a commit on top of a journal hides no attempt, but is not resumed'
test_ok '
	run_repo && before=$(attempts) && test "$before" = 5 &&
	git update-ref "$(all)" \
		"$(git commit-tree -m mine -p "$(all)" "$(all)^{tree}")" &&
	test "$(attempts)" = 5 && ! test -s err &&
	! git accelopt evolve tiny "--resume=$(made run)" 2>err &&
	grep "no commit of the journal" err && grep "git reflog" err
'

test_title 'a journal branch that points elsewhere, or is garbage, is named'
test_ok '
	run_repo && git update-ref "$(all)" main &&
	test "$(attempts)" = 0 &&
	grep "not all.*$(made run).all.*no journal commit" err &&
	echo garbage >".git/$(all)" &&
	test "$(attempts)" = 0 && grep "not all.*$(made run).*broken" err
'

test_title 'a journal that is checked out is not resumed'
test_ok '
	run_repo && git switch -q "accelopt/tiny/$(made run)/all" &&
	! git accelopt evolve tiny "--resume=$(made run)" 2>err &&
	grep "checked out at .$PWD" err && grep "switch to another" err
'

test_title 'a shallow clone without the branches does not say there is nothing'
test_ok '
	run_repo && git clone -q --depth 1 "file://$PWD" clone && cd clone &&
	test "$(attempts)" = 0 && grep "not all.*shallow clone" err
'

test_done
