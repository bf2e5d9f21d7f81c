#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt evolve as a command: what it shows, and what it exits with.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"
. "$(dirname "$0")/lib-run.sh"

test_title "a dry run says what would be done, and does nothing"
test_ok '
	tiny_repo . && git for-each-ref >../refs && cp .git/config ../config &&
	git accelopt evolve tiny --dry-run --beam=2 >out &&
	says "would search task tiny" out &&
	says "$(git rev-parse HEAD)" out &&
	grep "^  beam  *2$" out &&
	says "refs/heads/accelopt/tiny/<run>/all" out &&
	git for-each-ref | cmp - ../refs && cmp .git/config ../config
'

test_title "what is only in the work tree is said to play no part"
test_ok '
	tiny_repo . && git accelopt evolve tiny --dry-run 2>err &&
	test ! -s err && echo "/* new */" >>tasks/tiny/kernel.c &&
	git accelopt evolve tiny --dry-run 2>err &&
	says "warning: tasks/tiny in the work tree differs from commit" err &&
	test $(wc -l <err) = 1 && cp -r tasks/tiny tasks/mine &&
	sed -i "s/\"tiny\"/\"mine\"/" tasks/mine/task.json &&
	exits 128 git accelopt evolve mine --dry-run 2>err &&
	says "is in the work tree, but not in commit" err &&
	says "git add tasks/mine" err
'

test_title "a dry run as JSON is one object"
test_ok '
	tiny_repo . && git accelopt evolve tiny --dry-run --json >out &&
	test $(wc -l <out) = 1 && says "{\"event\":\"dry-run\"" out &&
	says "\"max-evals\":\"60\"" out
'

test_title "where there is no terminal each iteration has a line on stderr"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 4 >out 2>err &&
	says "tiny: started run 2" err && says "tiny: the baseline takes" err &&
	grep "^tiny: iteration 0 done, [0-9]*/4 evaluations, best x" err &&
	! grep "$(printf "\r")" err && grep "^tiny: " out &&
	says "  run    2" out
'

# A product: its first plans gain so much that a busy machine sees it, too.
test_title "on a terminal one line is drawn again and again"
test_ok_on_terminal '
	product_repo . && TERM=xterm script -qec \
		"git accelopt evolve tiny --max-evals 4" ../typescript >/dev/null &&
	grep "$(printf "\r")tiny: it 0, .* busy, [0-9]* s" ../typescript &&
	says "$(printf "\r\033[K")" ../typescript &&
	grep -o "new best .* by [0-9.]*" ../typescript | sed "s/.* by //" >best &&
	test -s best && test -z "$(sort best | uniq -d)"
'

test_title "quiet shows the outcome alone"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 3 -q >out 2>err &&
	test ! -s err && grep "^tiny: " out
'

test_title "JSON has an object for each event, on stdout, and nothing else"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 4 --json >out 2>err &&
	test ! -s err && ! grep -v "^{\"event\":\"" out &&
	for event in started baseline attempt iteration stopped summary
	do
		grep "^{\"event\":\"$event\",.*\"run\":\"2" out >/dev/null || exit 1
	done &&
	grep "\"event\":\"attempt\"" out | head -n 1 >attempt &&
	for key in commit parent attempt verdict plan agent
	do
		says "\"$key\":" attempt || exit 1
	done &&
	grep "\"event\":\"baseline\",.*\"median_ns\":[1-9]" out &&
	test "$(grep -c median_ns out)" = 1 &&
	tail -n 1 out >last && says "{\"event\":\"summary\"" last &&
	says "\"outcome\":\"" last
'

test_title "when nobody reads the events any more, the search is interrupted"
test_ok '
	tiny_repo . && {
		git-accelopt evolve tiny --max-evals 500 --iterations 400 \
			--json 2>err
		echo $? >status
	} | head -n 1 >out && says "\"event\":\"started\"" out &&
	test "$(cat status)" = 130 && says "the search ends" err &&
	git accelopt evolve tiny --resume --max-evals 2 -q
'

test_title "a search that is ended by its own limits exits with 0"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 2 -q &&
	git accelopt evolve tiny --max-time 1s -q
'

test_title "a resumed run keeps its limits unless they are given anew"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 2 --beam 2 -q &&
	git accelopt evolve tiny --resume --dry-run >out &&
	grep "^  max-evals  *2$" out &&
	git accelopt evolve tiny --resume --max-evals 4 --dry-run >out &&
	grep "^  max-evals  *4$" out
'

test_title "a resumed run refuses other settings"
test_ok '
	tiny_repo . && git accelopt evolve tiny --max-evals 2 -q &&
	exits 129 git accelopt evolve tiny --resume --beam=4 2>err &&
	says "--beam cannot change with --resume" err &&
	git -c accelopt.beam=4 accelopt evolve tiny --resume --dry-run
'

test_title "there must be a run to resume"
test_ok '
	tiny_repo . &&
	exits 128 git accelopt evolve tiny --resume 2>err &&
	says "no run of task" err &&
	exits 128 git accelopt evolve tiny --resume=nosuch 2>err &&
	says nosuch err
'

test_title "a run is resumed by the beginning of its id, if no other begins so"
test_ok '
	run_repo && first=$(made run) &&
	git accelopt evolve tiny --resume="${first%??}" --dry-run &&
	printf "run tiny\nattempt 0.1 base : Wait\n" | made_run &&
	exits 129 git accelopt evolve tiny --resume=20 --dry-run 2>err &&
	says "begins the ids of several runs" err &&
	says "$first" err && says "$(made run)" err
'

test_title "an agent that there is not is named"
test_ok '
	tiny_repo . &&
	exits 129 git accelopt evolve tiny --planner=nobody 2>err &&
	says nobody err && says catalog err
'

test_title "an interrupted search exits with 130 and says how to go on"
test_ok '
	tiny_repo . &&
	{ git-accelopt evolve tiny --max-evals 500 --iterations 400 \
		>out 2>err & } && pid=$! &&
	for i in $(seq 300)
	do
		grep -q "the baseline takes" err && break
		sleep 0.1
	done &&
	kill -INT $pid
	wait $pid
	test $? = 130 && says "--resume=2" err
'

test_done
