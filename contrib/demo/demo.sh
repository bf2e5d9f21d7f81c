#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh [FOLDER] - from an empty folder to faster kernels, in three minutes.
#
# Makes a kernel repository in FOLDER (else in a new one below $TMPDIR), lets
# the embedded agent work on three tasks, and shows what git then holds.  The
# folder is kept.  `make demo` runs this with the program that was just built.
set -eu

folder=${1-$(mktemp -d "${TMPDIR:-/tmp}/accelopt-demo.XXXXXX")}
tasks='matmul silu bmm_softmax'

step() {
	printf '\n==> %s\n' "$*"
}

# Show a command, then run it.
run() {
	step "$*"
	"$@"
}

mkdir -p "$folder"
cd "$folder"
git init -q
git config advice.accelopt false

# shellcheck disable=SC2086
run git accelopt init --suite nkibench $tasks
run git accelopt task list

# silu moves 64 MB a call, and the judge looks at each of them: it gets fewer.
run git accelopt evolve matmul --max-evals 12 --max-time 40s --beam 2 --plans 4
run git accelopt evolve silu --max-evals 5 --max-time 40s --beam 2 --plans 3
run git accelopt evolve bmm_softmax --max-evals 12 --max-time 40s --beam 2 \
	--plans 4

run git --no-pager accelopt log silu
run git --no-pager accelopt report --text

# The winner of a task's search.
best_of() {
	git for-each-ref --sort=-refname --count=1 \
		--format='%(refname:short)' "refs/heads/accelopt/$1/*/best"
}

step 'the winners once more against the baseline, on new inputs'
for task in $tasks
do
	printf '%s, ' "$task"
	git accelopt eval "$task" --compare HEAD "$(best_of "$task")" |
		head -n 1
done

step 'the same in plain git: the lineage of the winners'
for task in $tasks
do
	best_of "$task"
	git --no-pager log --format='    %h %s' "HEAD..$(best_of "$task")"
done

cat <<TEXT

All of it is in $folder. To look further:

    cd $folder
    PATH=$(dirname "$(command -v git-accelopt)"):\$PATH
    git accelopt log matmul
    git accelopt memory list
    git log --graph --oneline --branches='accelopt/silu/*'
    git log -p HEAD..$(best_of silu)
    git log --notes='refs/notes/accelopt/*/profile' --branches='accelopt/*'
    git fsck --strict
    rm -rf $folder
TEXT
