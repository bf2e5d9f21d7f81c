#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Evaluation where the machine lacks something or does odd things: it is judged
# all the same, or there is an error that says what is wrong; never a verdict
# that the kernel has not earned.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

# A machine of our own: what is mounted here nobody else sees.
if test "$(id -u)" -eq 0 && unshare --mount true 2>/dev/null
then
	can_mount=t
fi

# with_mounts: run what is read, a shell script, in a mount namespace.
with_mounts() {
	{
		echo ". '$source_tree/tests/lib-cli.sh' && set -eu" && cat
	} >../script && unshare --mount sh ../script
}

test_on_mounts() {
	if test "${can_mount-}"
	then
		test_ok "$1"
	else
		test_skip 'nothing can be mounted here'
	fi
}

passes() {
	git accelopt eval tiny --json "$@" >out && says '"verdict":"PASSED"' out
}

test_title "where no programs may be run from TMPDIR, kernels are judged"
test_on_mounts '
	tiny_repo && mkdir ../nx && with_mounts <<-\SH
	mount -t tmpfs -o noexec,mode=1777 none ../nx
	export TMPDIR="$PWD/../nx"
	git accelopt eval tiny
	git accelopt eval tiny --compare HEAD tasks/tiny/kernel.c || test $? -le 2
	git accelopt task check tiny
	git accelopt doctor >out || true
	grep "^warning  *temporary .*runs no programs" out
	command -v valgrind >/dev/null || exit 0
	git accelopt eval tiny --cachegrind >out
	says "mounted noexec; name another by TMPDIR" out
	SH
'

test_title "a full TMPDIR is an error that says so, however little is left"
test_on_mounts '
	tiny_repo && mkdir ../full && with_mounts <<-\SH
	for kib in 4 16 32 64 128
	do
		mount -t tmpfs -o size=${kib}k,mode=1777 none ../full
		exits 128 env TMPDIR="$PWD/../full" git accelopt eval tiny 2>err ||
		exit 1
		says "o space left on device" err
		umount ../full
	done
	mount -t tmpfs -o size=8m,mode=1777 none ../full
	TMPDIR=$PWD/../full git accelopt eval tiny
	SH
'

test_title "a TMPDIR that is read-only is an error that names it"
test_on_mounts '
	tiny_repo && mkdir ../ro && with_mounts <<-\SH
	mount -t tmpfs -o ro none ../ro
	exits 128 env TMPDIR="$PWD/../ro" git accelopt eval tiny 2>err || exit 1
	says "$PWD/../ro" err
	says "Read-only file system" err
	SH
'

test_title "no /dev/shm is needed"
test_on_mounts '
	tiny_repo && with_mounts <<-\SH
	for device in null zero urandom
	do
		touch $device && mount --bind /dev/$device $device
	done
	mount -t tmpfs none /dev
	for device in null zero urandom
	do
		touch /dev/$device && mount --bind $device /dev/$device
	done
	test ! -e /dev/shm
	git accelopt eval tiny
	git accelopt eval tiny --compare HEAD tasks/tiny/kernel.c || test $? -le 2
	SH
'

# as_nobody COMMAND...: as a user who owns nothing but this folder.
as_nobody() {
	chmod a+x "$work" "$PWD" && chown -R 65534:65534 "$PWD" &&
	env HOME="$PWD" XDG_CACHE_HOME="$PWD/cache" TMPDIR="$PWD" \
		GIT_CONFIG_GLOBAL=/dev/null setpriv --reuid=65534 --regid=65534 \
		--clear-groups --no-new-privs "$@"
}

test_title "an ordinary user judges, with namespaces or without"
if test "$(id -u)" -eq 0 && command -v setpriv >/dev/null &&
	setpriv --reuid=65534 "$BUILD/git-accelopt" --version >/dev/null 2>&1
then
	test_ok '
		tiny_repo && as_nobody git accelopt eval tiny --json >../out &&
		says "\"verdict\":\"PASSED\"" ../out &&
		chown -R 0:0 . && passes
	'
else
	test_skip 'no other user can be had here, or reach the program'
fi

test_title "on one CPU kernels are judged and compared"
if taskset -c 0 true 2>/dev/null
then
	test_ok '
		tiny_repo && taskset -c 0 git accelopt eval tiny &&
		taskset -c 0 git accelopt eval tiny --compare HEAD tasks/tiny/kernel.c --json >out ||
		test $? -le 2 && says "\"verdict\":\"PASSED\"" out
	'
