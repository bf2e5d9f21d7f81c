#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation says what the program does.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib-cli.sh"
man=$source_tree/docs/man

# Long options of a command or sub-command, as the program has them.
options_of() {
	git-accelopt "$@" --git-completion-helper |
	sed 's/ -- .*//' | tr ' ' '\n' |
	sed -n 's/^--\([a-z-]*\)=\{0,1\}$/\1/p'
}

# Every option of a command, with those of its sub-commands.
all_options_of() {
	case $1 in
	task | memory)
		for sub in $(git-accelopt "$1" --git-completion-helper)
		do
			options_of "$1" "$sub"
		done ;;
	*)
		options_of "$1" ;;
	esac | sort -u
}

# Long options that a page describes: those in the heads of its lists.
documented_options() {
	sed -n 's/^\.It .*Fl Fl \([a-z][a-z-]*\).*/\1/p' "$1" | sort -u
}

test_title "each command has a page, and git-accelopt(1) lists it"
test_ok '
	for command in $(git-accelopt --list-commands)
	do
		test -f "$man/git-accelopt-$command.1" &&
		says ".It Cm $command" "$man/git-accelopt.1" &&
		says ".Xr git-accelopt-$command 1" "$man/git-accelopt.1" || exit 1
	done
'

test_title "each option is in its page, and each in a page is one"
test_ok '
	for command in $(git-accelopt --list-commands)
	do
		all_options_of $command >program &&
		documented_options "$man/git-accelopt-$command.1" >page &&
		echo "$command:" && diff program page || exit 1
	done
'

test_title "each letter is in its page"
test_ok '
	for command in $(git-accelopt --list-commands)
	do
		git-accelopt $command -h | sed -n "s/^    -\(.\), .*/\1/p" |
		while read -r letter
		do
			grep "^\.It Fl $letter " "$man/git-accelopt-$command.1" ||
				exit 1
		done || exit 1
	done
'

test_title "each configuration key in the source is in git-accelopt(1)"
test_ok '
	grep -oh "\"\(accelopt\|advice\)\.[a-zA-Z]*\"" "$source_tree"/src/*/*.c |
		tr -d "\"" | sort -u >keys &&
	test $(wc -l <keys) -ge 15 &&
	tr A-Z a-z <"$man/git-accelopt.1" >page &&
	while read -r key
	do
		says $(echo $key | tr A-Z a-z) page || exit 1
	done <keys
'

test_title "the defaults in git-accelopt-evolve(1) are the program's"
test_ok '
	tiny_repo && git accelopt evolve tiny --dry-run >plan &&
	for pair in beam:beam plans:plans samples:samples \
		iterations:iterations fix-rounds:fixRounds insights:insights \
		memory:memory max-evals:maxEvals seed:seed \
		positive-threshold:positiveThreshold \
		negative-threshold:negativeThreshold
	do
		value=$(sed -n "s/^  ${pair%:*}  *//p" plan) &&
		grep "^\.Pq Li accelopt.${pair#*:} , No $value[ ;.]" \
			"$man/git-accelopt-evolve.1" || exit 1
	done
'

test_title "each entry of the catalogue is in git-accelopt-evolve(1)"
test_ok '
	sed -n "s/^	\.name = \"\(.*\)\",$/\1/p" "$source_tree"/src/rewrite/move_*.c |
	sort >moves && test -s moves &&
	while read -r move
	do
		grep -qx "\.It Cm $move" "$man/git-accelopt-evolve.1" ||
		{ echo "missing: $move"; return 1; }
	done <moves
'

test_title "each word for a site is in git-accelopt-memory(1)"
test_ok '
	sed -n "s/.*ao_offer(offers, [a-z\"]*, \"\([a-z_,]*\)\",.*/\1/p
		s/.*[?] \"\([a-z_,]*\)\" : \"\([a-z_,]*\)\", [0-9.]*,.*/\1,\2/p
		s/.*xstrf(\"\([a-z_]*\)%s%s.*/\1/p
		s/.*\"\(,[a-z_]*\)\".*/\1/p
		/flags\[\] =/,/^};/s/.*, \"\([a-z]*\)\", [0-9]*, [0-9.]*,$/\1/p" \
		"$source_tree"/src/rewrite/move_*.c |
	tr , "\n" | sed "/^$/d" | sort -u >words && test $(wc -l <words) -ge 20 &&
	while read -r word
	do
		grep -qx "\.It Cm $word" "$man/git-accelopt-memory.1" ||
		{ echo "missing: $word"; return 1; }
	done <words
