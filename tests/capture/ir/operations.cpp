// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/ir/operations.hpp"

#include <algorithm>

#include "capture/ir/control.hpp"
#include "capture/ir/error.hpp"

namespace tilemeter::test {

namespace {

using ir::OperationUse;
using ir::TensorType;
using Types = std::vector<TensorType>;

// Equal types; a scalar goes with anything.
TensorType common_type(const OperationUse& use) {
    TensorType type = use.type(0);
    for (std::size_t i = 1; i < use.size(); ++i) {
        const TensorType& other = use.type(i);
        if (other.element != type.element)
            throw ir::Error(ir::ErrorKind::kElementTypeMismatch,
                            "found " + text_of(other) + ", expected elements as in " + text_of(type));
        if (type.shape.rank() == 0) type.shape = other.shape;
        if (other.shape.rank() != 0 && other.shape != type.shape)
            throw ir::Error(ir::ErrorKind::kShapeMismatch,
                            "found " + text_of(other) + ", expected the shape of " + text_of(type));
    }
    return type;
}

void same(const OperationUse& use, Types& types) {
    types.push_back(common_type(use));
}

void comparison(const OperationUse& use, Types& types) {
    types.push_back(common_type(use));
    types.back().element = ir::ElementType::kBool;
}

void reduction(const OperationUse& use, Types& types) {
    const auto axes = use.attributes.get_or<ir::Integers>("axes", {});
    TensorType type{use.type(0).element, {}, {}};
    for (std::size_t i = 0; i < use.type(0).shape.rank(); ++i)
        if (!axes.empty() && std::ranges::find(axes, static_cast<std::int64_t>(i)) == axes.end())
            type.shape.push_back(use.type(0).shape[i]);
    types.push_back(type);
}

void full(const OperationUse& use, Types& types) {
    types.push_back({use.attributes.get<ir::ElementType>("dtype"),
                     ir::Shape(use.attributes.get<ir::Integers>("shape")),
                     {}});
}

ir::OperationSet make() {
    ir::OperationSet set("test");
    for (const char* name : {"neg", "exp", "sin", "cos", "tan", "tanh", "round", "floor", "ceil", "relu"})
        set.add({.name = name, .operands = {1, 1}, .infer = same});
    for (const char* name : {"add", "sub", "mul", "div"})
        set.add({.name = name, .operands = {2, 2}, .infer = same});
    for (const char* name : {"lt", "gt"})
        set.add({.name = name, .operands = {2, 2}, .infer = comparison});
    for (const char* name : {"sum", "prod"})
        set.add({.name = name,
                 .operands = {1, 1},
                 .attributes = {{"axes", ir::AttributeKind::kIntegers, false},
                                {"keepdims", ir::AttributeKind::kBool, false}},
                 .infer = reduction});
    set.add({.name = "full",
             .operands = {0, 0},
             .attributes = {{"shape", ir::AttributeKind::kIntegers},
                            {"value", ir::AttributeKind::kFloat},
                            {"dtype", ir::AttributeKind::kElementType}},
             .infer = full});
    set.add({.name = "print",
             .operands = {1, 1},
             .results = {0, 0},
             .effects = ir::Effects::kOrdered,
             .infer = [](const OperationUse&, Types&) {}});
    set.add({.name = "anything", .results = {}, .any_attributes = true});
    ir::Operation call = control_operation("call", ir::Control::kCall);
    call.can_inline = true;
    set.add(std::move(call));
    set.add(control_operation("checkpoint", ir::Control::kCall));
    set.add(control_operation("cond", ir::Control::kBranch));
    set.add(control_operation("switch", ir::Control::kBranch));
    set.add(control_operation("while", ir::Control::kWhile));
    set.add(control_operation("scan", ir::Control::kScan));
    return set;
}

}  // namespace

const ir::OperationSet& operations() {
    static const ir::OperationSet kSet = make();
    return kSet;
}

}  // namespace tilemeter::test
