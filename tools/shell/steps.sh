# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# Steps of a script: a title, a command, a time. Short while all is well, complete where something fails.
# Sourced. Needs: $log_folder, where a step's output is kept when it does not go to a terminal; $verbose, 0 or 1.

# step TITLE COMMAND...: runs the command; it fails as the command fails.
# On a terminal (or with verbose) the command writes where it likes. Else its output is shown if it fails.
step() {
    local title=$1 status=0 started=$SECONDS log
    shift
    if [ -t 1 ] || [ "${verbose:-0}" -eq 1 ]; then
        printf -- '-- %s\n' "$title"
        "$@" || status=$?
    else
        mkdir -p "${log_folder:?}"
        log=${log_folder}/${title//[^A-Za-z0-9]/_}.log
        printf -- '-- %s ... ' "$title"
        "$@" >"$log" 2>&1 </dev/null || status=$?
        if [ "$status" -eq 0 ]; then
            printf 'ok, %d s\n' $((SECONDS - started))
            # Worth repeating: what was installed, what a run of tests came to, what was left out.
            grep -E '^(installing |check_style: |[0-9]+% tests passed)|\((Skipped|Disabled)\)$' "$log" || true
            return 0
        fi
        printf 'failed\n'
        cat "$log"
    fi
    [ "$status" -eq 0 ] || printf '%s: failed: %s\n' "${0##*/}" "$title" >&2
    return "$status"
}
