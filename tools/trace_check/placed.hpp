// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Recorded functions on a device.
//
// Thread safety: outside locking.

#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter::trace_check {

/// No TT-NN call computes these operations.
class CannotBePlaced : public std::runtime_error {
public:
    explicit CannotBePlaced(std::vector<std::string> found)
        : std::runtime_error("cannot be placed"), operations(std::move(found)) {}
    std::vector<std::string> operations;
};

/// The values of a graph of calls, computed by TT-NN calls on the device. Throws CannotBePlaced, and what place() and
/// Placed::run() throw.
std::vector<ir::Constant> placed_values(const ir::Graph& graph, std::span<const ir::Constant> inputs,
                                        const std::shared_ptr<Device>& device);

}  // namespace tilemeter::trace_check
