// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A function of arrays with sizes that have no number, as a workload on a device: what peak_sizes() of
// report/analysis/gate/peak_sizes.hpp asks at every size.
//
//   const auto at_batch = placed_by_size(*traced.graph, "b", device);
//   at_batch(32);      // the graph at b = 32, placed; its calls run on inputs of these shapes
//
// Thread safety: any thread, outside locking.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "capture/ir/dimension.hpp"
#include "runtime/trace/device/place/place.hpp"

namespace tilemeter::trace {

/// Makes inputs on the device, without values, and runs the calls. `others`: sizes of all other names. The call throws
/// what ir::at(), place() and TT-NN throw; of names that the graph does not have placed_by_size() throws ir::Error.
std::function<void(std::int64_t size)> placed_by_size(const ir::Graph& graph, const std::string& name,
                                                      std::shared_ptr<Device> device,
                                                      const ir::Sizes& others = {},
                                                      const PlaceOptions& options = {});

}  // namespace tilemeter::trace
