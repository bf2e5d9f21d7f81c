#!/bin/sh
# SPDX-License-Identifier: MIT
# Completion, loaded by git's own, answers from the program.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

for gits in /usr/share/bash-completion/completions/git \
	/etc/bash_completion.d/git "$(git --exec-path)/git-completion.bash"
do
	test -f "$gits" && break
done
if ! command -v bash >/dev/null || ! test -f "$gits"
then
	echo "1..0 # SKIP no bash, or git's completion is not installed"
	exit 0
fi

# What completes a line, as git's own tests find out.
cat >"$work/complete" <<SCRIPT
. "$gits"
. "$source_tree/contrib/completion/git-accelopt.bash"
SCRIPT
cat >>"$work/complete" <<\SCRIPT
_get_comp_words_by_ref() {
	words=("${line[@]}") cword=$((${#line[@]} - 1))
	cur=${line[cword]} prev=${line[cword - 1]}
}
read -ra line <<<"$1"
case $1 in *' ') line+=('') ;; esac
COMPREPLY=()
__git_wrap__git_main
printf '%s\n' "${COMPREPLY[@]}" | sed 's/ *$//'
SCRIPT

# completes LINE: the answers, one a line.
completes() {
	bash "$work/complete" "$1"
}

test_title "commands"
test_ok '
	completes "git accelopt ev" >out &&
	says eval out && says evolve out && ! grep init out
'

test_title "the judge is not offered"
test_ok '
	completes "git accelopt " >out && says init out && ! grep judge out
'

test_title "commands of a command"
test_ok '
	completes "git accelopt task " >out &&
	says list out && says show out && says check out
'

test_title "options, from the program"
test_ok '
	completes "git accelopt evolve --ma" >out &&
	says "--max-evals=" out && says "--max-time=" out &&
	completes "git accelopt task check --" >out &&
	says "--seed=" out && says "--json" out
'

test_title "tasks of the repository"
test_ok '
	tiny_repo && completes "git accelopt evolve " >out &&
	test "$(cat out)" = tiny &&
	completes "git accelopt task show t" >out && test "$(cat out)" = tiny
'

test_title "commits where a commit is meant"
test_ok '
	tiny_repo && git branch topic &&
	completes "git accelopt eval tiny to" >out && says topic out &&
	completes "git accelopt evolve tiny --base=to" >out && says topic out
'

test_title "runs that can be resumed"
test_ok '
	tiny_repo &&
	git branch accelopt/tiny/20261130T021054-7f3a9c01/all &&
	completes "git accelopt evolve tiny --resume=" >out &&
	test "$(cat out)" = 20261130T021054-7f3a9c01
'

test_title "runs that can be shown, of all tasks or of one"
test_ok '
	tiny_repo &&
	git branch accelopt/tiny/20261130T021054-7f3a9c01/all &&
	git branch accelopt/other/20261130T021055-00000000/all &&
	completes "git accelopt log --run " >out && test $(wc -l <out) = 2 &&
	completes "git accelopt log tiny --run 2" >out &&
	test "$(cat out)" = 20261130T021054-7f3a9c01 &&
	completes "git accelopt log tiny --run=" >out &&
	test "$(cat out)" = 20261130T021054-7f3a9c01
'

test_title "tasks of a suite for init, of the repository for memory"
test_ok '
	tiny_repo && ls "$source_tree/nkibench/tasks" >suite &&
	completes "git accelopt init --suite nkibench " >out && cmp suite out &&
	completes "git accelopt init --suite=nkibench sil" >out &&
	test "$(cat out)" = silu &&
	completes "git accelopt memory list --task " >out &&
	test "$(cat out)" = tiny
'

test_title "a list of tasks for bench, one after the other"
test_ok '
	tiny_repo && completes "git accelopt bench --tasks " >out &&
	test "$(cat out)" = tiny &&
	completes "git accelopt bench --tasks=silu,t" >out &&
	test "$(cat out)" = silu,tiny &&
	completes "git accelopt bench --suite=" >out &&
	test "$(cat out)" = nkibench &&
	completes "git accelopt bench --published trn" >out && says trn1 out
'

test_title "winners can be shown, journals not"
test_ok '
	tiny_repo && run=accelopt/tiny/20261130T021054-7f3a9c01 &&
	git branch $run/all && git branch $run/best &&
	completes "git accelopt show acc" >out && test "$(cat out)" = $run/best
'

test_done
