# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# lib-bench.sh - a repository for a benchmark, and the tool of this tree in it.
#
# The caller has set source_tree, and BUILD is where the tool was built.  With
# BENCH_REPO=FOLDER the repository is that folder, kept, and gone on with if it
# is there; else it is thrown away.

PATH=$BUILD:$PATH
# shellcheck disable=SC2154
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
	git -C "$work" config advice.accelopt false
	# Nothing writes there any more once it is to be removed.
	git -C "$work" config gc.autoDetach false
fi
cd "$work" || exit
