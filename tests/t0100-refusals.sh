#!/bin/sh
# SPDX-License-Identifier: MIT
# What is refused, and in which words.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

test_title "outside a repository each command says so"
test_ok '
	for command in "init" "task list" "task show x" "task check" "eval x" \
		"evolve x" "log" "show HEAD" "memory list" "report"
	do
		exits 128 git accelopt $command >out 2>err &&
		grep -i "fatal: .*repository" err &&
		test ! -s out || exit 1
	done
'

test_title "a SHA-256 repository is refused by name"
test_ok '
	git init -q --object-format=sha256 . &&
	exits 128 git accelopt init 2>err &&
	grep -i "sha-\{0,1\}256" err
'

test_title "a reftable repository is refused by name"
test_ok '
	git init -q . &&
	git config core.repositoryFormatVersion 1 &&
	git config extensions.refStorage reftable &&
	exits 128 git-accelopt init 2>err &&
	grep -i reftable err
'

test_title "an unknown task is answered with the nearest one"
test_ok '
	tiny_repo &&
	for command in "task show" "eval" "evolve"
	do
		exits 128 git accelopt $command tinny 2>err &&
		says tinny err &&
		says "did you mean '\''tiny'\''?" err || exit 1
	done
'

test_title "a repository without tasks says what to do"
test_ok '
	git init -q . &&
	git commit -q --allow-empty -m empty &&
	exits 128 git accelopt evolve silu 2>err &&
	grep silu err
'

test_title "an unborn branch is named where a commit is needed"
test_ok '
	git init -q . && tiny_task &&
	exits 128 git accelopt evolve tiny 2>err &&
	grep -i "commit" err
'

# broken SED FIELD: task.json, changed by sed, is refused with file, line and
# field.
broken() {
	tiny_task &&
	sed -i "$1" tasks/tiny/task.json &&
	exits 128 git accelopt task show tiny 2>err >out &&
	test ! -s out &&
	grep "tasks/tiny/task.json:[0-9][0-9]*: .*$2" err || {
		cat err
		return 1
	}
}

test_title "a broken task.json is refused with file, line and field"
test_ok '
	git init -q . &&
	broken "s/\"tiny\"/7/" name &&
	broken "s/\"float32\", \"tolerance/\"float31\", \"tolerance/" outputs.y.dtype &&
	broken "s/\"M\", \"N\"/\"M\", \"Q\"/" shape &&
	broken "s/\"M\": 256/\"M\": 0/" axes.M &&
	broken "s/\"M\": 256/\"M\": -4/" axes.M &&
	broken "s/\"M\": 256/\"M\": 2147483647/" axes &&
	broken "s/\"M\": 256/\"M\": \"many\"/" axes.M &&
	broken "s/\"tolerance\": 2e-5/\"tolerance\": 0/" tolerance &&
	broken "s/M \* N\"/M * P\"/" work.fma &&
	broken "s/\"op_type\"/\"op_tipe\"/" op_tipe &&
	broken "s/\"kernel.c\"/\"..\/..\/x.c\"/" kernel
'

test_title "a misspelled field is answered with the right one"
test_ok '
	git init -q . &&
	broken "s/\"op_type\"/\"op_tipe\"/" op_tipe &&
	says "op_type" err
'

test_title "a task.json cut short is refused with its line"
test_ok '
	git init -q . && tiny_task &&
	head -n 9 tasks/tiny/task.json >cut && mv cut tasks/tiny/task.json &&
	exits 128 git accelopt task show tiny 2>err &&
	grep "tasks/tiny/task.json:[0-9]*:" err
'

test_title "a task from a newer version says so"
test_ok '
	git init -q . &&
	broken "s/\"v\": 1/\"v\": 2/" v &&
	grep -i version err
'

test_title "a missing file of a task is named"
test_ok '
	git init -q . && tiny_task &&
	rm tasks/tiny/reference.c &&
	exits 128 git accelopt task show tiny 2>err &&
	says tasks/tiny/reference.c err &&
	tiny_task && rm tasks/tiny/kernel.c &&
	exits 128 git accelopt eval tiny 2>err &&
	says tasks/tiny/kernel.c err
'

test_title "one broken task does not hide the others in a list"
test_ok '
	git init -q . && tiny_task &&
	cp -r tasks/tiny tasks/other && echo "{" >tasks/tiny/task.json &&
	sed -i "s/\"name\": \"tiny\"/\"name\": \"other\"/" tasks/other/task.json &&
	exits 1 git accelopt task list >out 2>err &&
	says other out &&
	says "error: " err &&
	says tasks/tiny/task.json err
'

test_title "without a C compiler it says what to install"
test_ok '
	tiny_repo &&
	mkdir bin &&
	for tool in git sh sed grep env; do ln -s "$(command -v $tool)" bin/; done &&
	ln -s "$BUILD/git-accelopt" bin/ &&
	PATH=$PWD/bin exits 128 git-accelopt eval tiny 2>err &&
	grep -i "compiler" err
'

test_title "an author or a writer that is none is refused"
test_ok '
	tiny_repo && git config accelopt.author "no address" &&
	exits 128 git accelopt evolve tiny --dry-run 2>err &&
	says "accelopt.author" err && says "Name <address>" err &&
	exits 128 git accelopt init && git config --unset accelopt.author &&
	git config accelopt.writer "a/b" &&
	exits 128 git accelopt evolve tiny --max-evals 2 2>err &&
	says "accelopt.writer" err && ! grep usage err
'

test_done
