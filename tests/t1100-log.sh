#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt log: attempts with their lineage, verdicts and gains.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-run.sh"

# What stands on standard input, with ids of commits and runs by their names.
named() {
	sed -n 's,^\([0-9.]*\) \(.\{10\}\).*,s/\2/<\1>/,p' made >names.sed &&
	echo "s/$(made run)/RUN/" >>names.sed &&
	echo "s/$(git rev-parse --short=10 main)/<base>/" >>names.sed &&
	sed -f names.sed
}

test_title "log draws the attempts of a run as a graph, newest first"
test_ok '
	run_repo && git accelopt log tiny >log && named <log >out &&
	cat >expected <<-\LOG &&
	task tiny, run RUN, 5 attempts, best ~x2.84 [2.83..2.85]
	* <1.2> 1.2 DUPLICATE  Stream once more
	| * <1.1> 1.1 PASSED (best)  x2.00 [1.90..2.10] over parent  ~x2.84 [2.83..2.85] over baseline  8.8 % of peak  Stream past the caches
	|/
	| * <0.3> 0.3 PASSED  x0.70 [0.65..0.75] over parent, the baseline  2.2 % of peak  Tile again
	| | * <0.2> 0.2 COMPILE_ERROR  Tile
	| |/
	* | <0.1> 0.1 PASSED  x1.42 [1.38..1.46] over parent, the baseline  4.4 % of peak  Use vectors
	|/
	* <base> baseline  3.1 % of peak
	LOG
	diff expected out
'

test_title "what came out as its parent'\''s machine code is said to be not timed"
test_ok '
	run_repo && made_run <<-\RUN && git accelopt log tiny >out &&
	run tiny
	attempt 0.1 base gain=1 evidence=0 peak=9.1 : Say nothing new
	RUN
	grep "0.1 PASSED  not timed  Say nothing new" out && ! grep "9\.1 %" out &&
	git accelopt log tiny >again && cmp out again &&
	git accelopt log tiny --json | grep "Say nothing new" >line &&
	says "\"percent_of_peak\":null" line
'

test_title "without a task it has all tasks, the newest run first"
test_ok '
	run_repo && first=$(made run) && cp -r tasks/tiny tasks/other &&
	sed -i "s/\"tiny\"/\"other\"/" tasks/other/task.json &&
	git add . && git commit -q -m other &&
	printf "run other\nattempt 0.1 base : Wait\n" | made_run &&
	git accelopt log | grep "^task" >out &&
	sed -n 1p out | grep "^task other" && sed -n 2p out >second &&
	says "task tiny, run $first" second
'

test_title "--run shows one run alone"
test_ok '
	run_repo && run=$(made run) &&
	printf "run tiny\nattempt 0.1 base : Wait\n" | made_run &&
	git accelopt log --run "$run" >out && test $(grep -c ^task out) = 1 &&
	says "$run" out
'

test_title "--run takes the beginning of an id that no other begins with"
test_ok '
	run_repo && run=$(made run) && git accelopt log --run "$run" >whole &&
	git accelopt log --run "${run%??}" >out && cmp whole out &&
	printf "run tiny\nattempt 0.1 base : Wait\n" | made_run &&
	exits 129 git accelopt log --run 20 2>err &&
	says "begins the ids of several runs" err
'

test_title "--best shows the winning lineage alone"
test_ok '
	run_repo && git accelopt log --best >out &&
	grep -o " [01][.][0-9] " out | tr -d " " | tr "\n" " " >seen &&
	test "$(cat seen)" = "1.1 0.1 "
'

test_title "--passed leaves out what did not pass, -n all but the newest"
test_ok '
	run_repo && git accelopt log --passed >out &&
	! grep COMPILE_ERROR out && ! grep DUPLICATE out &&
	git accelopt log -n 1 >out && says " 1.2 " out && ! grep " 1.1 " out
'

test_title "--json has an object a line with what a script needs"
test_ok '
	run_repo && git accelopt log --json >out && test $(wc -l <out) = 5 &&
	sed -n 2p out >best && says "\"commit\":\"$(made 1.1)\"" best &&
	says "\"parent\":\"$(made 0.1)\"" best &&
	says "\"attempt\":\"1.1\"" best && says "\"verdict\":\"PASSED\"" best &&
	says "\"gain_parent\":2" best && says "\"gain_baseline\":2.84" best &&
	says "\"gain_baseline_is_measured\":false" best &&
	says "\"percent_of_peak\":8.8" best &&
	says "\"plan\":\"Stream past the caches\"" best &&
	says "\"agent\":\"catalog\"" best &&
	sed -n 4p out >failed && says "\"gain_parent\":null" failed
'

test_title "the cache changes nothing, nor does the lack of it"
test_ok '
	run_repo && git accelopt log >first && git accelopt log >second &&
	cmp first second && test -f .git/accelopt/history-cache &&
	echo junk >.git/accelopt/history-cache && git accelopt log >third &&
	cmp first third && rm -r .git/accelopt && git accelopt log >fourth &&
	cmp first fourth
'

