# SPDX-License-Identifier: MIT
# bash completion for liestep; installed as share/bash-completion/completions/liestep.
#
# Commands, options and the names of methods, groups and forms are asked of the program itself.

# The words of `liestep [COMMAND] --help` under a headline that match a pattern.
_liestep_help() {
    local headline=$1 pattern=$2
    shift 2
    "${COMP_WORDS[0]}" "$@" --help 2>/dev/null |
        sed -n "/^$headline\$/,/^\$/p" | grep -oE -e "$pattern" | tr -d ' '
}

_liestep_names() {
    "${COMP_WORDS[0]}" "$@" --json 2>/dev/null | sed -n 's/^ *"name": "\(.*\)",*$/\1/p'
}

# YAML files, and directories on the way to them.
_liestep_scenarios() {
    local name
    while read -r name; do
        case $name in
        *.yaml | *.yml) COMPREPLY+=("$name") ;;
        *) [ -d "$name" ] && COMPREPLY+=("$name") ;;
        esac
    done < <(compgen -f -- "$1")
    compopt -o filenames 2>/dev/null || true
}

_liestep() {
    local word=$2 before=$3 command=${COMP_WORDS[1]} words=''
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        words="$(_liestep_help Commands '^  [a-z]+ ') --help --version"
    else
        case $before in
        -f | --from | --to) words=$(_liestep_names convert --list) ;;
        -g | --group) words=$(_liestep_names groups | grep -vx -e product -e own) ;;
        -r | --retraction) words='exp cay cayq skew' ;;
        -t | --tableau)
            case $command in
            convert) words=$(_liestep_names convert --list) ;;
            *) words=$("${COMP_WORDS[0]}" methods vprk | sed -n 's/^ *tableaux *//p') ;;
            esac
            ;;
        -s | --set)
            words=$("${COMP_WORDS[0]}" run --print-keys | sed -n 's/^| `\([a-z_.]*\)` .*/\1=/p')
            compopt -o nospace 2>/dev/null
            ;;
        -m | --methods) words="$("${COMP_WORDS[0]}" methods --words) all rk4" ;;
        *)
            case $word in
            -*) words="$(_liestep_help Options '--[a-z-]+' "$command")" ;;
            *)
                case $command in
                methods) words=$("${COMP_WORDS[0]}" methods --words) ;;
                check) words="$("${COMP_WORDS[0]}" methods --words) all" ;;
                *)
                    # those that take a scenario say so in their first line
                    "${COMP_WORDS[0]}" "$command" --help 2>/dev/null | sed 1q | grep -q SCENARIO.yaml &&
                        _liestep_scenarios "$word" && return
                    ;;
                esac
                ;;
            esac
            ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _liestep liestep
