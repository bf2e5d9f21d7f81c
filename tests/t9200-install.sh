#!/bin/sh
# SPDX-License-Identifier: MIT
# make install and uninstall.
. "$(dirname "$0")/lib.sh"

# From the build under test: nothing is compiled again.
make_it() {
	make -s -C "$source_tree" O="$BUILD" DESTDIR="$PWD/dest" prefix=/usr "$@"
}

# With other flags than those of the build, make would compile anew.
if ! make_it is-current
then
	test_skip_all "run make check: $BUILD was built with other flags"
fi

test_title 'program, pages, tasks and completion are put in place'
test_ok '
	make_it install &&
	test -x dest/usr/bin/git-accelopt &&
	test -f dest/usr/share/man/man1/git-accelopt.1 &&
	test -f dest/usr/share/man/man5/gitaccelopt-formats.5 &&
	test -f dest/usr/share/git-accelopt/nkibench/tasks/silu/task.json &&
	test -f dest/usr/share/bash-completion/completions/git-accelopt
'

test_title 'every page and every file of the suite is there, and only these'
test_ok '
	make_it install &&
	find dest/usr/share -type f | sed "s|.*/||" | sort >there &&
	{
		( cd "$source_tree" && ls docs/man &&
		find nkibench/tasks -type f ! -name ".*" | sed "s|.*/||" ) &&
		echo published.json && echo git-accelopt
	} | sort >here &&
	diff here there
'

test_title 'the installed program finds its tasks wherever it was put'
test_ok '
	make_it install &&
	unset GIT_ACCELOPT_DATA &&
	PATH=$PWD/dest/usr/bin:$PATH &&
	git init -q repo && cd repo &&
	git accelopt init --suite nkibench silu &&
	git accelopt task list &&
	git accelopt bench --published trn1
'

test_title 'git help finds the pages'
test_ok '
	make_it install &&
	mkdir bin && printf "#!/bin/sh\necho \"\$*\"\n" >bin/man &&
	chmod +x bin/man &&
	PATH=$PWD/bin:$PATH git help accelopt >out &&
	cat out && grep "^git-accelopt$" out
'

test_title 'uninstall removes all of it and nothing else'
test_ok '
	mkdir -p dest/usr/bin dest/usr/share/man/man1 &&
	echo keep >dest/usr/bin/other &&
	echo keep >dest/usr/share/man/man1/other.1 &&
	make_it install &&
	make_it uninstall &&
	find dest ! -type d | sort >left &&
	printf "dest/usr/bin/other\ndest/usr/share/man/man1/other.1\n" |
	diff - left &&
	! test -e dest/usr/share/git-accelopt
'

test_title 'uninstall where nothing is installed is fine'
test_ok 'make_it uninstall'

test_title 'folders can be chosen, with blanks in them'
test_ok '
	make -s -C "$source_tree" O="$BUILD" install \
		DESTDIR="$PWD/a b" prefix=/opt/x bindir=/opt/x/tools &&
	test -x "a b/opt/x/tools/git-accelopt" &&
	test -f "a b/opt/x/share/man/man1/git-accelopt.1"
'

test_title 'so can the prefix be, of which uninstall leaves nothing'
test_ok '
	make -s -C "$source_tree" O="$BUILD" install prefix="$PWD/x y" &&
	test -x "x y/bin/git-accelopt" &&
	test -f "x y/share/man/man1/git-accelopt.1" &&
	test -f "x y/share/git-accelopt/nkibench/tasks/silu/task.json" &&
	test -f "x y/share/bash-completion/completions/git-accelopt" &&
	make -s -C "$source_tree" O="$BUILD" uninstall prefix="$PWD/x y" &&
	test -z "$(find "x y" -type f)"
'

test_title 'nothing is written to the source tree'
test_ok '
	git -C "$source_tree" status --porcelain >before 2>/dev/null || : >before
	make_it install && make_it uninstall &&
	{ git -C "$source_tree" status --porcelain 2>/dev/null || :; } >after &&
	diff before after
'

test_done
