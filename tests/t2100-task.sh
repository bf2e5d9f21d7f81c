#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt task: list, show, and the check that a task is sound.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

test_title "list has a line for each task"
test_ok '
	git init -q . && git accelopt init --suite nkibench &&
	git accelopt task list >out &&
	ls "$source_tree/nkibench/tasks" >names &&
	test $(wc -l <out) = $(wc -l <names) &&
	cut -d" " -f1 out | cmp - names
'

test_title "list as JSON has an object a line"
test_ok '
	tiny_repo && git accelopt task list --json >out &&
	says "{\"name\":\"tiny\",\"op_type\":\"elementwise\"" out &&
	says "\"cases\":[\"main\",\"odd\"]" out &&
	says "\"kernel_files\":[\"kernel.c\"]" out
'

test_title "what a task leaves out is left out"
test_ok '
	tiny_repo && sed -i "/op_type/d; /description/d" tasks/tiny/task.json &&
	git accelopt task list >out &&
	grep "^tiny      *2 cases  kernel.c$" out &&
	git accelopt task show tiny >out && says "task tiny (target c)" out &&
	! grep null out
'

test_title "show has inputs, outputs, cases and work"
test_ok '
	tiny_repo && git accelopt task show tiny >out &&
	says "x          float32 [M, N]" out &&
	says "relative L2 error at most 2e-05" out &&
	says "main       weight 1" out && says "M=256 N=512" out &&
	says "131 k fma" out && says "moves 1.05 MB" out
'

test_title "show and check tell of a case on request, check looks on request"
test_ok '
	tiny_repo && tiny_request &&
	git accelopt task show tiny >out &&
	says "large      weight 0, on request: M=300 N=512" out &&
	git accelopt task check tiny >out && ! grep large out &&
	says "on 2 cases" out &&
	git accelopt task check --all-cases tiny >out &&
	says "inputs of case large reproduce" out && says "on 3 cases" out
'

test_title "show as JSON is the definition on one line"
test_ok '
	tiny_repo && git accelopt task show tiny --json >out &&
	test $(wc -l <out) = 1 && says "\"independent_axis\":\"M\"" out
'

test_title "a sound task passes its check"
test_ok '
	tiny_repo && git accelopt task check tiny >out &&
	says "tiny: sound" out && ! grep FAIL out &&
	says "inputs of case main reproduce" out &&
	says "hard inputs of case main have answers" out &&
	says "the kernel agrees with the reference" out &&
	says "y all zero is refused: INCORRECT_NUMERICAL" out &&
	says "y all its mean is refused: INCORRECT_NUMERICAL" out &&
	says "y half computed is refused: INCORRECT_NUMERICAL" out &&
	says "y rounded to bf16 is refused: INCORRECT_NUMERICAL" out &&
	says "y a copy of x is refused: INCORRECT_NUMERICAL" out
'

test_title "each task of the suite is sound"
test_ok '
	git init -q . && git accelopt init --suite nkibench &&
	git accelopt task check >out && ! grep FAIL out &&
	test $(grep -c ": sound" out) = $(ls tasks | wc -l)
'

test_title "a kernel that disagrees with its reference is not sound"
test_ok '
	tiny_repo && tiny_kernel "y[i][j] = x[i][j];" >tasks/tiny/kernel.c &&
	exits 1 git accelopt task check tiny >out &&
	says "NOT SOUND" out && says INCORRECT_NUMERICAL out
'

test_title "a tolerance that lets bf16 pass is not sound"
test_ok '
	tiny_repo &&
	sed -i "s/2e-5/0.01/" tasks/tiny/task.json &&
	exits 1 git accelopt task check tiny >out &&
	says "FAIL y rounded to bf16 is refused: it passes" out
'

test_title "an answer that hardly depends on its input is not sound"
test_ok '
	tiny_repo &&
	sed -i "s/x\[i\]\[j\] \* x\[i\]\[j\] + 1/1 + 1e-9f * x[i][j]/;
		s/(double)x\[i\]\[j\] \* x\[i\]\[j\]/1e-9 * x[i][j]/" \
		tasks/tiny/kernel.c tasks/tiny/reference.c &&
	exits 1 git accelopt task check tiny >out &&
	says "FAIL y all its mean is refused: it passes" out
'

test_title "hard inputs on which the reference is not finite are told"
test_ok '
	tiny_repo &&
	sed -i "s/x\[i\]\[j\] \* x\[i\]\[j\] + 1/expf(x[i][j])/" \
		tasks/tiny/kernel.c &&
	sed -i "s/(double)x\[i\]\[j\] \* x\[i\]\[j\] + 1/exp(x[i][j])/" \
		tasks/tiny/reference.c &&
	sed -i "1i #include <math.h>" tasks/tiny/kernel.c tasks/tiny/reference.c &&
	git accelopt eval tiny >out && says PASSED out &&
	exits 1 git accelopt task check tiny >out &&
	says "FAIL hard inputs of case main have answers: " out &&
	says " of output '\''y'\''" out &&
	says " on hard inputs: x large; name the kinds" out &&
	sed -i "/inputs/s/\"float32\"/&, \"hard\": [\"equal\"]/" \
		tasks/tiny/task.json &&
	git accelopt task check tiny >out && says "tiny: sound" out
'

test_title "a reference that does not build or is not finite is not sound"
test_ok '
	tiny_repo && cp tasks/tiny/reference.c good.c &&
	echo "void reference(" >tasks/tiny/reference.c &&
	exits 1 git accelopt task check tiny >out && says "NOT SOUND" out &&
	sed "s/+ 1/+ 1.0 \/ (i - i)/" good.c >tasks/tiny/reference.c &&
	exits 1 git accelopt task check tiny >out && says "NOT SOUND" out
'

test_title "a task with a file missing is not sound, and the next is checked"
test_ok '
	tiny_repo && cp -r tasks/tiny tasks/bad && rm tasks/bad/kernel.c &&
	sed -i "s/\"name\": \"tiny\"/\"name\": \"bad\"/" tasks/bad/task.json &&
	exits 1 git accelopt task check >out 2>err &&
	grep "^  caused by: tasks/bad/task.json:11: kernel\[0\]: .*kernel.c" err &&
	says "tiny: sound" out
'

test_title "with a task that there is not none is checked"
test_ok '
	tiny_repo && exits 128 git accelopt task check tiny nosuch >out 2>err &&
	says nosuch err && test ! -s out
'

test_title "findings as JSON, one a line"
test_ok '
	tiny_repo && git accelopt task check --json >out &&
	test $(wc -l <out) -ge 8 &&
	! grep -v "^{\"task\":\"tiny\",\"ok\":true,\"what\":" out
'

test_title "in a bare repository tasks are those of HEAD"
test_ok '
	tiny_repo full && git clone -q --bare full bare && cd bare &&
	git accelopt task list >out && says tiny out &&
	git accelopt eval tiny >out && says "tiny, HEAD: PASSED" out
'

test_done
