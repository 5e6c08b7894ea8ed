# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

# $shared: the folder of the recordings and judges that are too large for the repository. Sourced, after
# tools/shell/arguments.sh. Needs: $script, the path of a script below tests/.
shared=$(readlink -m "${TILEMETER_SHARED:-${script%/tests/*}/../shared}")
# Scripts skip what is not there; a wrong name would skip all of them.
if [ -n "${TILEMETER_SHARED-}" ] && [ ! -d "$shared" ]; then
    refuse "TILEMETER_SHARED: expected a folder, found $TILEMETER_SHARED"
fi
