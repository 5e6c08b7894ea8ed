// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The functions that take results of others. Lists mention a tensor anew each time it is met, and Python gives returned
// tensors new ids; mentions are one tensor if they lie in one buffer or have one id.
//
//   ttnn.multiply                       ttnn.add
//     BinaryNgDeviceOperation ─ 8 ┐       BinaryNgDeviceOperation ◀─ 9     8, 9: mentions of one buffer
//                                 └───────────────▲
//
// Thread safety: const calls are free.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/memory/memory_lifetimes.hpp"
#include "report/analysis/nodes/node_list.hpp"

namespace tilemeter::analysis {

/// A function and one of the tensors that it takes.
struct TensorUse {
    std::uint32_t tensor;               ///< the mention, a tensor node
    std::uint32_t consumer;             ///< scope
    std::uint32_t producer = kNoIndex;  ///< scope that ended last with it as an output; kNoIndex: none did
    std::uint32_t first_mention;        ///< the first tensor node met as an input that is the same tensor
};

/// In the order of the functions, and of their inputs. A function that writes in place counts as the producer
/// for those after it.
std::vector<TensorUse> find_tensor_uses(const NodeList& list, const MemoryLifetimes& lifetimes);

/// The functions beside each other through which a tensor goes: of producer and consumer the outermost that
/// do not hold both. Without a producer `from` is kNoIndex and `to` the outermost function.
struct FlowEnds {
    std::uint32_t from;
    std::uint32_t to;
};
FlowEnds flow_ends(const Scopes& scopes, const TensorUse& use);

/// Operands and results of a function: tensor nodes, each tensor once.
struct ScopeTensors {
    std::vector<std::uint32_t> inputs;
    std::vector<std::uint32_t> outputs;
};
/// By scope. Scopes opened from Python, and some operations, name no tensors of their own: their inputs are
/// what functions in them take from outside, their outputs what is taken from them, else what the last
/// function in them gave.
std::vector<ScopeTensors> tensors_of_scopes(const NodeList& list, const Scopes& scopes,
                                            const std::vector<TensorUse>& uses);

/// "tensor 12", or "tensor of node 7" where it has no id.
std::string tensor_name(const NodeList& list, std::uint32_t tensor);
/// "Shape([1, 32]) BFLOAT16 TILE", as far as it is known.
std::string tensor_type(const NodeList& list, std::uint32_t tensor);

}  // namespace tilemeter::analysis
