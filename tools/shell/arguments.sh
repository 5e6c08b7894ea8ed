# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# Arguments of a script: its help, and what it does not know. Sourced. Needs: $script, the script's own path.

# show_help: the comment at the head of the script, below its licence.
show_help() {
    awk 'NR > 3 { if (/^#/) { sub(/^# ?/, ""); print; any = 1 } else if (any) exit }' "${script:?}"
}

# refuse WHAT: one line about wrong usage, and exit status 2.
refuse() {
    printf '%s: %s (see --help)\n' "${script##*/}" "$1" >&2
    exit 2
}

# refuse_options ARGUMENT...: for scripts that take no options but --help: shows that and ends, or refuses the others, up to
# `--`. What is left is in $operands.
refuse_options() {
    operands=()
    while [ $# -gt 0 ]; do
        case $1 in
            --help | -h)
                show_help
                exit 0
                ;;
            --)
                shift
                operands+=("$@")
                return
                ;;
            -?*) refuse "unknown option '$1'" ;;
            *) operands+=("$1") ;;
        esac
        shift
    done
}
