// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/trace_check/placed.hpp"

#include "runtime/trace/device/place/place.hpp"

namespace tilemeter::trace_check {

std::vector<ir::Constant> placed_values(const ir::Graph& graph, std::span<const ir::Constant> inputs,
                                        const std::shared_ptr<Device>& device) {
    std::vector<std::string> refused = trace::unplaceable(graph);
    if (!refused.empty()) throw CannotBePlaced(std::move(refused));
    return trace::place(graph, device).run(inputs);
}

}  // namespace tilemeter::trace_check
