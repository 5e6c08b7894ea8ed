// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Operations of others: a definition, registered once, is a call like those that are built in. It can be applied,
// traced, printed, saved, run and used as a method.
//
//   register_operation({.name = "clip",
//                       .operands = {1, 1},
//                       .infer = [](std::span<const TensorType> x, const Attributes&) { return Types{x[0]}; },
//                       .lower = [](FlatBuilder& to, std::span<const ValueId> x, const Attributes&) {
//                           return Values{to.op("clamp", {to.full_like(x[0], 0), x[0], to.full_like(x[0], 1)})}; }});
//   trace::apply("clip", std::vector{x});
//
// Only infer must be there. What needs an answer that is missing throws TraceError (kNoRule), which names it.
//
//   infer     types of the results                                      at the call
//   lower     the same in flat primitives: runs, exports, derives       instead of compute
//   compute   values on the host                                        of a custom_call in flat graphs
//   plan      the same in TT-NN calls, for a device
//   jvp, vjp  derivatives, in flat primitives; where there is one, it is taken instead of that of `lower`. One of them
//             is enough: the other is its transpose
//   batch     all lanes of vmap at once, in flat primitives; instead of that of `lower`, too
//
// Thread safety: any thread, any time; the answers may be asked for in several threads at once.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/ir/constant.hpp"
#include "capture/ir/operation_set.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"

namespace tilemeter::trace {

struct CustomOperation {
    using Types = std::span<const ir::TensorType>;
    using Ids = std::span<const ir::ValueId>;

    std::string name;
    ir::Arity operands{};
    std::vector<ir::AttributeRule> attributes{};
    bool any_attributes = false;               ///< those that have no rule are allowed, too
    ir::Effects effects = ir::Effects::kNone;  ///< kOrdered: it runs whether its results are used or not

    std::function<std::vector<ir::TensorType>(Types operands, const ir::Attributes&)> infer;
    std::function<std::vector<ir::ValueId>(FlatBuilder& to, Ids operands, const ir::Attributes&)> lower{};
    std::function<std::vector<ir::Constant>(std::span<const ir::Constant> operands, const ir::Attributes&)>
        compute{};
    /// Appends calls of TT-NN to the graph; their results.
    std::function<std::vector<ir::ValueId>(ir::Graph& to, Ids operands, const ir::Attributes&)> plan{};
    /// Tangents of the float results, linear in `tangents`, one for each float operand.
    std::function<std::vector<ir::ValueId>(FlatBuilder& to, Ids operands, Ids tangents,
                                           const ir::Attributes&)>
        jvp{};
    /// Cotangents of the float operands, linear in `cotangents`, one for each float result.
    std::function<std::vector<ir::ValueId>(FlatBuilder& to, Ids operands, Ids results, Ids cotangents,
                                           const ir::Attributes&)>
        vjp{};
    /// The results with lanes along axis 0, where those operands have them that `is_mapped` says.
    std::function<std::vector<ir::ValueId>(FlatBuilder& to, Ids operands, const std::vector<bool>& is_mapped,
                                           std::int64_t lanes, const ir::Attributes&)>
        batch{};
};

/// The operation as apply() takes it; valid for ever. Throws TraceError (kBadArgument) for a name that is taken by an
/// operation that is built in, or by another custom one unless `replace`; for one that graphs can't print; and
/// without infer.
const ir::Operation& register_operation(CustomOperation definition, bool replace = false);

/// Null if there is none.
std::shared_ptr<const CustomOperation> find_custom_operation(std::string_view name);

/// Throws TraceError (kNoRule): "NAME: found no rule 'compute', ...".
[[noreturn]] void refuse_missing_rule(const std::string& operation, std::string_view rule,
                                      const ir::Location& location);

}  // namespace tilemeter::trace
