#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line: options, help, exit statuses.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

test_title "-h prints the commands on stdout and exits with 129, anywhere"
test_ok '
	exits 129 git accelopt -h >out 2>err &&
	says "usage: git accelopt" out &&
	says "   evolve " out &&
	test ! -s err
'

test_title "-h of every command works outside a repository"
test_ok '
	git-accelopt --list-commands >commands &&
	test $(wc -l <commands) -ge 8 &&
	while read -r command
	do
		exits 129 git accelopt $command -h >out 2>err &&
		says "usage: git accelopt $command" out &&
		test ! -s err || exit 1
	done <commands
'

test_title "-h of a sub-command shows its options"
test_ok '
	exits 129 git accelopt task check -h >out &&
	says "usage: git accelopt task check" out &&
	says "--seed <n>" out
'

test_title "the judge is not for people: it is in no list"
test_ok '
	exits 129 git accelopt -h >out &&
	! grep "^   judge" out &&
	git-accelopt --list-commands >out &&
	! grep judge out
'

test_title "--version names the program and a version"
test_ok '
	git accelopt --version >out &&
	grep "^git-accelopt version [0-9a-z]" out
'

test_title "help lists the commands and is not wrong usage"
test_ok '
	git accelopt help >out &&
	says "   init " out
'

test_title "--help and help show the manual pages"
test_ok '
	mkdir bin &&
	printf "#!/bin/sh\necho man \"\$@\"\n" >bin/man &&
	chmod +x bin/man &&
	PATH=$PWD/bin:$PATH &&
	test "$(git-accelopt --help)" = "man git-accelopt" &&
	test "$(git accelopt evolve --help)" = "man git-accelopt-evolve" &&
	test "$(git accelopt task --help)" = "man git-accelopt-task" &&
	test "$(git accelopt task show --help)" = "man git-accelopt-task" &&
	test "$(git accelopt help eval)" = "man git-accelopt-eval" &&
	test "$(git accelopt help tutorial)" = "man gitaccelopt-tutorial" &&
	: man answers what is no page, as it does for git help &&
	test "$(git accelopt help foo)" = "man gitaccelopt-foo"
'

test_title "without man, --help says how to get help"
test_ok '
	mkdir bin &&
	ln -s "$BUILD/git-accelopt" bin/ &&
	PATH=$PWD/bin exits 128 git-accelopt eval --help 2>err &&
	says "cannot run man" err
'

test_title "an unknown command is answered with the nearest one"
test_ok '
	exits 129 git accelopt evovle silu 2>err >out &&
	says "did you mean '\''evolve'\''?" err &&
	test ! -s out &&
	exits 129 git accelopt task shwo 2>err &&
	says "did you mean '\''show'\''?" err
'

test_title "what is near no command is answered with none"
test_ok '
	exits 129 git accelopt foo 2>err &&
	says "'\''foo'\'' is not a command of git accelopt" err &&
	! grep "did you mean" err
'

test_title "a task where an option is expected is answered with the option"
test_ok '
	exits 129 git accelopt bench silu 2>err &&
	says "did you mean '\''--tasks silu'\''?" err &&
	exits 129 git accelopt memory list silu 2>err &&
	says "did you mean '\''--task silu'\''?" err
'

test_title "an unknown option is answered with the nearest one and the usage"
test_ok '
	exits 129 git accelopt evolve --baem=3 x 2>err &&
	says "did you mean '\''--beam'\''?" err &&
	says "usage: git accelopt evolve" err
'

test_title "a command with commands of its own asks which"
test_ok '
	exits 129 git accelopt task 2>err &&
	says "which of its commands?" err &&
	says "git accelopt task check" err
'

test_title "a number out of range names option and range"
test_ok '
	tiny_repo &&
	exits 129 git accelopt evolve tiny --beam=0 2>err &&
	says "--beam: '\''0'\'' is not a whole number from 1 to 64" err &&
	exits 129 git accelopt evolve tiny --max-time=5x 2>err &&
	says "--max-time" err
'

test_title "a number out of range in the configuration names key and range"
test_ok '
	tiny_repo &&
	git config accelopt.beam many &&
	exits 128 git accelopt evolve tiny 2>err &&
	says "accelopt.beam: '\''many'\'' is not a whole number from 1 to 64" err
'

test_title "an option goes before the configuration, that before the default"
test_ok '
	tiny_repo &&
	beam() { git "$@" --dry-run | sed -n "s/^  beam *//p"; } &&
	test $(beam accelopt evolve tiny) = 3 &&
	git config accelopt.beam 5 &&
	test $(beam accelopt evolve tiny) = 5 &&
	test $(beam -c accelopt.beam=6 accelopt evolve tiny) = 6 &&
	test $(beam -c accelopt.beam=6 accelopt evolve tiny --beam=7) = 7
'

test_title "the committed configuration stands behind git's, and sets no command"
test_ok '
	tiny_repo &&
	mkdir .accelopt &&
	printf "[accelopt]\nbeam = 9\nrunner = false\n" >.accelopt/config &&
	git add . && git commit -q -m "Settings" &&
	git accelopt evolve tiny --dry-run >out &&
	grep "^  beam  *9" out &&
	git -c accelopt.beam=4 accelopt evolve tiny --dry-run >out &&
	grep "^  beam  *4" out &&
	git accelopt eval tiny
'

test_title "an operand too many or too few is wrong usage"
test_ok '
	tiny_repo &&
	exits 129 git accelopt evolve 2>err &&
	says "an argument is missing: <task>" err &&
	exits 129 git accelopt evolve tiny extra 2>err &&
	says "one argument too many: '\''extra'\''" err &&
	exits 129 git accelopt eval tiny --compare HEAD 2>err &&
	says "an argument is missing: <b>" err
'

test_title "a closed pipe ends a command quietly"
test_ok '
	tiny_repo &&
	for i in 1 2 3 4 5 6 7 8; do cp -r tasks/tiny tasks/tiny$i &&
		sed -i "s/\"name\": \"tiny\"/\"name\": \"tiny$i\"/" \
			tasks/tiny$i/task.json || exit 1; done &&
	git accelopt task list 2>err | : &&
	test ! -s err
'

test_title "output that cannot be written is not success"
test_ok '
	test ! -c /dev/full || {
		tiny_repo &&
		exits 128 git accelopt task list >/dev/full 2>err &&
		says "cannot write to standard output" err
	}
'

test_title "an error names its causes, and their places when traced"
test_ok '
	exits 128 git accelopt task list 2>err &&
	head -n 1 err | grep "^fatal: " &&
	exits 128 env GIT_ACCELOPT_TRACE=1 git accelopt task list 2>err &&
	head -n 1 err | grep "(src/[a-z/]*\.c:[0-9]*)$"
'

test_title "nothing in a name steers the terminal"
test_ok '
	tiny_repo &&
	exits 128 git accelopt task show "$(printf "a\033[31mb")" 2>err &&
	! grep "$(printf "\033")" err
'

test_title "what is no command of a command points at its commands"
test_ok '
	exits 129 git accelopt memory frob 2>err &&
	says "'\''frob'\'' is not a command of git accelopt memory" err &&
	says "usage: git accelopt memory list" err &&
	says "'\''git accelopt memory -h'\'' lists the commands" err &&
	exits 129 git accelopt frob 2>err &&
	says "'\''git accelopt -h'\'' lists the commands" err
'

test_done
