#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt bench: a table of tasks and baselines, out of what is in git.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# one_case: the small case costs more to time than it is worth here.
one_case() {
	sed -i "/^  \"cases\"/{s/,\$/ ] }/;q}" tasks/tiny/task.json
}

# bench_repo: a task with a practitioner's baseline, committed.
bench_repo() {
	git init -q . && product_task tiny &&
	sed -i "s|^  \"kernel\": .*|  \"practitioner\": \
{ \"file\": \"usual.c\" },\n&|" tasks/tiny/task.json &&
	sed "s/float sum = 0/float sum = 0.0f/" tasks/tiny/kernel.c \
		>tasks/tiny/usual.c &&
	git add . && git commit -q -m tasks
}

# All refs, to tell whether anything was written.
refs() {
	git for-each-ref --format="%(refname) %(objectname)"
}

test_title "the page has both baselines, what won, and what measured it"
test_ok '
	bench_repo && git accelopt bench --max-evals 2 --seed 7 -q -o page.md \
		--json >json 2>err && test ! -s err &&
	says "| tiny | main | M=64 N=96 K=80 | " page.md &&
	says "| tiny | odd | M=7 N=13 K=5 | " page.md &&
	grep "^| tiny | main .* | x[0-9.]* \[.*\] | x[0-9.]* \[.*\] | " page.md &&
	grep "^Geometric means over the main cases of 1 task: x.*% after (.* % by the fastest calls)\.$" page.md &&
	grep "^Worst main case against the practitioner.s baseline: tiny, x" page.md &&
	grep "^| tiny | 2[0-9T]*-[0-9a-f]* | 2 | 0 | [a-z]" page.md &&
	says "Of 2 evaluations 0 did not pass" page.md &&
	says "    git accelopt bench --max-evals 2 --seed 7 -q" page.md &&
	grep "^Measured on one core of .*, peak model [0-9]*:" page.md &&
	test $(wc -l <json) = 1 &&
	for key in title command version peak_model machine cpu compiler libraries \
		tasks run best evaluations failed plans cases case shape author_ms \
		practitioner_ms final_ms over_author over_author_low \
		over_author_high over_practitioner over_practitioner_low \
		percent_before percent_after percent_fastest means worst \
		worst_over_practitioner
	do
		says "\"$key\":" json || exit 1
	done &&
	git fsck --strict --no-dangling && test -z "$(git status --short | grep -v "??")" &&

	: what was measured is not measured again: the same page, no new object &&
	refs >before && cp page.md first.md &&
	git accelopt bench --max-evals 2 --resume -o page.md 2>err &&
	refs >after && cmp before after && test ! -s err &&
	grep -v "    git accelopt" first.md >a && grep -v "    git accelopt" page.md >b &&
	cmp a b &&
	git accelopt log tiny --best >out && says "(best)" out &&
	says "over baseline" out
'

