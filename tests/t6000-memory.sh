#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt memory: what searches learned, rebuilt from history.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-run.sh"

test_title "list has insights, newest first, and how plans did"
test_ok '
	run_repo && git accelopt memory list >list &&
	sed "s/^[0-9a-f]\{16\}/ID/" list >out && cat >expected <<-\TEXT &&
	insights, newest first: 2
	ID  x2.00 [1.98..2.02]  tiny  Stream what is not read again
	ID  x1.42 [1.41..1.43]  tiny  Vectors beat scalars

	plans of the catalogue: 3
	simd: tried 1 time, gained x1.42 in the median
	stream: tried 1 time, gained x2.00 in the median
	tile mr=4: tried 2 times, gained x0.70 in the median, failed 1 time
	TEXT
	diff expected out
'

test_title "list as JSON has an object a line"
test_ok '
	run_repo && git accelopt memory list --json >out &&
	test $(wc -l <out) = 5 && sed -n 1p out >insight &&
	says "\"kind\":\"insight\"" insight && says "\"gain\":2" insight &&
	says "\"fast\":\"$(made 1.1)\"" insight && sed -n 4p out >plan &&
	says "\"move\":\"stream\"" plan && says "\"tries\":1" plan
'

test_title "show has one insight in full"
test_ok '
	run_repo && id=$(git accelopt memory list | sed -n 2p | cut -d" " -f1) &&
	git accelopt memory show $id >out && says "slow();" out &&
	says "fast();" out && says "it pays." out &&
	exits 128 git accelopt memory show 0000000000000000 2>err &&
	says "0000000000000000" err
'

test_title "show has how a move did, with each of its parameters"
test_ok '
	run_repo && git accelopt memory show tile >out &&
	cat >expected <<-\TEXT && diff expected out &&
	tile mr=4: tried 2 times, gained x0.70 in the median, failed 1 time
	TEXT
	git accelopt memory show stream >out &&
	says "stream: tried 1 time, gained x2.00 in the median" out &&
	says "1 of them in a lineage that won, x2.84 in the mean" out &&
	git accelopt memory show stream --json >out &&
	test $(wc -l <out) = 1 && says "\"move\":\"stream\"" out &&
	says "\"median_log_gain\":0.69" out &&
	exits 129 git accelopt memory show "" 2>err
'

test_title "a move with several parameters has a total"
test_ok '
	tiny_repo && made_run <<-\RUN && git accelopt memory show tile >out &&
	run tiny
	attempt 0.1 base gain=2 move=tile,mr=4 features=contraction : Tile
	attempt 0.2 base gain=3 move=tile,mr=8 features=contraction : Tile
	attempt 0.3 base gain=8 move=tile,mr=8 features=contraction : Tile
	attempt 0.4 base verdict=COMPILE_ERROR move=tile,mr=2 : Tile
	attempt 0.5 base gain=9 move=tiles : Another
	best 0.3
	RUN
	tail -n 2 out >total && cat >expected <<-\TEXT && diff expected total
	tile in all: tried 4 times, gained x3.00 in the median, failed 1 time
	    1 of them in a lineage that won, x8.00 in the mean over the baseline
	TEXT
'

test_title "a damaged insight is told of, and the others are there"
test_ok '
	run_repo && ref=$(git for-each-ref --format="%(refname)" \
		"refs/notes/accelopt/*/insight") &&
	git notes --ref "$ref" append -m "{\"v\":1,\"kind\":\"insi" $(made 0.1) &&
	git accelopt memory list >out 2>err && test $(wc -l <err) = 1 &&
	says "warning: $ref: the note on $(made 0.1)" err &&
	says "insights, newest first: 2" out
'

test_title "rebuild does not believe a broken cache, and replaces it"
test_ok '
	run_repo && git accelopt memory list >good && ls .git/accelopt >names &&
	says history-cache names && echo rubbish >.git/accelopt/history-cache &&
	git accelopt memory rebuild >out && cmp good out &&
	! says rubbish .git/accelopt/history-cache >/dev/null
'

test_title "the memory is the same with a cache, without, and in a clone"
test_ok '
	run_repo && git accelopt memory list --json >cold &&
	git accelopt memory list --json >warm && cmp cold warm &&
	git accelopt memory rebuild --json >rebuilt && cmp cold rebuilt &&
	rm -r .git/accelopt && git accelopt memory list --json >again &&
	cmp cold again && git clone -q . clone && (
		cd clone && git fetch -q origin "refs/notes/accelopt/*:refs/notes/remotes/origin/accelopt/*" &&
		git accelopt memory list --json
	) >cloned && cmp cold cloned
'

test_title "as of an earlier journal commit it is as it was then"
test_ok '
	tiny_repo && made_run <<-\RUN &&
	run tiny
	attempt 0.1 base gain=1.5 move=simd : Use vectors
	insight 0.1 base : Vectors beat scalars
	RUN
	git accelopt memory list >before &&
	then=$(git rev-parse accelopt/tiny/$(made run)/all) &&
	made_run <<-\RUN &&
	run tiny
	attempt 0.1 base gain=2 move=stream : Stream
	insight 0.1 base : Streaming pays
	RUN
	git accelopt memory list >now && ! cmp -s before now &&
	git accelopt memory rebuild --as-of $then >out && cmp before out &&
	exits 128 git accelopt memory rebuild --as-of main 2>err &&
	says "is not a commit of a run" err
'

test_title "a task has its own insights, and plans of all"
test_ok '
	run_repo && cp -r tasks/tiny tasks/other &&
	sed -i "s/\"tiny\"/\"other\"/" tasks/other/task.json &&
	git add tasks && git commit -q -m other && made_run <<-\RUN &&
	run other
	attempt 0.1 base gain=1.1 move=unroll : Unroll
	insight 0.1 base : Unrolling pays
	RUN
	git accelopt memory list --task other >out &&
	says "insights, newest first: 1" out && says "Unrolling pays" out &&
	says "unroll:" out && says "simd:" out
'

test_title "a task that there is not, and was not, is a slip"
test_ok '
	run_repo && exits 128 git accelopt memory list --task tinny 2>err &&
	says "did you mean '\''tiny'\''?" err &&
	exits 128 git accelopt memory rebuild --task tinny &&
	git rm -q -r tasks && git commit -q -m none &&
	git accelopt memory list --task tiny >out && says "Vectors beat" out
'

test_title "what taught nothing, or the same again, takes no slot"
test_ok '
	tiny_repo && made_run <<-\RUN &&
	run tiny
	attempt 0.1 base gain=1.5 : Use vectors
	insight 0.1 base : Vectors beat scalars
	insight 0.1 base rank=1 : No optimization found
	attempt 1.1 base gain=1.5 : Use vectors again
	insight 1.1 base : Vectors beat scalars
	RUN
	git accelopt memory list >out && says "insights, newest first: 1" out
'

test_title "an empty repository has an empty memory"
test_ok '
	tiny_repo && git accelopt memory list >out 2>err && ! test -s err &&
	says "insights, newest first: 0" out
'

test_done
