// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/bench/peers/lttng_provider.h"
#include "tests/bench/peers/zones.hpp"

int main(int argc, char** argv) {
    return peers::run(argc, argv, [] {
        lttng_ust_tracepoint(tilemeter_peer, zone_begin, 1);
        lttng_ust_tracepoint(tilemeter_peer, zone_end, 1);
    });
}
