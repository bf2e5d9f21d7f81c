#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve: a search and what it leaves behind

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# One search that many tests look at.
(
	cd "$work" && product_repo searched && cd searched &&
	echo mine >staged && git add staged && echo >>tasks/tiny/kernel.c &&
	{ git rev-parse HEAD && cat .git/HEAD && git status --porcelain &&
		git ls-files -s; } >../before &&
	git accelopt evolve tiny --max-evals 8 --json >../events &&
	{ git rev-parse HEAD && cat .git/HEAD && git status --porcelain &&
		git ls-files -s; } >../after
) >"$work/search.log" 2>&1 || sed 's/^/# /' "$work/search.log"

test_title 'leaves the winner as a branch of ordinary commits on the base'
test_ok '
	cd ../searched &&
	best=$(git for-each-ref --format="%(refname)" "refs/heads/accelopt/tiny/*/best") &&
	git merge-base --is-ancestor HEAD "$best" &&
	test "$(git rev-list --count "HEAD..$best")" -ge 1 &&
	git diff --name-only "HEAD..$best" >../changed &&
	test "$(cat ../changed)" = tasks/tiny/kernel.c
'

test_title 'touches neither HEAD, index nor work tree'
test_ok 'cmp ../before ../after'

test_title 'keeps every attempt, and git finds nothing to complain about'
test_ok '
	grep -c "\"event\":\"attempt\"" ../events >told &&
	( cd ../searched && attempts ) | wc -l | tr -d " " >kept &&
	cmp told kept &&
	git -C ../searched fsck --strict --no-dangling 2>err && ! grep . err
'

test_title 'numbers attempts once each'
test_ok '
	( cd ../searched && attempts ) >all &&
	sort -u all | sort -V >unique && cmp all unique
'

test_title 'shows itself in plain git log, with profiles as notes'
test_ok '
	git -C ../searched log --graph --all \
		--notes="refs/notes/accelopt/*/profile" >log &&
	grep "Accelopt-Attempt: 0.1" log && grep "PASSED" log
'

test_title 'is carried by a plain clone, whose log says how to get the notes'
test_ok '
	git clone -q ../searched c && cd c &&
	git accelopt log tiny >out 2>err &&
	grep "git fetch" err &&
	git fetch -q origin "refs/notes/accelopt/*:refs/notes/remotes/origin/accelopt/*" &&
	git accelopt log tiny --json >clone 2>err && ! grep "git fetch" err &&
	( cd ../../searched && git accelopt log tiny --json ) >own &&
	grep -c PASSED own >a && grep -c PASSED clone >b && cmp a b
'

test_title 'a plain push carries what it did before, and no notes'
test_ok '
	git init -q --bare there.git && cd ../searched &&
	git remote add there "$OLDPWD/there.git" && git push -q there HEAD &&
	git -C "$OLDPWD/there.git" for-each-ref --format="%(refname)" >../pushed &&
	test "$(cat ../pushed)" = refs/heads/main &&
	! git config --get-regexp "^remote\..*\.push$"
'

test_title 'pays no evaluation twice: a second run takes results from the first'
test_ok '
	cp -r ../searched r && cd r &&
	git accelopt evolve tiny --max-evals 8 --iterations 1 --json >events &&
	grep "\"event\":\"stopped\"" events | grep "\"reused\":[1-9]"
'

test_title 'makes equal plans from equal seeds'
test_ok '
	product_repo a && cp -r a b &&
	for r in a b
	do
		( cd $r && git accelopt evolve tiny --max-evals 4 --seed 7 \
			--iterations 1 --json ) |
		sed -n "s/.*\"event\":\"attempt\".*\"plan\":\"\([^\"]*\)\".*/\1/p" |
		sort >$r.plans || return 1
	done &&
	test -s a.plans && cmp a.plans b.plans
'

test_title 'works in a bare repository, on a branch of its choice'
test_ok '
	product_repo r && git clone -q --bare r bare.git && cd bare.git &&
	git accelopt evolve tiny --max-evals 3 --base HEAD &&
	git accelopt log tiny >out && test -s out
'

test_title 'works in a linked worktree and with a detached HEAD'
test_ok '
	product_repo r && cd r && git worktree add -q --detach "../a folder, é" &&
	cd "../a folder, é" &&
	git accelopt evolve tiny --max-evals 3 &&
	test -z "$(git status --porcelain)"
'

test_title 'runs no hook, signs nothing, needs no user.name'
test_ok '
	product_repo r && cd r &&
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
	product_repo r && cd r &&
	sed -i "s/sum += a/sum -= a/" tasks/tiny/kernel.c && git commit -qam wrong &&
	exits 128 git accelopt evolve tiny 2>err &&
	grep "baseline kernel of task .tiny. does not pass: INCORRECT_NUMERICAL" err
'

test_title 'refuses an agent that there is not, and an unborn branch'
test_ok '
	product_repo r && cd r &&
	exits 129 git accelopt evolve tiny --planner nobody 2>err &&
	grep "nobody" err && grep "catalog" err &&
	git init -q ../empty && cd ../empty && product_task tiny &&
	exits 128 git accelopt evolve tiny 2>err && grep "commit" err
'

test_title 'leaves each step out of the winner again, and keeps what pays'
test_ok '
	product_repo r && cd r && three_nests tiny && git commit -qam "three nests" &&
	git accelopt evolve tiny --beam 1 --plans 1 --max-evals 14 &&
	git accelopt log tiny --json >all &&
	best=$(git for-each-ref --format="%(refname)" "refs/heads/accelopt/tiny/*/best") &&
	test "$(git rev-list --count "HEAD..$best")" -ge 2 &&
	grep "\"agent\":\"ablation\"" all >dropped &&
	grep "drop: " dropped && test "$(wc -l <dropped)" -le 1 &&
	! grep "\"verdict\":\"DUPLICATE\"" dropped &&
	git accelopt memory list >memory && ! grep "^drop" memory
'

test_title 'goes on behind the steps that it left out, with more to spend'
test_ok '
	product_repo r && cd r && three_nests tiny && git commit -qam "three nests" &&
	git accelopt evolve tiny --beam 1 --plans 1 --max-evals 14 &&
	git accelopt log tiny --json >before && grep -q "\"agent\":\"ablation\"" before &&
	git accelopt evolve tiny --resume --max-evals 17 &&
	git accelopt log tiny --json >after &&
	test "$(wc -l <after)" -gt "$(wc -l <before)" &&
	awk "
		match(\$0, /\"iteration\":[0-9]+/) {
			at = substr(\$0, RSTART, RLENGTH)
			if (/\"agent\":\"ablation\"/)
				dropped[at] = 1
			else
				other[at] = 1
		}
		END {
			for (at in dropped)
				if (at in other)
					exit 1
		}
	" after
'

test_title 'ends by --max-evals, and says what was spent'
test_ok '
	product_repo r && cd r &&
	git accelopt evolve tiny --max-evals 5 --json >events &&
	tail -n 1 events | grep "\"outcome\":\"budget\"" &&
	tail -n 1 events | grep "\"evals\":5[,}]"
'

test_done
