// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/flat_operations.hpp"

#include "capture/ir/control.hpp"
#include "runtime/trace/calls/internal/custom_call.hpp"
#include "runtime/trace/primitives/internal/flat_inference.hpp"

namespace tilemeter::trace {

namespace {

using namespace internal;
using ir::Arity;
using ir::AttributeRule;
using ir::Control;

struct Elementwise {
    const char* name;
    std::uint32_t operands;
    Domain domain;
};

// The result has the type of the operands.
constexpr Elementwise kElementwise[] = {
    {"exp", 1, kFloats},
    {"expm1", 1, kFloats},
    {"log", 1, kFloats},
    {"log1p", 1, kFloats},
    {"sqrt", 1, kFloats},
    {"rsqrt", 1, kFloats},
    {"cbrt", 1, kFloats},
    {"sin", 1, kFloats},
    {"cos", 1, kFloats},
    {"tan", 1, kFloats},
    {"tanh", 1, kFloats},
    {"logistic", 1, kFloats},
    {"erf", 1, kFloats},
    {"erf_inv", 1, kFloats},
    {"lgamma", 1, kFloats},
    {"digamma", 1, kFloats},
    {"atan2", 2, kFloats},
    {"pow", 2, kNumbers},
    {"sign", 1, static_cast<Domain>(kFloats | kSigned)},
    {"floor", 1, kFloats},
    {"ceil", 1, kFloats},
    {"round_even", 1, kFloats},
    {"round_away", 1, kFloats},
    {"popcnt", 1, kIntegers},
    {"not", 1, kBits},
    {"neg", 1, kNumbers},
    {"add", 2, kNumbers},
    {"sub", 2, kNumbers},
    {"mul", 2, kNumbers},
    {"div", 2, kNumbers},
    {"maximum", 2, kAll},
    {"minimum", 2, kAll},
    {"abs", 1, static_cast<Domain>(kFloats | kSigned)},
    {"rem", 2, kNumbers},
    {"and", 2, kBits},
    {"or", 2, kBits},
    {"xor", 2, kBits},
    {"shift_left", 2, kIntegers},
    {"shift_right_logical", 2, kIntegers},
    {"shift_right_arithmetic", 2, kIntegers},
};

struct Reduction {
    const char* name;
    Domain domain;
};
constexpr Reduction kReductions[] = {{"reduce_sum", kNumbers},  {"reduce_max", kAll},  {"reduce_min", kAll},
                                     {"reduce_prod", kNumbers}, {"reduce_and", kBits}, {"reduce_or", kBits}};

AttributeRule integer(const char* name) {
    return {name, AttributeKind::kInteger};
}
AttributeRule integers(const char* name) {
    return {name, AttributeKind::kIntegers};
}
AttributeRule optional(AttributeRule rule) {
    rule.required = false;
    return rule;
}
AttributeRule element_type() {
    return {"dtype", AttributeKind::kElementType};
}

std::vector<AttributeRule> window_attributes() {
    return {integers("window"),
            optional(integers("strides")),
            optional(integers("low")),
            optional(integers("high")),
            optional(integers("base_dilation")),
            optional(integers("window_dilation"))};
}

std::vector<AttributeRule> scatter_attributes() {
    return {integers("update_window_dims"), integers("inserted_window_dims"),
            integers("scatter_dims_to_operand_dims"), integer("index_vector_dim")};
}

ir::OperationSet make() {
    ir::OperationSet set{std::string(kFlat)};
    const auto add = [&](const char* name, Arity operands, std::vector<AttributeRule> attributes, Rule rule,
                         Arity results = {1, 1}) {
        set.add({.name = name,
                 .operands = operands,
                 .results = results,
                 .attributes = std::move(attributes),
                 .infer = inference(name, std::move(rule))});
    };
    for (const Elementwise& each : kElementwise)
        add(each.name, {each.operands, each.operands}, {},
            [domain = each.domain](const Site& site, Types& types) { infer_same(site, types, domain); });
    add("is_finite", {1, 1}, {}, [](const Site& site, Types& types) {
        infer_same(site, types, kFloats);
        types.back().element = ElementType::kBool;
    });
    // stop_gradient: a value that derivatives take as a constant.
    add("copy", {1, 1}, {optional({"stop_gradient", AttributeKind::kBool})},
        [](const Site& site, Types& types) { infer_same(site, types, kAll); });
    add("convert", {1, 1}, {element_type()}, infer_convert);
    add("bitcast_convert", {1, 1}, {element_type()}, infer_bitcast);
    add("compare", {2, 2}, {{"direction", AttributeKind::kString}}, infer_compare);
    add("select", {3, 3}, {}, infer_select);
    add("clamp", {3, 3}, {}, infer_clamp);

    add("dot_general", {2, 2},
        {integers("lhs_batch"), integers("rhs_batch"), integers("lhs_contract"), integers("rhs_contract")},
        infer_dot_general);
    add("convolution", {2, 2},
        {optional(integers("strides")), optional(integers("low")), optional(integers("high")),
         optional(integers("lhs_dilation")), optional(integers("rhs_dilation")), optional(integer("groups"))},
        infer_convolution);

    add("reshape", {1, 1}, {integers("shape")}, infer_reshape);
    add("transpose", {1, 1}, {integers("perm")}, infer_transpose);
    add("broadcast_in_dim", {1, 1}, {integers("shape"), integers("dims")}, infer_broadcast_in_dim);
    add("slice", {1, 1}, {integers("starts"), integers("limits"), optional(integers("strides"))},
        infer_slice);
    add("pad", {2, 2}, {integers("low"), integers("high"), optional(integers("interior"))}, infer_pad);
    add("concatenate", {1}, {integer("axis")}, infer_concatenate);
    add("reverse", {1, 1}, {integers("dims")}, infer_reverse);
    add("dynamic_slice", {1}, {integers("sizes")}, infer_dynamic_slice);
    add("dynamic_update_slice", {2}, {}, infer_dynamic_update_slice);
    add("gather", {2, 2},
        {integers("offset_dims"), integers("collapsed_slice_dims"), integers("start_index_map"),
         integer("index_vector_dim"), integers("slice_sizes")},
        infer_gather);
    add("scatter", {3, 3}, scatter_attributes(), infer_scatter);
    add("scatter_add", {3, 3}, scatter_attributes(), infer_scatter);
    add("iota", {0, 0}, {integers("shape"), integer("dim"), element_type()}, infer_iota);
    add("full", {0, 0}, {integers("shape"), {"value", AttributeKind::kFloat}, element_type()}, infer_full);

    // A dimension that has a number when the graph runs, as a scalar.
    add("dimension", {0, 0}, {integer("of"), element_type()}, infer_dimension);

    for (const Reduction& each : kReductions)
        add(each.name, {1, 1}, {integers("axes")},
            [domain = each.domain](const Site& site, Types& types) { infer_reduce(site, types, domain); });
    for (const char* const name : {"arg_max", "arg_min"})
        add(name, {1, 1}, {integer("axis"), element_type()}, infer_arg_reduce);
    for (const char* const name : {"reduce_window_sum", "reduce_window_max"})
        add(name, {1, 1}, window_attributes(), infer_reduce_window);
    add("select_and_scatter_add", {2, 2}, window_attributes(), infer_select_and_scatter);
    add("cumsum", {1, 1}, {integer("axis"), optional({"reverse", AttributeKind::kBool})}, infer_cumsum);
    add("sort", {1}, {integer("axis"), optional({"descending", AttributeKind::kBool})}, infer_sort, {1});
    add("top_k", {1, 1}, {integer("k")}, infer_top_k, {2, 2});
    add("threefry2x32", {4, 4}, {}, infer_threefry, {2, 2});

    add_control_operations(set);
    // A custom operation that has no lowering. Some have effects; of the others those without a use are gone before
    // calls are lowered.
    set.add({.name = "custom_call",
             .results = {},
             .attributes = {{"target", AttributeKind::kString}},
             .any_attributes = true,
             .effects = ir::Effects::kOrdered,
             .infer = inference("custom_call", infer_custom)});
    return set;
}

}  // namespace

void internal::add_control_operations(ir::OperationSet& set) {
    ir::Operation call = control_operation("call", Control::kCall);
    call.can_inline = true;
    set.add(std::move(call));
    set.add(control_operation("checkpoint", Control::kCall));
    set.add(control_operation("cond", Control::kBranch));
    set.add(control_operation("while", Control::kWhile));
    set.add(control_operation("scan", Control::kScan));
}

const ir::OperationSet& flat_operations() {
    static const ir::OperationSet kSet = make();
    return kSet;
}

}  // namespace tilemeter::trace
