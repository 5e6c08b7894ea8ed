// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same elements as another value, in another element type, or their bits as one.

#include <algorithm>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- copy

// What is said to stop gradients does.
void copy_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    if (!use.attributes.get_or("stop_gradient", false)) tangents[0] = *use.tangents[0];
}

void copy_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.cotangent();
}

// ---- convert

void infer_convert(const Site& site, Types& types) {
    types.push_back({site.use.attributes.get<ElementType>("dtype"), site.shape(0), {}});
}

void convert(const KernelUse& use, std::vector<Constant>& results) {
    const Constant& from = use.operand(0);
    const ElementType source = from.type().element;
    const TensorType& type = use.types[0];
    if (source == type.element) {
        results.emplace_back(type, from.storage());
        return;
    }
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type));
    const std::size_t width = ir::element_bytes(source);
    const std::size_t to_width = ir::element_bytes(type.element);
    const std::byte* const bytes = from.bytes().data();
    const auto count = static_cast<std::size_t>(type.shape.elements());
    const bool as_integer = !ir::is_float(source) && !ir::is_float(type.element);
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* const to = storage.get() + i * to_width;
        if (!as_integer) {
            ir::put_double(type.element, ir::to_double(source, bytes + i * width), to);
            continue;
        }
        std::int64_t value = 0;
        if (source == ElementType::kU64)
            std::copy_n(bytes + i * width, sizeof value, reinterpret_cast<std::byte*>(&value));
        else
            value = ir::to_integer(source, bytes + i * width);
        ir::put_integer(type.element, value, to);
    }
    results.emplace_back(type, storage);
}

void convert_jvp(const JvpUse& use, std::span<Tangent> tangents) {
    if (ir::is_float(use.to.element(use.result())))
        tangents[0] = use.to.convert(*use.tangents[0], use.to.element(use.result()));
}

void convert_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.convert(use.cotangent(), use.to.element(use[0]));
}

// ---- bitcast_convert

void infer_bitcast(const Site& site, Types& types) {
    infer_convert(site, types);
    const ElementType to = types.back().element;
    site.require(!ir::is_block_float(to) && !ir::is_block_float(site.type(0).element) &&
                     to != ElementType::kBool && site.type(0).element != ElementType::kBool &&
                     ir::element_bytes(to) == ir::element_bytes(site.type(0).element),
                 ErrorKind::kElementTypeMismatch, [&] {
                     return "found " + text_of(site.type(0)) + " and " + std::string(name_of(to)) +
                            ", expected number types of one width";
                 });
}

}  // namespace

std::span<const Primitive> conversion_primitives() {
    static const Primitive kRows[] = {
        // stop_gradient: a value that derivatives take as a constant.
        {.name = "copy",
         .attributes = {optional({"stop_gradient", AttributeKind::kBool})},
         .infer = infer_same<kAll>,
         .compute = same_bytes,
         .derivative = {copy_jvp, copy_transpose, kAllOperands},
         .batch = batch_elementwise,
         .text = [](const LineUse& use) { return use.line("convert"); }},
        {.name = "convert",
         .attributes = {element_type()},
         .infer = infer_convert,
         .compute = convert,
         .derivative = {convert_jvp, convert_transpose, kAllOperands},
         .batch = batch_elementwise,
         .text = [](const LineUse& use) { return use.line("convert"); }},
        {.name = "bitcast_convert",
         .attributes = {element_type()},
         .infer = infer_bitcast,
         .compute = same_bytes,
         .derivative = zero_jvp,
         .batch = batch_elementwise,
         .text = [](const LineUse& use) { return use.line("bitcast_convert"); }},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
