#!/bin/sh
# SPDX-License-Identifier: MIT
# git accelopt report: what searches came to, on a page.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
. "$(dirname "$0")/lib-run.sh"

test_title "report has the winning lineage, all verdicts and what was learned"
test_ok '
	run_repo && git accelopt report --text tiny >out &&
	says "Run $(made run)" out && says "machine: Some CPU, 2 cores" out &&
	says "best: x2.84 [2.83..2.85] over the baseline" out &&
	says "x1.42 [1.38..1.46]   x1.42     4 %" out &&
	says "x2.00 [1.90..2.10]   x2.84     9 %" out &&
	says "5: 3 PASSED, 1 COMPILE_ERROR, 1 DUPLICATE" out &&
	says "Stream what is not read again" out
'

test_title "it fits 80 columns, and is text unless JSON is asked for"
test_ok '
	run_repo && git accelopt report >out &&
	git accelopt report --text >text && cmp text out &&
	test "$(awk "length > 80" out | wc -l)" = 0
'

test_title "--json has an object a line, the candidates as log has them"
test_ok '
	run_repo && git accelopt report --json | sort >out &&
	git accelopt log --json | sort >log && cmp log out
'

test_title "a repository without runs has nothing to report"
test_ok '
	tiny_repo && git accelopt report >out 2>err && ! test -s err
'

test_title "a clone without notes is told how to get them"
test_ok '
	run_repo && git clone -q . clone && cd clone &&
	git accelopt report >out 2>err && says "refs/notes/remotes/origin" err &&
	says "Run " out && says "best: its gain over the baseline is not known" out &&
	! grep " $" out
'

test_done
