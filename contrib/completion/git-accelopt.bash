# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Completion of `git accelopt`, on top of git's own completion, which calls
# _git_accelopt and sets cur, prev, words, cword and __git_cmd_idx.

__git_accelopt_tasks()
{
	__git accelopt task list --json |
	sed -n 's/^{"name":"\([^"]*\)".*/\1/p'
}

__git_accelopt_runs()
{
	__git for-each-ref --format='%(refname:lstrip=4)' \
		"refs/heads/accelopt/$1/*/all" | sed 's|/all$||'
}

# The values of --option=, or nothing.
__git_accelopt_value()
{
	case $cur in
	--suite=*)
		__gitcomp nkibench "" "${cur#--suite=}" ;;
	--planner=* | --executor=* | --summarizer=*)
		__gitcomp catalog "" "${cur#*=}" ;;
	--resume=*)
		__gitcomp_nl "$(__git_accelopt_runs "$1")" "" "${cur#--resume=}" ;;
	--base=* | --as-of=*)
		__git_complete_refs --cur="${cur#*=}" ;;
	*)
		return 1 ;;
	esac
}

_git_accelopt()
{
	local first=$((__git_cmd_idx + 1)) command sub="" operand words_of
	command=${words[first]-}

	if [ "$cword" -le "$first" ]
	then
		__gitcomp "$(__git accelopt --list-commands) help"
		return
	fi
	case $command in
	task | memory)
		sub=${words[first + 1]-}
		if [ "$cword" -eq $((first + 1)) ]
		then
			words_of=$(__git accelopt "$command" \
				--git-completion-helper)
			__gitcomp "$words_of"
			return
		fi
		operand=$((first + 2)) ;;
	*)
		operand=$((first + 1)) ;;
	esac
	case $cur in
	--*=*)
		__git_accelopt_value "${words[operand]-}" && return ;;
	--*)
		# shellcheck disable=SC2086
		__gitcomp "$(__git accelopt $command $sub \
			--git-completion-helper)"
		return ;;
	esac
	case $command in
	help)
		__gitcomp "$(__git accelopt --list-commands) tutorial formats" ;;
	init | task | log | report | evolve)
		__gitcomp_nl "$(__git_accelopt_tasks)" ;;
	eval)
		if [ "$cword" -eq "$operand" ]
		then
			__gitcomp_nl "$(__git_accelopt_tasks)"
		else
			__git_complete_refs
		fi ;;
	show)
		__git_complete_refs ;;
	esac
}
