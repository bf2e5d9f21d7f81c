# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
# Completion of `git accelopt`, on top of git's own completion, which calls
# _git_accelopt and sets cur, prev, words, cword and __git_cmd_idx.

__git_accelopt_tasks()
{
	__git accelopt task list --json |
	sed -n 's/^{"name":"\([^"]*\)".*/\1/p'
}

# The runs of a task, or of all.
__git_accelopt_runs()
{
	__git for-each-ref --format='%(refname:lstrip=4)' \
		"refs/heads/accelopt/${1:-*}/*/all" | sed 's|/all$||'
}

# The first operand, from word $1 on, or nothing.
__git_accelopt_operand()
{
	local i
	for ((i = $1; i < cword; i++))
	do
		case ${words[i]} in
		--run | --task | --tasks | --suite | --sandbox | --published | --output | --base | --as-of | --planner | \
			--executor | --summarizer)
			i=$((i + 1)) ;;
		-*)
			;;
		*)
			echo "${words[i]}"
			return ;;
		esac
	done
}

# The suite that the line names, or nothing.
__git_accelopt_suite()
{
	local i
	for ((i = $1; i < cword; i++))
	do
		case ${words[i]} in
		--suite=*)
			echo "${words[i]#--suite=}" ;;
		--suite)
			echo "${words[i + 1]}" ;;
		esac
	done
}

# The last of a list with commas, of which $2 is typed, out of $1.
__git_accelopt_list()
{
	local before=""
	case $2 in
	*,*)
		before=${2%,*}, ;;
	esac
	__gitcomp_nl "$1" "$before" "${2##*,}" ""
}

# The values of option $1, of which $2 is typed, for task $3; or nothing.
__git_accelopt_value()
{
	case $1 in
	--suite)
		__gitcomp nkibench "" "$2" ;;
	--sandbox)
		__gitcomp "require prefer any" "" "$2" ;;
	--published)
		__gitcomp "trn1 trn2" "" "$2" ;;
	--planner | --executor | --summarizer)
		__gitcomp catalog "" "$2" ;;
	--resume | --run)
		__gitcomp_nl "$(__git_accelopt_runs "$3")" "" "$2" ;;
	--task)
		__gitcomp_nl "$(__git_accelopt_tasks)" "" "$2" ;;
	--tasks)
		__git_accelopt_list "$(__git_accelopt_tasks)" "$2" ;;
	--base | --as-of)
		__git_complete_refs --cur="$2" ;;
	*)
		return 1 ;;
	esac
}

# Journals are no candidates.
__git_accelopt_candidates()
{
	local ref all=()
	__git_complete_refs
	for ref in "${COMPREPLY[@]}"
	do
		case ${ref% } in
		*accelopt/*/*/all)
			;;
		*)
			all+=("$ref") ;;
		esac
	done
	COMPREPLY=("${all[@]}")
}

_git_accelopt()
{
	local first=$((__git_cmd_idx + 1)) command sub="" operand words_of task
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
	task=$(__git_accelopt_operand "$operand")
	case $cur in
	--*=*)
		__git_accelopt_value "${cur%%=*}" "${cur#*=}" "$task" && return ;;
	--*)
		# shellcheck disable=SC2086
		__gitcomp "$(__git accelopt $command $sub \
			--git-completion-helper)"
		return ;;
	esac
	case $prev in
	--resume)
		;; # its value stands behind a = alone
	--*)
		__git_accelopt_value "$prev" "$cur" "$task" && return ;;
	esac
	case $command in
	help)
		__gitcomp "$(__git accelopt --list-commands) tutorial formats" ;;
	init)
		words_of=$(__git_accelopt_suite "$operand")
		test -z "$words_of" ||
			__gitcomp_nl "$(__git accelopt --list-tasks "$words_of")" ;;
	task | log | report | evolve)
		__gitcomp_nl "$(__git_accelopt_tasks)" ;;
	eval)
		if [ -z "$task" ]
		then
			__gitcomp_nl "$(__git_accelopt_tasks)"
		else
			__git_complete_refs
		fi ;;
	show)
		__git_accelopt_candidates ;;
	esac
}
