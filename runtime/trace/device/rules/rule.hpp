// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Facts about TT-NN's operations beside running them: one row for each, with its columns. The rows stand in the files
// of the families.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/trace/device/rules/gradient_call.hpp"
#include "runtime/trace/device/rules/lowering_call.hpp"

namespace tilemeter::trace::rules {

/// The column lower: what a call computes, in flat primitives.
struct Lowering {
    const char* tensors = "";  ///< the parameters that are tensors, in order: "input_tensor weight bias"
    std::function<lowering::Values(const lowering::Call&)> values{};  ///< none: it has no lowering
};

/// The column vjp: how the gradients of a call's tensors are made of those of its results, in TT-NN calls.
struct Gradient {
    /// The values that it reads: parameters, "result", "result1"; separated by blanks.
    std::string keeps{};
    std::function<void(Call&)> gradients{};  ///< none: its lowering is differentiated
    /// True if it takes such a call, by its specs and arguments; none: any. Others are lowered.
    std::function<bool(const Call&)> takes{};
    /// True if it reads that one of the listed operands in such a call; none: it does.
    std::function<bool(const Call&, std::size_t)> reads{};
};

struct Rule {
    std::string name;  ///< below ttnn: "experimental.rotary_embedding"
    Lowering lowering;
    Gradient gradient{};
    const char* reason = nullptr;  ///< why it has neither
};

/// A column's function with what it is told beside the call.
template <typename Function, typename... Arguments>
auto with(Function function, Arguments... arguments) {
    return [=](auto& call) { return function(call, arguments...); };
}

/// The gradient of functions whose derivative is 0, and of comparisons.
inline Gradient no_slope() {
    return {"", [](Call& /*call*/) {}};
}

/// By TT-NN's own gradient of a function of one tensor, *_bw.
template <typename Operation>
Gradient by(const Operation& gradient) {
    return {"input_tensor",
            [&gradient](Call& call) { give_all(call, gradient(call.gradient(), call.operand(0))); },
            are_alike};
}

std::vector<Rule> eltwise_unary_rules();
std::vector<Rule> eltwise_binary_rules();
std::vector<Rule> eltwise_backward_rules();
std::vector<Rule> eltwise_special_rules();
std::vector<Rule> creation_rules();
std::vector<Rule> data_movement_rules();
std::vector<Rule> selection_rules();
std::vector<Rule> matmul_rules();
std::vector<Rule> reduction_rules();
std::vector<Rule> normalization_rules();
std::vector<Rule> transformer_rules();
std::vector<Rule> transformer_cache_rules();
std::vector<Rule> transformer_decoding_rules();
std::vector<Rule> sliding_window_rules();
std::vector<Rule> sliding_window_sampling_rules();
std::vector<Rule> training_rules();
std::vector<Rule> without_rules();

/// By operation: all that are registered.
const std::map<std::string, Rule, std::less<>>& all_rules();

/// The row of an operation ("ttnn.softmax"); null: none.
const Rule* find_rule(std::string_view operation);

/// The column vjp of operations that have a lowering and no gradient of their own: lowered, differentiated, placed.
const Gradient& lowered_gradient();

}  // namespace tilemeter::trace::rules
