// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Calls that draw from a key, in primitives of integers around threefry2x32.

#include <string>

#include "runtime/trace/calls/internal/call.hpp"

namespace tilemeter::trace::internal {

namespace {

struct Words {
    ValueId first;
    ValueId second;
};

bool is_original(const CallUse& use) {
    return use.attributes.get_or<std::string>("scheme", "partitionable") == "original";
}

ValueId part(FlatBuilder& to, ValueId vector, std::int64_t start, std::int64_t limit) {
    return to.op("slice", {vector},
                 {{"starts", Integers{start}}, {"limits", Integers{limit}}, {"strides", Integers{1}}});
}

Words words_of(FlatBuilder& to, ValueId key) {
    return {to.reshape(part(to, key, 0, 1), {}), to.reshape(part(to, key, 1, 2), {})};
}

ValueId counted(FlatBuilder& to, std::int64_t count) {
    return to.op("iota", {}, {{"shape", Integers{count}}, {"dim", 0}, {"dtype", ElementType::kU32}});
}

ValueId joined(FlatBuilder& to, ValueId a, ValueId b) {
    return to.op("concatenate", {a, b}, {{"axis", 0}});
}

Words hashed(FlatBuilder& to, const Words& key, ValueId first, ValueId second) {
    const Shape shape = to.shape(first);
    const ir::ValueRange hash = to.op(
        "threefry2x32", {to.broadcast(key.first, shape), to.broadcast(key.second, shape), first, second});
    return {hash[0], hash[1]};
}

// Element i is hashed by itself: its number is the counter.
Words partitionable(FlatBuilder& to, const Words& key, std::int64_t count) {
    const ValueId numbers = counted(to, count);
    return hashed(to, key, to.full_like(numbers, 0), numbers);
}

// The older scheme: the first half of the counters is paired with the second.
ValueId original(FlatBuilder& to, const Words& key, ValueId counters) {
    const std::int64_t count = to.shape(counters)[0];
    const std::int64_t half = (count + 1) / 2;
    if (count % 2 != 0) counters = joined(to, counters, to.full({ElementType::kU32, {1}, {}}, 0));
    const Words hash = hashed(to, key, part(to, counters, 0, half), part(to, counters, half, 2 * half));
    const ValueId both = joined(to, hash.first, hash.second);
    return count % 2 != 0 ? part(to, both, 0, count) : both;
}

std::int64_t width_of(ElementType element) {
    switch (element) {
        case ElementType::kU8:
            return 8;
        case ElementType::kU16:
            return 16;
        case ElementType::kU64:
            return 64;
        default:
            return 32;
    }
}

ValueId side_by_side(FlatBuilder& to, ValueId high, ValueId low) {
    const ValueId upper = to.convert(high, ElementType::kU64);
    return to.op("or",
                 {to.op("shift_left", {upper, to.full_like(upper, 32)}), to.convert(low, ElementType::kU64)});
}

ValueId bits_in_original(FlatBuilder& to, const Words& key, std::int64_t count, ElementType element) {
    const std::int64_t width = width_of(element);
    const std::int64_t words = (width * count + 31) / 32;
    const ValueId hash = original(to, key, counted(to, words));
    if (width == 64) return side_by_side(to, part(to, hash, 0, count), part(to, hash, count, 2 * count));
    if (width == 32) return hash;
    // Each word is cut in pieces, the lowest bits first.
    const std::int64_t pieces = 32 / width;
    const Integers shape{words, pieces};
    const ValueId spread = to.op("broadcast_in_dim", {hash}, {{"shape", shape}, {"dims", Integers{0}}});
    const ValueId places = to.op("iota", {}, {{"shape", shape}, {"dim", 1}, {"dtype", ElementType::kU32}});
    const ValueId shifted =
        to.op("shift_right_logical", {spread, to.mul(places, static_cast<double>(width))});
    const ValueId cut = to.op("and", {shifted, to.full_like(shifted, width == 8 ? 0xFF : 0xFFFF)});
    return part(to, to.convert(to.reshape(cut, {words * pieces}), element), 0, count);
}

ValueId bits(FlatBuilder& to, ValueId key, const Shape& shape, ElementType element, bool in_original) {
    const Words words = words_of(to, key);
    const std::int64_t count = shape.elements();
    ValueId drawn{};
    if (in_original) {
        drawn = bits_in_original(to, words, count, element);
    } else {
        const Words hash = partitionable(to, words, count);
        drawn = element == ElementType::kU64 ? side_by_side(to, hash.first, hash.second)
                                             : to.convert(to.op("xor", {hash.first, hash.second}), element);
    }
    return to.reshape(drawn, shape);
}

ValueId random_bits(const CallUse& use) {
    return bits(use.to, use[0], use.type.shape, use.type.element, is_original(use));
}

ValueId random_split(const CallUse& use) {
    FlatBuilder& to = use.to;
    const Words key = words_of(to, use[0]);
    const std::int64_t count = use.type.shape.elements() / 2;
    if (is_original(use)) return to.reshape(original(to, key, counted(to, 2 * count)), use.type.shape);
    const Words hash = partitionable(to, key, count);
    const Shape column{count, 1};
    const ValueId pairs = to.op(
        "concatenate", {to.reshape(hash.first, column), to.reshape(hash.second, column)}, {{"axis", 1}});
    return to.reshape(pairs, use.type.shape);
}

ValueId random_fold_in(const CallUse& use) {
    FlatBuilder& to = use.to;
    const ValueId data = to.reshape(to.convert(use[1], ElementType::kU32), {1});
    const Words hash = hashed(to, words_of(to, use[0]), to.full_like(data, 0), data);
    return joined(to, hash.first, hash.second);
}

/// A float of random bits: they fill the mantissa of a number from 1 to 2.
struct FloatParts {
    ElementType drawn;  ///< of as few bits as fill the mantissa
    ElementType whole;  ///< as wide as the float
    int mantissa;
    double one;  ///< the bits of 1
};

FloatParts parts_of(ElementType element) {
    switch (element) {
        case ElementType::kF64:
            return {ElementType::kU64, ElementType::kU64, 52, static_cast<double>(0x3FF0000000000000)};
        case ElementType::kF16:
            return {ElementType::kU16, ElementType::kU16, 10, 0x3C00};
        case ElementType::kBF16:
            return {ElementType::kU8, ElementType::kU16, 7, 0x3F80};
        default:
            return {ElementType::kU32, ElementType::kU32, 23, 0x3F800000};
    }
}

ValueId random_uniform(const CallUse& use) {
    FlatBuilder& to = use.to;
    const FloatParts parts = parts_of(use.type.element);
    const ValueId drawn =
        to.convert(bits(to, use[0], use.type.shape, parts.drawn, is_original(use)), parts.whole);
    const std::int64_t unused = width_of(parts.drawn) - parts.mantissa;
    const ValueId mantissa =
        to.op("shift_right_logical", {drawn, to.full_like(drawn, static_cast<double>(unused))});
    const ValueId from_one =
        to.op("bitcast_convert", {to.op("or", {mantissa, to.full_like(drawn, parts.one)})},
              {{"dtype", use.type.element}});
    const ValueId low = to.broadcast(use[1], use.type.shape);
    const ValueId range = to.broadcast(to.sub(use[2], use[1]), use.type.shape);
    return to.op("maximum", {low, to.add(to.mul(to.sub(from_one, 1), range), low)});
}

// ---- inference

void require_key(const Site& site) {
    const TensorType& type = site.type(0);
    const auto text = [&] { return "found " + text_of(type) + ", expected a key, u32[2]"; };
    site.require(type.element == ElementType::kU32, ErrorKind::kElementTypeMismatch, text);
    site.require(type.shape == Shape{2}, ErrorKind::kShapeMismatch, text);
}

void require_drawable(const Site& site, const Shape& shape) {
    const auto scheme = site.use.attributes.get_or<std::string>("scheme", "partitionable");
    site.require(scheme == "partitionable" || scheme == "original", ErrorKind::kBadArgument,
                 [&] { return "found scheme '" + scheme + "', expected 'partitionable' or 'original'"; });
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    for (const std::int64_t extent : shape)
        site.require(extent >= 0, ErrorKind::kBadArgument,
                     [&] { return "found shape " + text_of(shape) + ", expected extents of at least 0"; });
    site.require(shape.elements() <= kMost, ErrorKind::kBadArgument, [&] {
        return "found " + std::to_string(shape.elements()) + " elements, expected at most " +
               std::to_string(kMost);
    });
}

Shape drawn_shape(const Site& site) {
    require_key(site);
    Shape shape(site.integers("shape"));
    require_drawable(site, shape);
    return shape;
}

void infer_random_bits(const Site& site, Types& types) {
    const auto element = site.use.attributes.get<ElementType>("dtype");
    site.require(element == ElementType::kU8 || element == ElementType::kU16 ||
                     element == ElementType::kU32 || element == ElementType::kU64,
                 ErrorKind::kElementTypeMismatch,
                 [&] { return "found " + std::string(name_of(element)) + ", expected u8, u16, u32 or u64"; });
    types.push_back({element, drawn_shape(site), {}});
}

void infer_random_split(const Site& site, Types& types) {
    Shape shape = drawn_shape(site);
    shape.push_back(2);
    types.push_back({ElementType::kU32, shape, {}});
}

void infer_random_fold_in(const Site& site, Types& types) {
    require_key(site);
    site.require(ir::is_integer(site.type(1).element) && site.type(1).shape.rank() == 0,
                 ErrorKind::kBadArgument,
                 [&] { return "found data " + text_of(site.type(1)) + ", expected an integer scalar"; });
    types.push_back(site.type(0));
}

void infer_random_uniform(const Site& site, Types& types) {
    const auto element = site.use.attributes.get<ElementType>("dtype");
    const TensorType bound{element, {}, {}};
    site.require(element == ElementType::kF64 || element == ElementType::kF32 ||
                     element == ElementType::kF16 || element == ElementType::kBF16,
                 ErrorKind::kElementTypeMismatch,
                 [&] { return "found " + std::string(name_of(element)) + ", expected a float"; });
    for (const std::size_t i : {1, 2})
        site.require(site.type(i) == bound, ErrorKind::kElementTypeMismatch, [&] {
            return std::string(i == 1 ? "low" : "high") + ": found " + text_of(site.type(i)) + ", expected " +
                   text_of(bound);
        });
    types.push_back({element, drawn_shape(site), {}});
}

}  // namespace

std::vector<CallDefinition> random_calls() {
    const ir::AttributeRule shape{"shape", AttributeKind::kIntegers};
    const ir::AttributeRule dtype{"dtype", AttributeKind::kElementType};
    const ir::AttributeRule scheme{"scheme", AttributeKind::kString, false};
    return {
        {"random_bits", {1, 1}, {shape, dtype, scheme}, infer_random_bits, random_bits},
        {"random_split", {1, 1}, {shape, scheme}, infer_random_split, random_split},
        {"random_fold_in", {2, 2}, {}, infer_random_fold_in, random_fold_in},
        {"random_uniform", {3, 3}, {shape, dtype, scheme}, infer_random_uniform, random_uniform},
    };
}

}  // namespace tilemeter::trace::internal
