# SPDX-License-Identifier: MIT
#
# lib.sh - tests in shell that print TAP, so that prove(1) can run them.
#
#	#!/bin/sh
#	# What this file is about.
#	. "$(dirname "$0")/lib.sh"
#
#	test_title 'a promise, as a sentence'
#	test_ok '
#		git init -q . &&
#		git accelopt init
#	'
#	test_done
#
# Each test runs in an empty folder and a shell of its own; it passes if its
# last command does, so chain them with &&.  What it prints is shown if it
# fails.  The program is $BUILD/git-accelopt, by default that of `make`.
#
# AO_TEST_KEEP=1 keeps the folders, and says where they are.

source_tree=$(cd "$(dirname "$0")/.." && pwd)
BUILD=$(cd "${BUILD:-$source_tree/build}" && pwd) || exit
if ! test -x "$BUILD/git-accelopt"
then
	echo "Bail out! There is no $BUILD/git-accelopt: run make first."
	exit 1
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/accelopt-test.XXXXXX") || exit
work=$(cd "$work" && pwd -P)
if test "${AO_TEST_KEEP-}"
then
	echo "# kept: $work"
else
	trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM HUP
fi

# Nothing of the user or the machine reaches a test, and nothing of a test them.
for name in $(env | sed -n 's/^\(GIT_[A-Z0-9_]*\)=.*/\1/p')
do
	unset "$name"
done
mkdir "$work/home"
HOME=$work/home
XDG_CACHE_HOME=${AO_TEST_CACHE:-$work/cache}
XDG_CONFIG_HOME=$work/home/.config XDG_DATA_HOME=$work/home/.local/share
GIT_CONFIG_GLOBAL=$work/home/.gitconfig GIT_CONFIG_SYSTEM=/dev/null
GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1
GIT_AUTHOR_NAME='A U Thor' GIT_AUTHOR_EMAIL=author@example.com
GIT_COMMITTER_NAME='C O Mitter' GIT_COMMITTER_EMAIL=committer@example.com
GIT_CEILING_DIRECTORIES=$work GIT_TERMINAL_PROMPT=0 GIT_EDITOR=:
GIT_ACCELOPT_DATA=$source_tree
PATH=$BUILD:$PATH
LC_ALL=C TZ=UTC TERM=dumb PAGER=cat
export HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
export GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
export GIT_ATTR_NOSYSTEM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_CEILING_DIRECTORIES
export GIT_TERMINAL_PROMPT GIT_EDITOR GIT_ACCELOPT_DATA
export PATH LC_ALL TZ TERM PAGER
unset CDPATH LANG LANGUAGE XDG_RUNTIME_DIR DEBIAN_FRONTEND
git config --global init.defaultBranch main

count=0 failed=0

# test_title SENTENCE: what the next test_ok or test_skip is about.
test_title() {
	title=$1
}

# test_ok COMMANDS: the test itself.
test_ok() {
	count=$((count + 1))
	mkdir "$work/$count"
	if (cd "$work/$count" && eval "$1") >"$work/$count.out" 2>&1 </dev/null
	then
		echo "ok $count - $title"
	else
		echo "not ok $count - $title"
		sed 's/^/# /' "$work/$count.out" >&2 # prove shows that
		failed=1
	fi
}

# test_skip REASON: count the test, but do not run it.
test_skip() {
	count=$((count + 1))
	echo "ok $count - $title # SKIP $1"
}

# test_ok_on_terminal COMMANDS: the same, for a test that uses script(1).
test_ok_on_terminal() {
	if command -v script >/dev/null
	then
		test_ok "$1"
	else
		test_skip 'there is no script(1)'
	fi
}

# test_skip_all REASON: none of this file can run here.
test_skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# The last line of each file.
test_done() {
	echo "1..$count"
	exit $failed
}
