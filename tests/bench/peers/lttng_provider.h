/* SPDX-FileCopyrightText: 2026 tilemeter contributors */
/* SPDX-License-Identifier: Apache-2.0 */

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER tilemeter_peer
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/peers/lttng_provider.h"

#if !defined(TILEMETER_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TILEMETER_LTTNG_PROVIDER_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(tilemeter_peer, zone_begin, LTTNG_UST_TP_ARGS(int, name),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, name, name)))
LTTNG_UST_TRACEPOINT_EVENT(tilemeter_peer, zone_end, LTTNG_UST_TP_ARGS(int, name),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, name, name)))
#endif

#include <lttng/tracepoint-event.h>
