// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/device/place/placed_size.hpp"

#include <utility>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/sizes.hpp"
#include "runtime/operations/core/launch.hpp"

namespace tilemeter::trace {

std::function<void(std::int64_t)> placed_by_size(const ir::Graph& graph, const std::string& name,
                                                 std::shared_ptr<Device> device, const ir::Sizes& others,
                                                 const PlaceOptions& options) {
    const std::set<std::string> names = ir::size_names(graph);
    if (!names.contains(name)) {
        std::string known;
        for (const std::string& each : names)
            known += (known.empty() ? "" : ", ") + each;
        throw ir::Error(ir::ErrorKind::kBadArgument,
                        "found the size '" + name + "', expected " +
                            (known.empty() ? "a graph with names in its dimensions" : "one of " + known));
    }
    return [graph, name, device = std::move(device), others, options](std::int64_t size) {
        ir::Sizes sizes = others;
        sizes[name] = size;
        Placed placed = place(at(graph, sizes), device, options);
        std::vector<Tensor> inputs;
        for (const TensorSpec& spec : placed.inputs())
            inputs.push_back(create_device_tensor(spec, device));
        placed.run(inputs);
    };
}

}  // namespace tilemeter::trace
