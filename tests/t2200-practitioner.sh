#!/bin/sh
# SPDX-License-Identifier: MIT
# The practitioner's baseline: a kernel of the task's own that may link a
# library, to be timed against.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-evolve.sh"

# usual LIBRARIES <BODY: give the tiny task a practitioner's baseline.
usual() {
	sed -i "s|^  \"kernel\": .*|  \"practitioner\": { \"file\": \"usual.c\", \
\"libraries\": [$1] },\n&|" tasks/tiny/task.json &&
	cat >tasks/tiny/usual.c
}

# The product by the library; a comment lest it be the same file as another.
product() {
	cat <<-\C
	void cblas_sgemm(int layout, int trans_a, int trans_b, int m, int n,
			 int k, float alpha, const float *a, int lda,
			 const float *b, int ldb, float beta, float *c,
			 int ldc);
	void kernel(const float a[M][K], const float b[K][N], float c[M][N])
	{
		cblas_sgemm(101, 111, 111, M, N, K, 1, a[0], K, b[0], N, 0,
			    c[0], N);
	}
	C
}

test_title "a kernel is timed against the practitioner's, and the answer says so"
test_ok '
	tiny_repo && tiny_kernel "y[i][j] = x[i][j] * x[i][j] + 1;" |
		usual "" &&
	for i in 1 2 3; do echo "for (volatile int w = 0; w < 300000; w++);"; done >spin &&
	sed -i "/^{/r spin" tasks/tiny/usual.c &&
	git accelopt eval tiny --practitioner >out &&
	says "main: work tree against practitioner: faster, x" out &&
	says "tiny, work tree: PASSED" out
'

test_title "as JSON it is what was timed against"
test_ok '
	tiny_repo && tiny_kernel "y[i][j] = 1 + x[i][j] * x[i][j];" |
		usual "" && git add . && git commit -q -m usual &&
	id=$(git rev-parse HEAD:tasks/tiny/usual.c) &&
	{ git accelopt eval tiny HEAD --practitioner --json >out || test $? -le 2; } &&
	says "\"against\":{\"name\":\"practitioner\",\"kernel\":\"$id\"}" out
'

test_title "a task without one says so, and --compare names its own"
test_ok '
	tiny_repo && exits 128 git accelopt eval tiny --practitioner 2>err &&
	says "no practitioner'\''s baseline" err &&
	exits 129 git accelopt eval tiny --practitioner --compare a b 2>err
'

test_title "a file that is not there is named with its line in task.json"
test_ok '
	tiny_repo && usual "" </dev/null && rm tasks/tiny/usual.c &&
	exits 128 git accelopt eval tiny --practitioner 2>err &&
	says "tasks/tiny/task.json:11: practitioner.file: there is no file" err
'

test_title "a check of the task looks at it, and names its file and line"
test_ok '
	tiny_repo && tiny_kernel "y[i][j] = x[i][j] * x[i][j] + 1" |
		usual "" && exits 1 git accelopt task check >out &&
	grep "FAIL the practitioner.s baseline, usual.c, .*: usual.c:5:[0-9]*: error: " out &&
	says "tiny: NOT SOUND" out &&
	tiny_kernel "y[i][j] = i ? x[i][j] * x[i][j] + 1 : 0;" >tasks/tiny/usual.c &&
	exits 1 git accelopt task check >out &&
	grep "FAIL the practitioner.s baseline.* is not right: .*first .0..0." out &&
	tiny_kernel "y[i][j] = 1 + x[i][j] * x[i][j];" >tasks/tiny/usual.c &&
	git accelopt task check >out &&
	says "ok   the practitioner'\''s baseline, usual.c, agrees" out
'

test_title "one that is wrong is an error, not an opponent"
test_ok '
	tiny_repo && tiny_kernel "y[i][j] = x[i][j];" | usual "" &&
	exits 128 git accelopt eval tiny --practitioner 2>err &&
	says "is not right" err
'

test_title "a library that is not installed is named, with its package"
test_ok '
	product_repo . && product | usual "\"openblas\"" &&
	mkdir bin && cat >bin/cc <<-SH &&
	#!/bin/sh
	case \$1 in
	-print-file-name=libopenblas*) echo libopenblas.so; exit ;;
	esac
	exec $(command -v cc) "\$@"
	SH
	chmod +x bin/cc &&
	PATH=$PWD/bin:$PATH exits 128 git accelopt eval tiny --practitioner 2>err &&
	says "the library '\''openblas'\'' is not installed" err &&
	says libopenblas-dev err &&
	PATH=$PWD/bin:$PATH git accelopt task check >out &&
	says "baseline: not looked at: the library" out
'

if ! "$source_tree/contrib/deps/install-deps" --check bench >/dev/null 2>&1
then
	test_title "the library is there for the baseline alone"
	test_skip "there is no libopenblas-dev"
	test_done
	exit
fi

test_title "the library is there for the baseline, with one thread"
test_ok '
	product_repo . && product | usual "\"openblas\"" &&
	{ git accelopt eval tiny --practitioner >out || test $? -le 2; } &&
	says "main: work tree against practitioner:" out
'

test_title "a check of the task looks at a baseline with its library"
test_ok '
	product_repo . && product | usual "\"openblas\"" &&
	git accelopt task check >out && says "usual.c, agrees with" out
'

test_title "the library is not there for a candidate"
test_ok '
	product_repo . && product | usual "\"openblas\"" &&
	cp tasks/tiny/usual.c tasks/tiny/kernel.c &&
	exits 1 git accelopt eval tiny >out &&
	says COMPILE_ERROR out && says cblas_sgemm out
'

test_done
