#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve: a search and what it leaves behind

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-evolve.sh"

test_title 'leaves the winner as a branch of ordinary commits on the base'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 6 --seed 1 >out &&
	best=$(git for-each-ref --format="%(refname)" "refs/heads/accelopt/tiny/*/best") &&
	git merge-base --is-ancestor HEAD "$best" &&
	test "$(git rev-list --count "HEAD..$best")" -ge 1 &&
	git diff --name-only "HEAD..$best" >changed &&
	test "$(cat changed)" = tasks/tiny/kernel.c
'

test_title 'touches neither HEAD, index nor work tree'
test_ok '
	tiny_repo r && cd r &&
	echo mine >staged && git add staged && echo more >>tasks/tiny/kernel.c &&
	git rev-parse HEAD >before && cat .git/HEAD >>before &&
	git status --porcelain >>before && git ls-files -s >>before &&
	git accelopt evolve tiny --max-evals 3 &&
	git rev-parse HEAD >after && cat .git/HEAD >>after &&
	git status --porcelain >>after && git ls-files -s >>after &&
	grep -v before before >a && grep -v before after | grep -v after >b &&
	cmp a b
'

test_title 'keeps every attempt, and git finds nothing to complain about'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 8 --json >events &&
	grep -c "\"event\":\"attempt\"" events >told &&
	attempts | wc -l | tr -d " " >kept &&
	cmp told kept &&
	git fsck --strict --no-dangling 2>err && ! grep . err
'

test_title 'numbers attempts once each'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 8 &&
	attempts >all && sort -u all | sort -V >unique && cmp all unique
'

test_title 'shows itself in plain git log, with profiles as notes'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 4 &&
	git log --graph --all --notes="refs/notes/accelopt/*/profile" >log &&
	grep "Accelopt-Attempt: 0.1" log && grep "PASSED" log
'

test_title 'is carried by a plain clone, whose log says how to get the notes'
test_ok '
	tiny_repo r && ( cd r && git accelopt evolve tiny --max-evals 4 ) &&
	git clone -q r c && cd c &&
	git accelopt log tiny >out 2>err &&
	grep "git fetch" err &&
	git fetch -q origin "refs/notes/accelopt/*:refs/notes/remotes/origin/accelopt/*" &&
	git accelopt log tiny --json >clone 2>err && ! grep "git fetch" err &&
	( cd ../r && git accelopt log tiny --json ) >own &&
	grep -c PASSED own >a && grep -c PASSED clone >b && cmp a b
'

test_title 'makes equal plans from equal seeds'
test_ok '
	tiny_repo a && cp -r a b &&
	for r in a b
	do
		( cd $r && git accelopt evolve tiny --max-evals 4 --seed 7 \
			--iterations 1 --json ) |
		sed -n "s/.*\"event\":\"attempt\".*\"plan\":\"\([^\"]*\)\".*/\1/p" |
		sort >$r.plans || return 1
	done &&
	test -s a.plans && cmp a.plans b.plans
'

test_title 'pays no evaluation twice: a second run takes results from the first'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 4 --iterations 1 &&
	git accelopt evolve tiny --max-evals 4 --iterations 1 --json >events &&
	grep "\"event\":\"attempt\"" events | grep "\"reused\":true"
'

test_title 'works in a bare repository, on a branch of its choice'
test_ok '
	tiny_repo r && git clone -q --bare r bare.git && cd bare.git &&
	git accelopt evolve tiny --max-evals 3 --base HEAD &&
	git accelopt log tiny >out && test -s out
'

test_title 'works in a linked worktree and with a detached HEAD'
test_ok '
	tiny_repo r && cd r && git worktree add -q --detach "../a folder, é" &&
	cd "../a folder, é" &&
	git accelopt evolve tiny --max-evals 3 &&
	test -z "$(git status --porcelain)"
'

test_title 'runs no hook, signs nothing, needs no user.name'
test_ok '
	tiny_repo r && cd r &&
	for h in pre-commit commit-msg post-commit reference-transaction
	do
		printf "#!/bin/sh\ntouch $PWD/ran-$h\nexit 1\n" >.git/hooks/$h &&
		chmod +x .git/hooks/$h || return 1
	done &&
	git config commit.gpgsign true && git config gpg.program false &&
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL &&
	git accelopt evolve tiny --max-evals 3 &&
	! ls ran-* &&
	git fsck --strict
'

test_title 'refuses a baseline that does not pass, saying why'
test_ok '
	tiny_repo r && cd r &&
	sed -i "s/sum += a/sum -= a/" tasks/tiny/kernel.c && git commit -qam wrong &&
	test_status 128 git accelopt evolve tiny 2>err &&
	grep "baseline kernel of task .tiny. does not pass: INCORRECT_NUMERICAL" err
'

test_title 'refuses an agent that there is not, and an unborn branch'
test_ok '
	tiny_repo r && cd r &&
	test_status 129 git accelopt evolve tiny --planner nobody 2>err &&
	grep "nobody" err && grep "catalog" err &&
	git init -q ../empty && cd ../empty && tiny_task tiny &&
	test_status 128 git accelopt evolve tiny 2>err && grep "commit" err
'

test_title 'ends by --max-evals, and says what was spent'
test_ok '
	tiny_repo r && cd r &&
	git accelopt evolve tiny --max-evals 5 --json >events &&
	tail -n 1 events | grep "\"outcome\":\"budget\"" &&
	tail -n 1 events | grep "\"evals\":5[,}]"
'

test_done
