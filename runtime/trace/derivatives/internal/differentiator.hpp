// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A flat graph and the tangents of its values, in one graph.
//
// There are two ways to do what holds graphs:
//     kForward   one equation with twice the values: a loop carries tangents beside what it carries
//     kLinear    an equation that computes what it did, and residuals; and one that is linear in the tangents
// The second way makes a graph whose tangents can be transposed. A while loop has only the first.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/trace/derivatives/internal/mask.hpp"
#include "runtime/trace/primitives/internal/rules.hpp"

namespace tilemeter::trace::internal {

//     kReverse   the second, for a graph that is transposed and nothing else: what only says how it is transposed has a
//                place in it (custom_rules.hpp)
enum class DerivativeMode : std::uint8_t { kForward, kLinear, kReverse };

struct Joint {
    ir::Graph graph;
    std::vector<ValueId> params{};          ///< those of the function
    std::vector<Tangent> param_tangents{};  ///< parameters as well, where the function's one is active
    std::vector<ValueId> results{};
    std::vector<Tangent> tangents{};  ///< of the results; none is zero
    Mask is_primal{};                 ///< equations that stand for one of the function's
};

/// Remembers what it made of bodies, so that one which several equations share stays shared.
class Differentiator {
public:
    explicit Differentiator(DerivativeMode mode) : mode_(mode) {}

    /// `active`: parameters that have tangents. Throws ir::Error (kNoRule, kNotReversible), naming the operation.
    /// REQUIRES: the graph is flat and ordered and lives as long as this; what is active is float
    Joint run(const ir::Graph& graph, const Mask& active);

private:
    class Pass;

    /// The body itself, and what is linear in the tangents.
    struct Split {
        ir::GraphPtr primal, linear;
        std::vector<ValueId> residuals;  ///< in the joint graph
    };
    using Key = std::pair<const ir::Graph*, Mask>;
    using ForwardKey = std::tuple<const ir::Graph*, Mask, Mask, std::size_t, std::size_t>;

    const Joint& joint_of(const ir::Graph& body, const Mask& active);

    DerivativeMode mode_;
    std::map<Key, std::unique_ptr<const Joint>> joints_;
    std::map<Key, Split> calls_;
    std::map<ForwardKey, ir::GraphPtr> forward_bodies_;
};

/// Values of the function that the results depend on and that are no constants, in order of their ids: parameters, and
/// what depends on a `varying` one. The rest is to be computed again.
std::vector<ValueId> residuals_of(const Joint& joint, std::span<const ValueId> results, const Mask& varying);

/// The tangents that are there, in order.
std::vector<ValueId> present(std::span<const Tangent> tangents);
Mask mask_of(std::span<const Tangent> tangents);

}  // namespace tilemeter::trace::internal
