#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt eval: whatever a kernel does is a verdict.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

# verdict NAME: what the file kernel.c gets.
verdict() {
	exits "$(test "$1" = PASSED && echo 0 || echo 1)" \
		git accelopt eval tiny --file kernel.c --json >out 2>err &&
	says "\"verdict\":\"$1\"" out && test ! -s err
}

test_title "a right kernel passes, with time, floor and percentage of peak"
test_ok '
	tiny_repo && git accelopt eval tiny >out &&
	says "PASSED" out && says main out && says odd out &&
	grep "main .* [mun]s .* % " out && says "built with" out
'

test_title "a case on request is judged by name, alone, or with all the others"
test_ok '
	tiny_repo && tiny_request &&
	git accelopt eval tiny >out && says odd out && ! grep large out &&
	git accelopt eval tiny --case large >out &&
	grep "large .* [mun]s .* % " out && ! grep -e main -e odd out &&
	git accelopt eval tiny --case=large,main --json >out &&
	says "{\"case\":\"main\"" out && says "{\"case\":\"large\"" out &&
	! grep odd out &&
	git accelopt eval tiny --all-cases >out &&
	says main out && says odd out && says large out
'

test_title "what is wrong on a case on request is found by who asks"
test_ok '
	tiny_repo && tiny_request &&
	tiny_kernel "y[i][j] = x[i][j] * x[i][j] + (M != 300);" >kernel.c &&
	verdict PASSED &&
	exits 1 git accelopt eval tiny --file kernel.c --all-cases >out &&
	says "INCORRECT_NUMERICAL: case '\''large'\''" out
'

test_title "compare times each case that is named"
test_ok '
	tiny_repo && tiny_request && git commit -q -a -m "Ask for more" &&
	git accelopt eval tiny --compare HEAD HEAD --case large,odd >out
	status=$?
	test $status = 1 || test $status = 2 || exit 1
	grep "^odd: [0-9a-f]* against [0-9a-f]*: " out &&
	grep "^large: [0-9a-f]* against [0-9a-f]*: " out && ! grep "^main" out
'

test_title "a case that is not there is refused, and the likely one named"
test_ok '
	tiny_repo && tiny_request &&
	exits 128 git accelopt eval tiny --case odd,larg 2>err &&
	says "task '\''tiny'\'' has no case '\''larg'\''; did you mean" err &&
	exits 129 git accelopt eval tiny --case odd, 2>err &&
	says "empty name" err &&
	exits 129 git accelopt eval tiny --case odd --all-cases 2>err &&
	says "exclude each other" err
'

test_title "the answer as JSON has what the text has"
test_ok '
	tiny_repo && git accelopt eval tiny --seed 7 --json >out &&
	test $(wc -l <out) = 1 &&
	for key in task candidate verdict cases percent_of_peak floor_ns \
		median_ns flags machine seed evaluator
	do
		says "\"$key\":" out || exit 1
	done
'

test_title "the kernel may be a commit's, a file or the work tree's"
test_ok '
	tiny_repo && id=$(git rev-parse HEAD:tasks/tiny/kernel.c) &&
	tiny_kernel "y[i][j] = 0;" >tasks/tiny/kernel.c &&
	exits 1 git accelopt eval tiny --json >out &&
	says $(git hash-object tasks/tiny/kernel.c) out &&
	git accelopt eval tiny HEAD --json >out && says $id out &&
	git show HEAD:tasks/tiny/kernel.c >file.c &&
	git accelopt eval tiny --file file.c --json >out && says $id out
'

test_title "a kernel that does not compile gets a verdict with the compiler's words"
test_ok '
	tiny_repo && echo "void kernel(" >kernel.c && verdict COMPILE_ERROR &&
	exits 1 git accelopt eval tiny --file kernel.c >out && says error out
'

test_title "what a failing kernel did not come to is no zero"
test_ok '
	tiny_repo && echo "void kernel(" >kernel.c && verdict COMPILE_ERROR &&
	says "{\"case\":\"main\"}" out && ! grep ":0[,}]" out &&
	exits 1 git accelopt eval tiny --file kernel.c >out &&
	grep "^main  *-  *-  *-  *-  *-  *-$" out