test_title "after kill -9 it goes on with the run that was begun"
test_ok '
	bench_repo && one_case && git commit -q -a -m one &&
	{ git-accelopt bench --max-evals 4 -q >/dev/null & } && pid=$! &&
	wait_for_attempts 1 && kill -9 $pid && { wait $pid || :; } &&
	attempts >before && test -s before &&
	git fsck --strict --no-dangling &&
	git accelopt bench --max-evals 4 --resume >page 2>err &&
	says "going on with run" err && attempts >after &&
	test -z "$(comm -23 before after)" &&
	test "$(git for-each-ref "refs/heads/accelopt/tiny/*/all" | wc -l)" = 1 &&
	grep "^| tiny | main " page
'

test_title "Ctrl-C ends it with 130, and it says how to go on"
test_ok '
	bench_repo &&
	{ git-accelopt bench --max-evals 40 >page 2>err & } && pid=$! &&
	wait_for_attempts 1 && kill -INT $pid &&
	{ wait $pid; status=$?; } ; test $status = 130 &&
	says "the same command with --resume" err && test ! -s page
'

test_title "what is missing is said before anything is searched"
test_ok '
	git init -q . &&
	git commit -q --allow-empty -m empty &&
	exits 128 git accelopt bench 2>err && says "there is no task" err &&
	exits 129 git accelopt bench --tasks "" 2>err &&
	says "tasks names no task" err &&
	exits 128 git accelopt bench --suite nkibench 2>err &&
	says "git accelopt init --suite nkibench" err &&
	exits 128 git accelopt bench --suite nkibench --tasks matmull 2>err &&
	says "did you mean '\''matmul'\''?" err &&
	exits 128 git accelopt bench --suite nkibench --tasks fft 2>err &&
	says "it has adamw, add_rmsnorm_matmul, bmm" err &&
	exits 128 git accelopt bench --suite none 2>err &&
	says "no suite '\''none'\'' is installed" err &&
	exits 129 git accelopt bench matmul 2>err &&
	product_task tiny && git add . && git commit -q -m tasks &&
	exits 128 git accelopt bench --tasks tiny,tinyy 2>err &&
	says "did you mean '\''tiny'\''?" err &&
	test -z "$(git for-each-ref refs/heads/accelopt)"
'

test_title "without a library, and with a task whose baseline is wrong"
test_ok '
	product_repo . && one_case && sed -i "s|^  \"kernel\": .*|  \"practitioner\": \
{ \"file\": \"usual.c\", \"libraries\": [\"openblas\"] },\n&|" \
		tasks/tiny/task.json &&
	echo "void kernel(void);" >tasks/tiny/usual.c && product_task other &&
	sed -i "s/j < N/j < N - 1/" tasks/other/kernel.c &&
	git add . && git commit -q -m usual && mkdir bin &&
	printf "#!/bin/sh\ncase \$1 in\n-print*) echo none; exit ;;\nesac\n%s\n" \
		"exec $(command -v cc) \"\$@\"" >bin/cc && chmod +x bin/cc &&
	: what it needs is named before anything is searched &&
	PATH=$PWD/bin:$PATH exits 128 git accelopt bench 2>err &&
	says libopenblas-dev err &&
	test -z "$(git for-each-ref refs/heads/accelopt)" &&
	: a task that does not pass costs its own row alone &&
	PATH=$PWD/bin:$PATH exits 1 git accelopt bench --no-practitioner \
		--all-cases --max-evals 1 -q >page 2>err &&
	says "baseline kernel of task '\''other'\'' does not pass" err &&
	says "did not pass: other." page && grep "^| tiny | main .* | - |" page
'

test_title "a practitioner'\''s baseline that fails is found before any search"
test_ok '
	bench_repo && one_case && product_task other &&
	sed -i "s/sum = 0.0f;/sum = 0.0f/" tasks/tiny/usual.c &&
	git add . && git commit -q -m wrong &&
	exits 1 git accelopt bench --max-evals 1 >page 2>err &&
	sed -n 1,6p err >first && says "the baselines of task '\''tiny'\''" first &&
	says "usual.c:6:" first && says "error: " first &&
	test -z "$(git for-each-ref refs/heads/accelopt/tiny)" &&
	says "did not pass: tiny." page && grep "^| other | main " page
'

test_title "a comparison has a line where there is no terminal, quiet has none"
test_ok '
	bench_repo && one_case && git commit -q -a -m one &&
	git accelopt bench --max-evals 1 >/dev/null 2>err &&
	says "tiny: checking both baselines ..." err &&
	says "tiny: timing against the baselines, in turns ..." err &&
	! grep "$(printf "\r")" err
'

test_title "what was published needs no repository and measures nothing"
test_ok '
	git accelopt bench --published trn1 >page 2>err && test ! -s err &&
	test $(grep -c "^| [a-z_]* | [A-Z]*=" page) = 14 &&
	says "| silu | M=4096 N=7168 | 1.333 | 0.798 | x1.67 | 0.534 | 40.0 | 66.9 | memory |" page &&
	says "means over 14 tasks: x1.11, 49.2 % of peak before and 54.7 % after." page &&
	git accelopt bench --published trn1 --suite nkibench --output same --json \
		>json && cmp page same && test $(wc -l <json) = 1 &&
	for key in title machine source tasks task shape baseline_ms best_ms gain \
		peak_ms percent_before percent_after bound means
	do
		says "\"$key\":" json || exit 1
	done &&
	says "\"percent_before\":49.2" json &&
	git accelopt bench --published trn2 >page &&
	says "No times on it were published." page &&
	says "| silu | M=4096 N=7168 | - | - | - | 0.367 | - | - | memory |" page &&
	exits 128 git accelopt bench --published trn9 2>err &&
	says "there is: trn1, trn2" err &&
	exits 129 git accelopt bench --published trn1 --resume 2>err &&
	says "leave out --resume" err && test ! -d .git
'

test_title "published figures that are wrong are refused with line and field"
test_ok '
	mkdir -p data/nkibench && sed "s/\"5 \* M \* N\"/\"5 * M * T\"/" \
		"$source_tree/nkibench/published.json" >data/nkibench/published.json &&
	GIT_ACCELOPT_DATA=$PWD/data exits 128 git accelopt bench \
		--published trn1 >out 2>err && test ! -s out &&
	grep "published.json:[0-9]*: tasks\[0\]\.elements: .*unknown .T" err
'

test_done
