#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt init: one commit, wherever it is run.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

clean() {
	test -z "$(git status --porcelain)" || {
		git status
		return 1
	}
	git fsck --strict --no-dangling
}

test_title "a suite arrives in one commit, with configuration"
test_ok '
	git init -q . && git commit -q --allow-empty -m first &&
	git accelopt init --suite nkibench >../out &&
	says "added " ../out && says matmul ../out && says silu ../out &&
	test $(git rev-list --count HEAD) = 2 &&
	for f in task.json reference.c kernel.c
	do
		cmp tasks/silu/$f "$source_tree/nkibench/tasks/silu/$f" || exit 1
	done &&
	test -f .accelopt/config &&
	git config -f .accelopt/config --list &&
	clean
'

test_title "some tasks of a suite can be chosen"
test_ok '
	git init -q . &&
	git accelopt init --suite nkibench silu matmul &&
	test "$(ls tasks | tr "\n" " ")" = "matmul silu " &&
	clean
'

test_title "without a suite there is only the configuration, all of it comments"
test_ok '
	git init -q . &&
	git accelopt init &&
	test "$(git ls-files)" = .accelopt/config &&
	test -z "$(git config -f .accelopt/config --list)" &&
	says "# beam = 3" .accelopt/config &&
	clean
'

test_title "the committed defaults are settings that are taken"
test_ok '
	tiny_repo &&
	git accelopt init &&
	sed -i "s/# \([A-Za-z]* = \)/\1/" .accelopt/config &&
	sed -i "s/beam = 3/beam = 4/" .accelopt/config &&
	git commit -q -a -m Settings &&
	git accelopt evolve tiny --dry-run >out &&
	grep "^  beam  *4" out
'

test_title "a second time it adds what is missing and keeps what is changed"
test_ok '
	git init -q . &&
	git accelopt init --suite nkibench silu &&
	echo "/* mine */" >>tasks/silu/kernel.c && git commit -q -a -m mine &&
	git accelopt init --suite nkibench silu matmul >out &&
	says "added matmul" out && says "already there: silu" out &&
	says "/* mine */" tasks/silu/kernel.c &&
	git rev-parse HEAD >before &&
	git accelopt init --suite nkibench silu matmul >out &&
	says "nothing to commit" out &&
	git rev-parse HEAD | cmp - before && rm before out &&
	clean
'

test_title "an unknown task or suite is named"
test_ok '
	git init -q . &&
	exits 128 git accelopt init --suite nkibench matmull 2>err &&
	says "did you mean '\''matmul'\''?" err &&
	exits 128 git accelopt init --suite nokibench 2>err &&
	says nokibench err &&
	exits 129 git accelopt init silu 2>err &&
	says "--suite nkibench" err &&
	! git rev-parse -q --verify HEAD
'

test_title "it works on an unborn branch"
test_ok '
	git init -q -b trunk . &&
	git accelopt init --suite nkibench silu &&
	test "$(git symbolic-ref --short HEAD)" = trunk &&
	test $(git rev-list --count HEAD) = 1 && clean
'

test_title "it works on a detached HEAD, and moves no branch"
test_ok '
	tiny_repo && git checkout -q --detach &&
	git accelopt init --suite nkibench silu &&
	exits 1 git symbolic-ref -q HEAD &&
	test $(git rev-list --count HEAD) = 2 &&
	test $(git rev-list --count main) = 1 && clean
'

test_title "it works in a bare repository"
test_ok '
	git init -q --bare . &&
	git accelopt init --suite nkibench silu &&
	git cat-file -e HEAD:tasks/silu/task.json &&
	git accelopt task list >out && says silu out &&
	git fsck --strict --no-dangling
'

test_title "it works in a linked worktree, and leaves the others alone"
test_ok '
	tiny_repo main-tree && cd main-tree &&
	git worktree add -q ../linked -b side && cd ../linked &&
	git accelopt init --suite nkibench silu && clean &&
	test -f tasks/silu/kernel.c &&
	cd ../main-tree && test ! -e tasks/silu && clean
'

test_title "it works in a submodule"
test_ok '
	tiny_repo inner && git init -q outer && cd outer &&
	git -c protocol.file.allow=always submodule --quiet add ../inner sub &&
	git commit -q -m outer && cd sub &&
	git accelopt init --suite nkibench silu && clean &&
	test -f tasks/silu/kernel.c
'

