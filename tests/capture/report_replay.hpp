// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Emits the events that a given node list tells of, as the runtime would have emitted them: recording them
// must give that node list again.

#pragma once

#include <nlohmann/json_fwd.hpp>

namespace tilemeter::test {

/// `graph`: the nodes of a report in TT-NN's dialect.
void emit_events_of(const nlohmann::json& graph);

/// `graph` without what no two runs have in common (durations) and what TT-NN gets wrong and we say
/// otherwise: the device_tensors of views name each chip as a mesh of its own.
nlohmann::json comparable(nlohmann::json graph);

}  // namespace tilemeter::test
