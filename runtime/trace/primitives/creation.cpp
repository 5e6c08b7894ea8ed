// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tensors made of attributes alone. They have no operands, so nothing of them has a tangent or is mapped.

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"
#include "runtime/trace/primitives/internal/words.hpp"

namespace tilemeter::trace::internal {

namespace {

// The result has the shape and the element type that are given.
void infer_full(const Site& site, Types& types) {
    const Shape shape(site.integers("shape"));
    for (const std::int64_t dim : shape)
        site.require_at_most(0, dim, ErrorKind::kBadArgument, [&] {
            return "found shape " + text_of(shape) + ", expected dimensions from 0";
        });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), shape, {}});
}

// ---- iota

void infer_iota(const Site& site, Types& types) {
    checked_axis(site, site.integer("dim"), site.integers("shape").size());
    infer_full(site, types);
}

void iota(const KernelUse& use, std::vector<Constant>& results) {
    const auto dim = static_cast<std::size_t>(use.attributes.get<std::int64_t>("dim"));
    const Shape& shape = use.types[0].shape;
    const auto step = static_cast<std::size_t>(strides_of(shape)[dim]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        Result<T> y(use.types[0]);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = static_cast<T>(i / step % static_cast<std::size_t>(shape[dim]));
        results.push_back(y.finish());
    });
}

std::string iota_text(const LineUse& use) {
    return "stablehlo.iota dim = " + std::to_string(use.integer("dim")) + " : " +
           stablehlo_type(use.result_types[0]);
}

// ---- full

void full(const KernelUse& use, std::vector<Constant>& results) {
    const Constant value = Constant::scalar(use.types[0].element, use.attributes.get<double>("value"));
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        to.fill(*reinterpret_cast<const Word*>(value.bytes().data()));
    }));
}

std::string constant_text(const LineUse& use, double value) {
    const TensorType& type = use.result_types[0];
    return "stablehlo.constant " + stablehlo_splat(type, Constant::scalar(type.element, value));
}

std::string full_text(const LineUse& use) {
    return constant_text(use, use.equation.attributes().get<double>("value"));
}

// ---- dimension

void infer_dimension(const Site& site, Types& types) {
    const Dim of(site.integer("of"));
    site.require_at_most(0, of, ErrorKind::kBadArgument,
                         [&] { return "found " + of.text() + ", expected a dimension from 0"; });
    types.push_back({site.use.attributes.get<ElementType>("dtype"), {}, {}});
}

void dimension(const KernelUse& use, std::vector<Constant>& results) {
    const ir::Dim of(use.attributes.get<std::int64_t>("of"));
    results.push_back(Constant::scalar(use.types[0].element, static_cast<double>(of.number())));
}

std::string dimension_text(const LineUse& use) {
    return constant_text(use, static_cast<double>(Dim(use.integer("of")).number()));
}

}  // namespace

std::span<const Primitive> creation_primitives() {
    static const Primitive kRows[] = {
        {.name = "iota",
         .operands = {0, 0},
         .attributes = {integers("shape"), integer("dim"), element_type()},
         .infer = infer_iota,
         .compute = iota,
         .derivative = {zero_jvp, kNoOperands},
         .batch = batch_elementwise,
         .text = iota_text},
        {.name = "full",
         .operands = {0, 0},
         .attributes = {integers("shape"), {"value", AttributeKind::kFloat}, element_type()},
         .infer = infer_full,
         .compute = full,
         .derivative = {zero_jvp, kNoOperands},
         .batch = batch_elementwise,
         .text = full_text},
        // A dimension that has a number when the graph runs, as a scalar.
        {.name = "dimension",
         .operands = {0, 0},
         .attributes = {integer("of"), element_type()},
         .infer = infer_dimension,
         .compute = dimension,
         .derivative = {zero_jvp, kNoOperands},
         .batch = batch_elementwise,
         .text = dimension_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
