#!/bin/sh
# SPDX-License-Identifier: MIT
#
# nkibench.sh - all of NKIBench with both baselines, as a page of Markdown.
#
# Takes hours.  In a repository that is thrown away; with BENCH_REPO=FOLDER in
# that one, which is kept, and gone on with if it is there.  BENCH_OPTIONS are
# more options of `git accelopt bench`, such as "--tasks silu,bmm".
set -eu
source_tree=$(cd "$(dirname "$0")/../../.." && pwd)
PATH=$BUILD:$PATH
GIT_ACCELOPT_DATA=$source_tree
export PATH GIT_ACCELOPT_DATA

if test "${BENCH_REPO-}"
then
	work=$BENCH_REPO
else
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM HUP
fi
if ! test -d "$work/.git"
then
	git init -q "$work"
	git -C "$work" config user.name bench
	git -C "$work" config user.email bench@localhost
	# Nothing writes there any more once it is to be removed.
	git -C "$work" config gc.autoDetach false
fi
cd "$work"
git accelopt init --suite nkibench >/dev/null 2>&1
# shellcheck disable=SC2086
git accelopt bench --suite nkibench --resume ${BENCH_OPTIONS-}
