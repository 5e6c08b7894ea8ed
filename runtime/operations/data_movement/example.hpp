// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// TT-NN's examples of how an operation is written: copies of a tensor, in interleaved DRAM.

#pragma once

#include <vector>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct CompositeExample {
    Tensor input_tensor{};

    static constexpr OperationInfo kOperation{"composite_example", "A copy of a copy, in interleaved DRAM."};
    static constexpr auto kParameters = parameters(required<&CompositeExample::input_tensor>());
    Tensor body() const;
};

struct CompositeExampleMultipleReturn {
    Tensor input_tensor{};
    bool return_output1 = true;
    bool return_output2 = true;

    static constexpr OperationInfo kOperation{
        "composite_example_multiple_return",
        "Two copies in interleaved DRAM, each None unless it is asked for; at least one is."};
    static constexpr auto kParameters =
        parameters(required<&CompositeExampleMultipleReturn::input_tensor>(),
                   optional<&CompositeExampleMultipleReturn::return_output1,
                            &CompositeExampleMultipleReturn::return_output2>());
    std::vector<OptionalTensor> body() const;
};

inline constexpr Operation<CompositeExample> composite_example;
inline constexpr Operation<CompositeExampleMultipleReturn> composite_example_multiple_return;

}  // namespace tilemeter
