// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/experts.hpp"

#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

// Nothing else is known of them: a figure would be a guess.
[[noreturn]] void refuse_program(const char* operation) {
    refuse_with(operation, ": its program is not modelled, so that no memory can be told");
}

}  // namespace

Tensor FusedRmsMinimal::call() const {
    return in_operation(*this, [&]() -> Tensor { refuse_program("fused_rms_minimal"); });
}

std::vector<Tensor> experimental::AllToAllDispatchMetadata::call() const {
    return in_operation(*this,
                        [&]() -> std::vector<Tensor> { refuse_program("all_to_all_dispatch_metadata"); });
}

std::vector<Tensor> experimental::MoeCompute::call() const {
    return in_operation(*this, [&]() -> std::vector<Tensor> { refuse_program("moe_compute"); });
}

std::vector<Tensor> experimental::MoeGpt::call() const {
    return in_operation(*this, [&]() -> std::vector<Tensor> { refuse_program("moe_gpt"); });
}

Tensor experimental::SelectiveReduceCombine::call() const {
    return in_operation(*this, [&]() -> Tensor { refuse_program("selective_reduce_combine"); });
}

}  // namespace tilemeter