test_title "it works from a folder below the top"
test_ok '
	tiny_repo && mkdir -p deep/er && cd deep/er &&
	git accelopt init --suite nkibench silu &&
	test -f ../../tasks/silu/kernel.c && test ! -e tasks &&
	git -C ../.. accelopt task list >out && says silu out
'

test_title "paths may have blanks and letters of any script"
test_ok '
	mkdir "a b ü 漢" && cd "a b ü 漢" && tiny_repo &&
	git accelopt init --suite nkibench silu && clean &&
	git accelopt eval tiny
'

test_title "what is staged stays staged, what is changed stays changed"
test_ok '
	tiny_repo && echo staged >new && git add new &&
	echo "/* edited */" >>tasks/tiny/kernel.c &&
	git status --porcelain >../before &&
	git accelopt init --suite nkibench silu &&
	git status --porcelain | cmp - ../before &&
	git show --name-only --format= HEAD >files &&
	! grep -e new -e tiny files
'

test_title "a file in the way is named, and nothing is written"
test_ok '
	tiny_repo && mkdir tasks/silu && echo mine >tasks/silu/kernel.c &&
	git rev-parse HEAD >../before &&
	exits 128 git accelopt init --suite nkibench silu 2>err &&
	says tasks/silu/kernel.c err &&
	git rev-parse HEAD | cmp - ../before &&
	test "$(cat tasks/silu/kernel.c)" = mine &&
	test ! -e tasks/silu/task.json && test ! -e .accelopt
'

test_title "a branch in the way of the searches is named"
test_ok '
	tiny_repo && git branch accelopt &&
	exits 128 git accelopt init --suite nkibench silu 2>err &&
	says "accelopt" err && test ! -e tasks/silu &&
	git branch -d -q accelopt && git branch accelopt/silu &&
	exits 128 git accelopt init --suite nkibench silu 2>err &&
	says "accelopt/silu" err
'

test_title "so it is without a suite"
test_ok '
	tiny_repo && git branch accelopt && exits 128 git accelopt init 2>err &&
	says "branch '\''accelopt'\'' is in the way" err && test ! -e .accelopt &&
	git branch -d -q accelopt && git branch accelopt/tiny &&
	exits 128 git accelopt init 2>err &&
	says "branch '\''accelopt/tiny'\'' is in the way" err
'

test_title "the hint is for the tasks that are there"
test_ok '
	tiny_repo && git accelopt init 2>err &&
	says "git accelopt evolve tiny" err && ! grep suite err &&
	git init -q --bare none.git && cd none.git &&
	git accelopt init 2>err && says "init --suite nkibench" err
'

test_title "line ends are as the checkout wants them"
test_ok '
	git init -q . && git config core.autocrlf true &&
	git accelopt init --suite nkibench silu && clean &&
	git cat-file blob HEAD:tasks/silu/kernel.c |
		cmp - "$source_tree/nkibench/tasks/silu/kernel.c" &&
	git accelopt task show silu
'

test_title "no hook runs, nothing is signed, no remote is configured"
test_ok '
	tiny_repo && git remote add origin ../nowhere &&
	mkdir ../hooks && for hook in pre-commit commit-msg post-commit \
		prepare-commit-msg reference-transaction
	do
		printf "#!/bin/sh\nexit 1\n" >../hooks/$hook &&
		chmod +x ../hooks/$hook || exit 1
	done &&
	git config core.hooksPath ../hooks &&
	git config commit.gpgsign true && git config gpg.program false &&
	git config --get-regexp "^remote" >../before &&
	git accelopt init --suite nkibench silu &&
	git config --get-regexp "^remote" | cmp - ../before &&
	test $(git rev-list --count HEAD) = 2
'

test_title "it needs no user.name"
test_ok '
	git init -q . &&
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME \
		GIT_COMMITTER_EMAIL &&
	git accelopt init --suite nkibench silu && clean
'

test_title "a repository that cannot be written is left as it is"
test_ok '
	test $(id -u) = 0 || {
		tiny_repo && chmod -R a-w .git &&
		exits 128 git accelopt init --suite nkibench silu 2>err
		status=$?
		chmod -R u+w .git
		test $status = 0 && test ! -e tasks/silu && says "fatal: " err
	}
'

test_title "hints can be switched off"
test_ok '
	git init -q . &&
	git accelopt init --suite nkibench silu 2>err && says "hint: " err &&
	git init -q b && cd b && git config advice.accelopt false &&
	git accelopt init --suite nkibench silu 2>err && test ! -s err
'

test_done
