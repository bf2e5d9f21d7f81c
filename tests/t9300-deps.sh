#!/bin/sh
# SPDX-License-Identifier: MIT
# What make does on a machine where something is missing.  apt-get and the
# compiler are stand-ins that say how they were called.
. "$(dirname "$0")/lib.sh"
deps=$source_tree/contrib/deps/install-deps
unset CC PKG_CONFIG # of a make that runs us

# A machine with these programs alone; the others are stand-ins.
machine() {
	mkdir bin
	for program in sh env cat id grep "$@"
	do
		at=$(command -v "$program") || return 1
		case $at in
		/*) ln -s "$at" "bin/$program" ;;
		esac
	done
	PATH=$PWD/bin
}

# stand_in NAME COMMANDS: a program that runs them.
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1" && /bin/chmod +x "bin/$1"
}

test_title 'if nothing is missing, nothing is done and nothing is said'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config ":" &&
	stand_in git ":" && stand_in prove ":" && stand_in clang ":" &&
	stand_in apt-get "echo called >&2; exit 1" &&
	"$deps" build test >out 2>&1 && test ! -s out
'

test_title 'only what is missing is installed, after an update'
test_ok '
	machine &&
	stand_in cc ":" && stand_in git ":" && stand_in clang ":" &&
	stand_in pkg-config "test \"\$2\" != libcjson" &&
	stand_in id "echo 0" &&
	stand_in apt-get "echo apt-get \"\$DEBIAN_FRONTEND\" \"\$@\" >>calls" &&
	"$deps" build test >/dev/null &&
	cat calls &&
	test "$(cat calls)" = "apt-get  update -q
apt-get noninteractive install -q -y --no-install-recommends libcjson-dev perl"
'

test_title 'a user goes through sudo'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config ":" && stand_in git ":" &&
	stand_in clang ":" && stand_in id "echo 1000" &&
	stand_in sudo "echo sudo \"\$@\" >>calls" &&
	stand_in apt-get ":" &&
	"$deps" build test >/dev/null &&
	cat calls &&
	test "$(cat calls)" = "sudo apt-get update -q
sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
--no-install-recommends perl"
'

test_title 'without apt-get it says what to install, by name'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config "exit 1" &&
	! "$deps" build 2>err &&
	grep "libgit2-dev libcjson-dev libsodium-dev" err &&
	grep "dnf install" err
'

test_title 'a user without sudo is told so'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config "exit 1" &&
	stand_in id "echo 1000" && stand_in apt-get ":" &&
	! "$deps" build 2>err &&
	grep "not root" err && grep libgit2-dev err
'

test_title 'with --check nothing is installed'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config "exit 1" &&
	stand_in id "echo 0" && stand_in apt-get "echo called >>calls" &&
	! "$deps" --check build 2>err &&
	test ! -e calls && grep libgit2-dev err
'

test_title 'make says which package is missing and installs nothing'
test_ok '
	! make -s -C "$source_tree" O="$PWD/out" PKG_CONFIG=false all 2>err &&
	grep libgit2-dev err &&
	! grep "fatal error" err
'

test_title 'an installation that fails is an error'
test_ok '
	machine &&
	stand_in cc ":" && stand_in pkg-config "exit 1" &&
	stand_in id "echo 0" && stand_in apt-get "exit 100" &&
	! "$deps" build >/dev/null 2>err &&
	grep "could not install" err
'

test_done
