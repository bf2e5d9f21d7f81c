#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench_loops.sh [FOLDER...] - how much of public C programs the rewriter takes.
#
# Fetches five programs that compute as Debian source packages, once, into
# $BUILD/loops, and lets bench_loops count the loops of each and of NKIBench's
# tasks; or of the folders named, instead.  Without network or apt-get it says
# so and succeeds.  Fails if a file does not come back byte for byte, or fewer
# than 95 of 100 loops are canonical.
set -eu
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
packages='fftw3 gsl lame minimap2 openblas'
suite=bookworm
least=95
folder=$BUILD/loops

# fetch PACKAGE: its sources as Debian's mirror has them, unpacked.
fetch() {
	test -d "$folder/$1" && return
	rm -rf "$folder/new"
	mkdir -p "$folder/new" "$folder/apt/lists" "$folder/apt/cache"
	echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian $suite main" \
		>"$folder/apt/sources.list"
	set -- "$1" -qq -o APT::Sandbox::User=root \
		-o Dir::Etc::sourcelist="$folder/apt/sources.list" \
		-o Dir::Etc::sourceparts=- \
		-o Dir::State::lists="$folder/apt/lists" \
		-o Dir::Cache="$folder/apt/cache"
	package=$1
	shift
	test -n "$(ls "$folder/apt/lists")" || apt-get "$@" update
	( cd "$folder/new" && apt-get "$@" source --download-only "$package" ) &&
	for archive in "$folder/new"/*.orig.tar.*
	do
		case $archive in
		*.asc) ;;
		*) tar -xf "$archive" -C "$folder/new" ;;
		esac
	done &&
	mv "$folder/new" "$folder/$package"
}

if test $# = 0
then
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	if ! test -r "$keyring" || ! command -v apt-get >/dev/null
	then
		echo 'skipped: no apt-get of Debian here'
		exit 0
	fi
	for package in $packages
	do
		if ! fetch "$package" >"$folder.log" 2>&1
		then
			echo "skipped: cannot fetch $package, see $folder.log"
			exit 0
		fi
		set -- "$@" "$folder/$package"
	done
	set -- "$source_tree/nkibench/tasks" "$@"
fi
"$BUILD/bench/bench_loops" "$@" | tee "$folder.table"
awk -v least=$least '
	$1 == "all" { whole = $3 == $2; percent = $7 }
	END { exit !(whole && percent >= least) }
' "$folder.table"