'

test_title "a wrong answer is a verdict"
test_ok 'tiny_repo && tiny_kernel "y[i][j] = x[i][j];" >kernel.c &&
	verdict INCORRECT_NUMERICAL'

test_title "NaN is a wrong answer"
test_ok 'tiny_repo && tiny_kernel "y[i][j] = __builtin_nanf(\"\");" >kernel.c &&
	verdict INCORRECT_NUMERICAL'

test_title "doing nothing is a wrong answer"
test_ok 'tiny_repo && tiny_kernel ";" >kernel.c && verdict INCORRECT_NUMERICAL'

test_title "a crash is a verdict"
test_ok 'tiny_repo && tiny_kernel "*(volatile int *)0 = 1;" >kernel.c &&
	verdict RUNTIME_ERROR'

test_title "leaving is a verdict"
test_ok 'tiny_repo && { echo "#include <stdlib.h>" &&
	tiny_kernel "exit(0);"; } >kernel.c &&
	exits 1 git accelopt eval tiny --file kernel.c --json >out &&
	grep -e "\"verdict\":\"RUNTIME_ERROR\"" -e "\"verdict\":\"BANNED\"" out'

test_title "a loop for ever is ended and is a verdict"
test_ok 'tiny_repo && tiny_kernel "for (volatile int k = 1; k;);" >kernel.c &&
	verdict TIMEOUT'

test_title "starting processes is a verdict, and none is left"
test_ok 'tiny_repo && {
		echo "#include <unistd.h>" &&
		tiny_kernel "if (!fork()) for (;;) sleep(77777);"
	} >kernel.c &&
	exits 1 git accelopt eval tiny --file kernel.c --json >out &&
	grep -e "\"verdict\":\"RUNTIME_ERROR\"" -e "\"verdict\":\"BANNED\"" \
		-e "\"verdict\":\"TAMPERED\"" out'

test_title "printing without end is a verdict, and fills no memory"
test_ok 'tiny_repo && {
		echo "#include <stdio.h>" &&
		tiny_kernel "for (;;) puts(\"a long line of output to fill\");"
	} >kernel.c &&
	exits 1 git accelopt eval tiny --file kernel.c --json >out &&
	test $(wc -c <out) -lt 100000 &&
	! grep "\"verdict\":\"PASSED\"" out'

test_title "a flag that is not allowed is a verdict that names it"
test_ok 'tiny_repo && {
		echo "/* cflags: -Ofast */" && cat tasks/tiny/kernel.c
	} >kernel.c && verdict BANNED && says Ofast out'

test_title "redefining an axis is a verdict that names it"
test_ok 'tiny_repo && { printf "#undef M\n#define M 1\n" &&
	cat tasks/tiny/kernel.c; } >kernel.c && verdict BANNED'

test_title "what a compiler prints of a kernel steers no terminal"
test_ok 'tiny_repo && printf "#error \033]0;title\007 \033[31mred\n" >kernel.c &&
	exits 1 git accelopt eval tiny --file kernel.c >out &&
	! grep "$(printf "\033")" out && ! grep "$(printf "\007")" out'

test_title "a file that is too large, no file or a folder is an error"
test_ok 'tiny_repo &&
	exits 128 git accelopt eval tiny --file none.c 2>err && says none.c err &&
	mkdir empty && exits 128 git accelopt eval tiny --file empty 2>err &&
	head -c 2000000 /dev/zero >big.c &&
	exits 128 git accelopt eval tiny --file big.c 2>err && says big.c err'

test_title "an unknown commit is an error that names it"
test_ok 'tiny_repo && exits 128 git accelopt eval tiny nosuch 2>err &&
	says nosuch err'

test_title "a reference that does not build is the task's fault, not a verdict"
test_ok 'tiny_repo && echo "void reference(" >tasks/tiny/reference.c &&
	exits 128 git accelopt eval tiny 2>err >out && test ! -s out &&
	says reference err'

