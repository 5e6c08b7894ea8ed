// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The same elements as another value, in another element type or with fewer bits, or their bits as another type.

#include <algorithm>
#include <cstring>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

// ---- copy

// A copy said to stop gradients does.
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

// ---- reduce_precision

void infer_reduce_precision(const Site& site, Types& types) {
    infer_same(site, types, kFloats);
    for (const auto& [name, least] :
         {std::pair<const char*, std::int64_t>{"exponent_bits", 1}, {"mantissa_bits", 0}})
        site.require_at_most(least, site.integer(name), ErrorKind::kBadArgument, [&] {
            return "found " + std::string(name) + " " + std::to_string(site.integer(name)) +
                   ", expected at least " + std::to_string(least);
        });
}

// The parts of a float: sign, exponent, mantissa, from the highest bit on.
struct FloatBits {
    int exponent, mantissa;
};

FloatBits float_bits(ElementType element) {
    if (element == ElementType::kF64) return {11, 52};
    if (element == ElementType::kF16) return {5, 10};
    return {8, element == ElementType::kBF16 ? 7 : 23};
}

// The bits of the nearest float, of two the even one, that has these fewer bits. One beyond its largest is infinite, and one
// below its smallest normal one 0 with its sign, if its exponent is shorter at all. A nan stays.
std::uint64_t reduced(std::uint64_t number, FloatBits from, FloatBits to) {
    const auto ones = [](int count) { return (std::uint64_t{1} << count) - 1; };
    const std::uint64_t infinity = ones(from.exponent) << from.mantissa;
    const std::uint64_t sign = number & (std::uint64_t{1} << (from.exponent + from.mantissa));
    std::uint64_t size = number ^ sign;
    if (size > infinity) return number;
    if (const int cut = from.mantissa - to.mantissa; cut > 0)
        size = (size + ones(cut - 1) + ((size >> cut) & 1)) & ~ones(cut);
    if (to.exponent < from.exponent) {
        const auto bias = static_cast<std::int64_t>(ones(from.exponent - 1));
        const auto most = static_cast<std::int64_t>(ones(to.exponent - 1));
        const std::int64_t exponent = static_cast<std::int64_t>(size >> from.mantissa) - bias;
        if (exponent > most) size = infinity;
        if (exponent <= -most) size = 0;
    }
    return sign | size;
}

void reduce_precision(const KernelUse& use, std::vector<Constant>& results) {
    const TensorType& type = use.types[0];
    const FloatBits from = float_bits(type.element);
    const auto bits = [&](const char* name, int most) {
        return static_cast<int>(std::min<std::int64_t>(use.attributes.get<std::int64_t>(name), most));
    };
    const FloatBits to{bits("exponent_bits", from.exponent), bits("mantissa_bits", from.mantissa)};
    const auto storage = std::make_shared_for_overwrite<std::byte[]>(ir::byte_size(type));
    const std::size_t width = ir::element_bytes(type.element);
    const std::byte* const given = use.operand(0).bytes().data();
    for (std::size_t i = 0; i < ir::byte_size(type); i += width) {
        std::uint64_t number = 0;
        std::memcpy(&number, given + i, width);
        number = reduced(number, from, to);
        std::memcpy(storage.get() + i, &number, width);
    }
    results.emplace_back(type, storage);
}

void reduce_precision_transpose(const TransposeUse& use, std::span<Tangent> cotangents) {
    cotangents[0] = use.to.op("reduce_precision", {use.cotangent()}, use.attributes);
}

std::string reduce_precision_text(const LineUse& use) {
    return "stablehlo.reduce_precision " + use.names() + ", format = e" +
           std::to_string(use.integer("exponent_bits")) + "m" + std::to_string(use.integer("mantissa_bits")) +
           " : " + stablehlo_type(use.result_types[0]);
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
        // Tangents lose their bits, too, as JAX's do.
        {.name = "reduce_precision",
         .attributes = {integer("exponent_bits"), integer("mantissa_bits")},
         .infer = infer_reduce_precision,
         .compute = reduce_precision,
         .derivative = {linear_jvp, reduce_precision_transpose, kAllOperands},
         .batch = batch_elementwise,
         .text = reduce_precision_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
