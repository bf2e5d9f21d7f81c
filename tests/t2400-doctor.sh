#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt doctor, and the sandbox that accelopt.sandbox asks for.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"

# doctor ARGUMENTS: what it says, with its status in $status.
doctor() {
	git accelopt doctor "$@" >out 2>err
	status=$?
	test ! -s err
}

# Whether kernels and compilers both have namespaces here.
has_namespaces() {
	test "$(git accelopt doctor |
		grep -c "^ok  *\(kernels\|compilers\) in  *namespaces")" -eq 2
}

test_title "one screen tells of tools, sandbox and machine"
test_ok '
	doctor && test $status -le 1 &&
	test "$(wc -l <out)" -le 40 &&
	for topic in git compiler "kernels in" "compilers in" CPUs priority \
		"timing lock" clock noise ceilings temporary memory /dev/shm
	do
		grep -E "^(ok|warning|error) +$topic " out || exit 1
	done &&
	grep "^ok  *git  *git version" out
'

test_title "what does not keep evaluation from working costs no status"
test_ok '
	doctor && if grep "^error" out; then test $status -eq 1
	else test $status -eq 0; fi
'

test_title "it needs no repository"
test_ok '
	exits 128 git rev-parse --git-dir && doctor && test $status -le 1
'

test_title "without a compiler it says what to install"
test_ok '
	mkdir bin && for tool in git sh uname man
	do
		ln -s "$(command -v $tool)" bin/$tool || exit 1
	done &&
	exits 1 env PATH="$PWD/bin" "$BUILD/git-accelopt" doctor >out &&
	grep "^error  *compiler  *there is none" out &&
	says "install gcc or clang" out
'

test_title "a compiler that makes no objects is told"
test_ok '
	mkdir bin && cat >bin/cc <<-\SH &&
	#!/bin/sh
	test "$1" = --version && echo "gcc (Broken) 1.0" && exit
	exit 1
	SH
	chmod +x bin/cc &&
	exits 1 env PATH="$PWD/bin:$PATH" git accelopt doctor >out &&
	grep "^error  *compiler  *gcc 1.0, .*/bin/cc, makes no object" out
'

test_title "a folder for temporary files that is not there is told"
test_ok '
	exits 1 env TMPDIR="$PWD/none" git accelopt doctor >out &&
	grep "^error  *temporary  *.*/none cannot be written to" out &&
	says "TMPDIR" out
'

test_title "--json has the same, as one object"
test_ok '
	doctor --json && test "$(wc -l <out)" -eq 1 &&
	says "{\"works\":" out && says "\"topic\":\"CPUs\"" out &&
	says "\"state\":\"ok\"" out
'

test_title "what accelopt.sandbox can be is told to who sets it wrong"
test_ok '
	tiny_repo && git config accelopt.sandbox maybe &&
	exits 129 git accelopt doctor 2>err && says "require" err &&
	exits 129 git accelopt eval tiny 2>err && says "require" err &&
	exits 129 git accelopt evolve tiny --dry-run 2>err &&
	exits 129 git accelopt task check 2>err &&
	exits 129 git accelopt bench --tasks tiny 2>err
'

test_title "where there are namespaces, requiring them changes nothing"
if (cd "$work" && has_namespaces)
then
	test_ok '
		tiny_repo && git config accelopt.sandbox require &&
		git accelopt eval tiny --json >out &&
		says "\"verdict\":\"PASSED\"" out &&
		says "\"sandbox\":\"namespaces\"" out &&
		says "\"compiler_sandbox\":\"namespaces\"" out
	'
else
	test_skip 'there are no namespaces here'
fi

# Where an ordinary user may make no namespaces inside of others, an evaluation
# within a chroot has none.
test_title "where there are none, who requires them is told what to do"
if test "$(id -u)" -eq 0 && command -v unshare >/dev/null &&
	unshare --user --map-root-user true 2>/dev/null
then
	test_ok '
		tiny_repo && cat >../without <<-\SH &&
		#!/bin/sh
		echo 0 >/proc/sys/user/max_mnt_namespaces
		exec "$@"
		SH
		chmod +x ../without &&
		set -- unshare --user --map-root-user ../without &&
		exits 0 "$@" git accelopt doctor >out &&
		grep "^warning  *kernels in  *\(landlock\|seccomp\): " out &&
		grep "^warning  *compilers in  *\(landlock\|seccomp\): " out &&
		exits 1 "$@" git accelopt doctor --sandbox=require >out &&
		grep "^error  *kernels in" out &&
		exits 128 "$@" git accelopt eval tiny --sandbox=require 2>err &&
		says "requires namespaces" err && says "git accelopt doctor" err &&
		exits 0 "$@" git accelopt eval tiny --json >out &&
		says "\"verdict\":\"PASSED\"" out &&
		grep "\"compiler_sandbox\":\"\(landlock\|seccomp\)\"" out
	'
else
	test_skip 'namespaces cannot be taken away here'
fi

test_done