'

test_title "each verdict is in git-accelopt(1)"
test_ok '
	sed -n "s/.*= \"\([A-Z][A-Z_]*\)\",.*/\1/p" \
		"$source_tree/src/model/verdict.c" >verdicts &&
	test $(wc -l <verdicts) -ge 19 &&
	while read -r verdict
	do
		says $verdict "$man/git-accelopt.1" || exit 1
	done <verdicts
'

test_title "each page has its exit statuses and passes mandoc"
test_ok '
	for page in "$man"/git-accelopt*.1
	do
		says ".Sh EXIT STATUS" $page || exit 1
	done &&
	{
		! command -v mandoc ||
		mandoc -T lint -W warning "$man"/*
	}
'

test_title "each manual page that is referred to exists"
test_ok '
	sed -n "s/^\.Xr \(git-\{0,1\}accelopt[a-z-]*\) \([0-9]\).*/\1.\2/p" \
		"$man"/* | sort -u | while read -r page
	do
		test -f "$man/$page" || { echo "no $page"; exit 1; }
	done
'

test_title "the suite's README has a row for each case of each task"
test_ok '
	readme=$source_tree/nkibench/README.md &&
	git init -q . && git accelopt init --suite nkibench &&
	git accelopt task list --json >tasks.json &&
	sed "s/.*\"name\":\"\([^\"]*\)\".*\"cases\":\[\([^]]*\)\].*/\1,\2/" \
		tasks.json | tr -d "\"" | while IFS=, read -r task cases
	do
		for case in $(echo "$cases" | tr , " ")
		do
			echo "$task $case"
		done
	done >wanted &&
	sed -n "s/^| .\([a-z_]*\). | .\([^ |]*\)\`\( \*\)\{0,1\} | .* | .* x .*/\1 \2/p" \
		"$readme" >found &&
	test $(wc -l <found) -ge 14 && diff wanted found
'

test_title "the commands of README's tour run"
test_ok '
	sed -n "/^<!-- tour -->/,/^\`\`\`$/s/^\$ //p" "$source_tree/README.md" >tour &&
	test $(wc -l <tour) -ge 10 &&
	sed -i "s/--max-evals 12/--max-evals 3/" tour &&
	git config --global core.pager cat &&
	sh -e ./tour
'

test_title "the commands of the tutorial run"
test_ok '
	git config --global core.pager cat &&
	sed -n "s/^\$ //p" "$man/gitaccelopt-tutorial.7" |
		sed "s/--max-evals 30/--max-evals 3/" >tour &&
	test $(wc -l <tour) -ge 15 &&
	sed -i "s|accelopt/silu/<run>/best|\$best|
	/^git branch --list/a best=\$(git for-each-ref --format=\"%(refname)\" \"refs/heads/accelopt/silu/*/best\")
	" tour &&
	sed -i "s/--compare HEAD tasks.silu.kernel.c/& || test \$? -le 2/" tour &&
	printf "#!/bin/sh\nsed -i %s \"\$1\"\n" \
		"\"s/1.0f + expf/1.0f + 0.0f * sinf(x[i][j]) + expf/\"" >edit &&
	chmod +x edit && EDITOR=$PWD/edit sh -e ./tour
'

test_title "paths in architecture.md exist"
test_ok '
	cd "$source_tree" &&
	grep -o "\`[a-z]*/[a-z_/]*\.[chs]*\`" docs/architecture.md | tr -d "\`" |
	sort -u | while read -r path
	do
		test -e src/$path || test -e $path || {
			echo "no $path"
			exit 1
		}
	done
'

test_done
