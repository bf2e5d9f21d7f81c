# SPDX-License-Identifier: MIT
# lib.sh - shell tests that print TAP; each runs in its own empty folder.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
PATH=$BUILD:$PATH GIT_CEILING_DIRECTORIES=$work
export PATH GIT_CEILING_DIRECTORIES
count=0 failed=0

test_title() { title=$1; }

test_ok() {
	count=$((count + 1))
	mkdir "$work/$count"
	if (cd "$work/$count" && eval "$1") >"$work/$count.out" 2>&1
	then
		echo "ok $count - $title"
	else
		echo "not ok $count - $title"
		sed 's/^/# /' "$work/$count.out"
		failed=1
	fi
}

test_done() {
	echo "1..$count"
	exit $failed
}