test_title "compare finds the faster of two, with evidence"
test_ok 'tiny_repo && tiny_kernel "{
		float s = 1;
		for (int k = 0; k < 40; k++)
			s += x[i][j] * (k % 2 ? 1.0f : -1.0f);
		y[i][j] = s + x[i][j] * x[i][j];
	}" >slow.c &&
	git accelopt eval tiny --compare slow.c HEAD >out &&
	says "faster" out && says evidence out &&
	exits 1 git accelopt eval tiny --compare HEAD slow.c --json >out &&
	says "\"decision\":\"slower\"" out'

test_title "compare answers 1 for a kernel that does not pass"
test_ok 'tiny_repo && tiny_kernel "y[i][j] = 0;" >wrong.c &&
	exits 1 git accelopt eval tiny --compare HEAD wrong.c --json >out &&
	says INCORRECT_NUMERICAL out'

test_title "a kernel is not faster than itself"
test_ok 'tiny_repo &&
	git accelopt eval tiny --compare HEAD HEAD --json >out
	status=$?
	test $status = 1 || test $status = 2'

test_title "what could be a commit or a file is refused"
test_ok 'tiny_repo && git branch both && cp tasks/tiny/kernel.c both &&
	exits 129 git accelopt eval tiny --compare HEAD both 2>err &&
	says "./both" err &&
	exits 128 git accelopt eval tiny --compare HEAD neither 2>err &&
	says "neither" err'

test_title "Ctrl-C ends it with 130, and its judge with it"
test_ok 'tiny_repo && tiny_kernel "for (volatile int k = 1; k;);" >kernel.c &&
	printf "#!/bin/sh\necho \$\$ >%s/judge.pid\nexec \"\$@\"\n" "$PWD" >run &&
	chmod +x run &&
	{ git-accelopt eval tiny --file kernel.c --runner ./run 2>err & } &&
	pid=$! && for i in $(seq 200)
	do
		test -s judge.pid && break
		sleep 0.1
	done &&
	kill -INT $pid
	wait $pid
	test $? = 130 && for i in $(seq 100)
	do
		kill -0 $(cat judge.pid) || break
		sleep 0.1
	done &&
	! kill -0 $(cat judge.pid)'

test_title "whatever the umask, a kernel can be loaded"
test_ok 'tiny_repo && umask 077 && git accelopt eval tiny >out && says PASSED out'

test_title "what the compiler prints at a kernel's bidding is no error of ours"
test_ok 'tiny_repo && { echo "#pragma message(\"No space left on device\")" &&
	cat tasks/tiny/kernel.c; } >kernel.c && verdict PASSED &&
	echo "#error No space left on device" >kernel.c && verdict COMPILE_ERROR'

test_title "nothing is written to the repository"
test_ok 'tiny_repo && find . -path ./.git/index -prune -o -print | sort >../before &&
	git accelopt eval tiny &&
	find . -path ./.git/index -prune -o -print | sort | cmp - ../before'

test_title "progress is shown on a terminal alone, unless it is asked for"
test_ok '
	tiny_repo && git accelopt eval tiny 2>err >/dev/null && test ! -s err &&
	git accelopt eval tiny --progress 2>err >out &&
	says "building, checking and timing ..." err && says PASSED out &&
	! grep "$(printf "\r")" err &&
	{ git accelopt eval tiny --compare HEAD tasks/tiny/kernel.c \
		--progress 2>err >/dev/null || :; } &&
	says "timing both kernels, in turns ..." err
'

test_title "a terminal shows progress, unless it is not wanted"
test_ok_on_terminal '
	tiny_repo && TERM=xterm script -qec "git accelopt eval tiny" \
		../typescript >/dev/null &&
	says "building, checking and timing ..." ../typescript &&
	TERM=xterm script -qec "git accelopt eval tiny --no-progress" \
		../typescript >/dev/null &&
	! grep "building, checking" ../typescript
'

test_done