test_title "plain git shows the same attempts, and finds nothing wrong"
test_ok '
	run_repo && git fsck --strict 2>&1 | grep -v "^dangling\|^notice" >bad;
	! test -s bad && git log --graph --notes="refs/notes/accelopt/*/profile" \
		--format="%h %s" --all >out &&
	says "Stream past the caches" out &&
	git log --notes="refs/notes/accelopt/*/profile" -1 $(made 1.1) >out &&
	says "x2.00 over parent" out
'

test_title "neither HEAD, index nor work tree is touched"
test_ok '
	run_repo && rm made && git accelopt log >/dev/null &&
	test -z "$(git status --porcelain)" &&
	test "$(git symbolic-ref HEAD)" = refs/heads/main
'

test_title "a plain clone has the attempts, and is told how to get the notes"
test_ok '
	run_repo && git clone -q . clone && cd clone &&
	git accelopt log >out 2>err && says "Stream past the caches" out &&
	says "no profile" out && says "of a remote" out &&
	git accelopt log --json >json 2>/dev/null &&
	says "\"verdict\":null" json && ! grep "\"verdict\":\"" json &&
	says "hint:" err && sed -n "s/^hint:   //p" err >advice &&
	sh ./advice 2>/dev/null && git accelopt log >out 2>err &&
	says "x2.00 [1.90..2.10]" out && ! test -s err
'

test_title "a shallow clone is answered as incomplete, and says so"
test_ok '
	run_repo && git clone -q --depth 1 --no-single-branch "file://$PWD" \
		clone && cd clone && git accelopt log >out 2>err &&
	says "warning: not all of the history is here: this is a shallow clone" \
		err && says "git fetch --unshallow" err &&
	git fetch -q --unshallow && git accelopt log 2>err >out &&
	! grep warning err && says " 1.1 " out
'

test_title "a partial clone is answered as incomplete, and says so"
test_ok '
	run_repo && git config uploadpack.allowFilter true &&
	git clone -q --bare --filter=blob:none "file://$PWD" clone.git &&
	cd clone.git && git accelopt log >out 2>err &&
	says "this is a partial clone" err
'

test_title "notes of another layout or tool do no harm"
test_ok '
	run_repo && git accelopt log >before &&
	ref=$(git for-each-ref --format="%(refname)" \
		"refs/notes/accelopt/*/profile") &&
	git notes --ref "$ref" append -m "Reviewed-by: somebody" $(made 1.1) &&
	git notes --ref refs/notes/accelopt/other/unheard add -m x HEAD &&
	git accelopt log >after && cmp before after
'

test_title "a damaged record is told of with its note, and the rest is shown"
test_ok '
	run_repo && git accelopt log 2>err && test ! -s err &&
	ref=$(git for-each-ref --format="%(refname)" \
		"refs/notes/accelopt/*/profile") &&
	git notes --ref "$ref" show $(made 1.1) | head -c 300 >cut &&
	git notes --ref "$ref" add -f -F cut $(made 1.1) &&
	for i in 1 2
	do
		git accelopt log >out 2>err && test $(wc -l <err) = 1 &&
		says "warning: $ref: the note on $(made 1.1) has what" err &&
		says "git notes --ref=$ref edit" err &&
		grep " 0[.]1 PASSED " out && grep " 1[.]1 no profile" out || exit 1
	done &&
	: of a newer version is not damaged &&
	git notes --ref "$ref" add -f -m "{\"v\":99}" $(made 1.1) &&
	git accelopt log 2>err && test ! -s err
'

test_title "a mirror, a bare repository and a linked worktree show the same"
test_ok '
	run_repo && git accelopt log >here &&
	git clone -q --mirror . mirror.git &&
	git -C mirror.git accelopt log >there && cmp here there &&
	git worktree add -q --detach tree &&
	(cd tree && git accelopt log) >there && cmp here there &&
	(cd tasks/tiny && git accelopt log) >there && cmp here there
'

test_title "a repository without runs has nothing to show"
test_ok '
	tiny_repo && git accelopt log >out 2>err && ! test -s out && ! test -s err
'

test_title "an unknown task or run is an error that names it"
test_ok '
	run_repo && exits 128 git accelopt log nothing 2>err &&
	says "nothing" err && exits 128 git accelopt log --run 2020 2>err &&
	says "there is no run" err && exits 128 env -C / git accelopt log
'

test_title "a reader that goes away early is no error"
test_ok '
	run_repo && (git accelopt log; echo $? >status) | head -n 1 >out &&
	says "task tiny" out && case $(cat status) in 0|141) ;; *) false ;; esac
'

test_title "a long answer on a terminal goes through the pager that git has"
test_ok_on_terminal '
	run_repo && unset PAGER &&
	git config core.pager "sed s/^/paged:/" &&
	TERM=xterm script -qec "git accelopt log" /dev/null >out &&
	says "paged:" out &&
	TERM=xterm script -qec "git --no-pager accelopt log" /dev/null >out &&
	! grep paged: out && git accelopt log >out && ! grep paged: out
'

test_title "titles from others cannot steer a terminal"
test_ok '
	tiny_repo && printf "run tiny\nattempt 0.1 base : \033]0;owned\007\n" |
	made_run && git accelopt log >out && ! grep "$(printf "\033")" out
'

test_done
