# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# A temporary folder that has to be empty in the end. Sourced.

# in_scratch COMMAND...: runs it with a temporary folder of its own; fails as the command does, or where something stayed
# there, and says what.
in_scratch() {
    local scratch left status=0
    scratch=$(mktemp -d)
    TMPDIR=$scratch "$@" || status=$?
    left=$(find "$scratch" -mindepth 1 -maxdepth 1 -printf '%f ')
    rm -rf "$scratch"
    if [ -n "$left" ]; then
        echo "left in the temporary folder: $left" >&2
        [ "$status" -ne 0 ] || status=1
    fi
    return "$status"
}