else
	test_skip 'there is no taskset'
fi

# A wall clock that jumps by a day, back and forth, whenever it is read.
cat >"$work/jump.c" <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t jump(void)
{
	static int reads;

	return ++reads % 2 ? 86400 : -86400;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int failed = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
		now->tv_sec += jump();
	return failed;
}

time_t time(time_t *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (out)
		*out = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *out, void *zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*out = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}
C

test_title "a wall clock that jumps changes no verdict and no time"
if cc -shared -fPIC -o "$work/jump.so" "$work/jump.c" 2>/dev/null &&
	test "$(LD_PRELOAD=$work/jump.so date +%s)" -gt $(($(date +%s) + 80000))
then
	test_ok '
		tiny_repo && status=0 &&
		LD_PRELOAD=$work/jump.so git accelopt eval tiny \
			--compare HEAD tasks/tiny/kernel.c --json >out || status=$? &&
		test $status -le 2 && says "\"verdict\":\"PASSED\"" out &&
		tiny_kernel "for (;;) ;" >tasks/tiny/kernel.c &&
		exits 1 env LD_PRELOAD=$work/jump.so git accelopt eval tiny \
			--json >out && says "\"verdict\":\"TIMEOUT\"" out
	'
else
	test_skip 'its clock cannot be replaced'
fi

# reference STATEMENT: what the tiny task's reference does in place of its work.
reference() {
	printf 'void reference(const float x[M][N], double y[M][N])\n{\n%s\n}\n' \
		"$1" >tasks/tiny/reference.c
}

test_title "a reference that crashes, exits or forgets is the task's fault"
test_ok '
	tiny_repo && reference "*(volatile int *)8 = (int)x[0][0]; y[0][0] = 0;" &&
	exits 128 git accelopt eval tiny 2>err &&
	says "the reference was ended by signal 11" err &&
	reference "_Exit((int)(x[0][0] + y[0][0]) * 0 + 7);" &&
	sed -i "1i #include <stdlib.h>" tasks/tiny/reference.c &&
	exits 128 git accelopt eval tiny 2>err &&
	says "the reference exited with status 7" err &&
	reference "y[0][0] = x[0][0];" &&
	exits 128 git accelopt eval tiny 2>err && says "leaves nan" err
'

test_title "a reference that is wrong makes a task that is not sound"
test_ok '
	tiny_repo && sed -i "s/+ 1;/+ 2;/" tasks/tiny/reference.c &&
	exits 1 git accelopt task check tiny >out &&
	says "INCORRECT" out
'

test_title "a reference that is slow and writes without end is waited for"
test_ok '
	tiny_repo && sed -i "1i #include <stdio.h>" tasks/tiny/reference.c &&
	sed -i "s/^{/{\nfor (int k = 0; k < 30000000; k++) putchar(107);/" \
		tasks/tiny/reference.c && passes
'

# broken_tools COMMAND: programs in bin that do that and no more.
broken_tools() {
	mkdir -p bin && for tool in objdump llvm-mca valgrind
	do
		printf '#!/bin/sh\n%s\n' "$1" >"bin/$tool" && chmod +x "bin/$tool" ||
		return 1
	done
	# The one beside clang comes first.
	printf '#!/bin/sh\nexit 1\n' >bin/clang && chmod +x bin/clang
}

for kind in "exit 1" "echo GNU objdump 1.0: unknown option >&2; exit 2" \
	"echo what is this" "head -c 40000000 /dev/urandom" "kill -SEGV \$\$"
do
	test_title "tools of which each does '$kind' cost no verdict"
	test_ok '
		tiny_repo && broken_tools "$kind" &&
		PATH="$PWD/bin:$PATH" git accelopt eval tiny --cachegrind >out &&
		says "tiny, work tree: PASSED" out &&
		says "there is no objdump, or it fails" out &&
		grep "valgrind fails\|cachegrind does not tell" out
	'
done

test_title "without any of these tools there is a verdict, and they are named"
test_ok '
	tiny_repo && mkdir bin && for tool in git cc as ld sh
	do
		ln -s "$(command -v $tool)" bin/$tool || exit 1
	done &&
	PATH="$PWD/bin" "$BUILD/git-accelopt" eval tiny --cachegrind >out &&
	says "tiny, work tree: PASSED" out && says "there is no objdump" out &&
	says "valgrind is not installed" out
'

test_done
