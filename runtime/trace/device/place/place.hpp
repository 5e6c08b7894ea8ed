// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs of flat primitives as TT-NN calls on a device's tensors.
//
//   Placed placed = place(graph, device);                    // refuses what has no TT-NN call, runs nothing
//   const std::vector<ir::Constant> values = placed.run({x, y});
//
// f64 and f32 are FLOAT32, bf16 is BFLOAT16, i32 and u32 INT32 and UINT32, bool what TT-NN's comparisons return: 1 or
// 0 in the dtype that was compared. A scalar has shape [1] on the device. What branch a conditional takes and whether a
// loop goes on is read on the host; only the branch taken runs.
//
// Thread safety: outside locking.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/graph.hpp"
#include "runtime/device/device.hpp"
#include "runtime/tensor/tensor.hpp"

namespace tilemeter::trace {

struct PlaceOptions {
    MemoryConfig memory_config = DRAM_MEMORY_CONFIG;  ///< of inputs, constants and results; interleaved
    Layout layout = Layout::TILE;                     ///< of inputs and results; all between them is TILE
    std::optional<DataType> dtype{};                  ///< of all floats: FLOAT32 or BFLOAT16; none: their own
};

class Placed {
public:
    Placed(Placed&&) noexcept;
    Placed& operator=(Placed&&) noexcept;
    ~Placed();

    /// The flat graph.
    [[nodiscard]] const ir::Graph& flat() const;
    /// The calls, as a graph of the operation set "ttnn": equations such as ttnn.add, types with places. Holders of
    /// graphs stay what they are in the flat graph.
    [[nodiscard]] const ir::Graph& calls() const;
    /// The specs that run() expects of its inputs.
    [[nodiscard]] std::vector<TensorSpec> inputs() const;

    /// Tensors as inputs() says, in the order of the parameters. Throws ir::Error for another number (kWrongArity)
    /// and, naming the parameter, another shape or dtype; what TT-NN throws where a call fails: OutOfMemoryError.
    std::vector<Tensor> run(std::span<const Tensor> inputs);

    /// The same with values: to the device and back. Throws ir::Error for other types than the parameters'.
    std::vector<ir::Constant> run(std::span<const ir::Constant> inputs);

private:
    friend Placed place(const ir::Graph& graph, const std::shared_ptr<Device>& device,
                        const PlaceOptions& options);
    class Program;
    explicit Placed(std::unique_ptr<Program> program);

    std::unique_ptr<Program> program_;
};

/// Places a graph of calls or of flat primitives. All calls are planned before: what TT-NN refuses is refused here. The
/// graph's constants are sent to the device and stay there as long as the result. Throws ir::Error: what lower() and
/// verify() find; kNoRule, naming the primitive, for one that unplaceable() lists, or whose TT-NN call does not take
/// such tensors; kBadArgument for options that are not modelled. Throws OutOfMemoryError.
Placed place(const ir::Graph& graph, const std::shared_ptr<Device>& device, const PlaceOptions& options = {});

/// The primitives of the graph, each once, that no TT-NN call computes: "convolution", or with the element type that it
/// is not computed for, "sort of i32". Throws as lower().
std::vector<std::string> unplaceable(const ir::Graph& graph);

}  // namespace tilemeter::trace
