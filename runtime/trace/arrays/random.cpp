// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/primitives/error.hpp"

namespace tilemeter::trace::random {

namespace {

using ir::Attributes;
using ir::Constant;
using ir::ElementType;

Attributes with_scheme(Attributes attributes, Scheme scheme) {
    if (scheme == Scheme::kOriginal) attributes.set("scheme", std::string("original"));
    return attributes;
}

Array flat(const ir::Operation& operation, std::initializer_list<const Array*> operands,
           const Attributes& attributes = {}) {
    return apply_one(operation, operands, attributes);
}

// A number of this element type.
Array scalar(ElementType element, std::int64_t value) {
    return Array(Constant::scalar(element, value));
}

Array as_scalar(const Array& number, ElementType element) {
    if (number.state() == Array::State::kLiteral) return Array(Constant::scalar(element, number.to_float()));
    return number.element() == element ? number : convert(number, element);
}

[[noreturn]] void refuse(const std::string& what) {
    throw TraceError(TraceErrorKind::kBadArgument, what, {.location = current_location()});
}

// The least positive number that is not denormal.
double tiny(ElementType element) {
    switch (element) {
        case ElementType::kF64:
            return std::numeric_limits<double>::min();
        case ElementType::kF16:
            return 0x1p-14;
        default:
            return std::numeric_limits<float>::min();  // of bf16, too
    }
}

// The greatest number below 1.
double below_one(ElementType element) {
    switch (element) {
        case ElementType::kF64:
            return 1 - 0x1p-53;
        case ElementType::kF16:
            return 1 - 0x1p-11;
        case ElementType::kBF16:
            return 1 - 0x1p-8;
        default:
            return 1 - 0x1p-24;
    }
}

Array key_at(const Array& keys, std::int64_t place) {
    return index(keys, {place});
}

}  // namespace

Array key(std::int64_t seed) {
    const auto both = static_cast<std::uint64_t>(seed);
    const std::array<std::int64_t, 2> words = {static_cast<std::int64_t>(both >> 32),
                                               static_cast<std::int64_t>(both & 0xFFFFFFFF)};
    return Array(Constant::of(ElementType::kU32, {2}, std::span<const std::int64_t>(words)));
}

Array key(const Array& seed) {
    const ElementType element = seed.element();
    if (!ir::is_integer(element) || seed.rank() != 0)
        refuse("key: found a seed of type " + text_of(seed.type()) + ", expected an integer scalar");
    if (seed.state() == Array::State::kLiteral) return key(seed.to_int());
    const bool is_wide = element == ElementType::kI64 || element == ElementType::kU64;
    static const ir::Operation& kShift = operation_named("flat.shift_right_logical");
    const Array low = reshape(convert(seed, ElementType::kU32), {1});
    const Array thirty_two = scalar(element, 32);
    const Array high = is_wide ? reshape(convert(flat(kShift, {&seed, &thirty_two}), ElementType::kU32), {1})
                               : full({1}, 0, ElementType::kU32);
    return concat(std::array{high, low});
}

Array split(const Array& key, const Integers& shape, Scheme scheme) {
    static const ir::Operation& kOperation = operation_named("random_split");
    return apply_one(kOperation, {&key}, with_scheme({{"shape", shape}}, scheme));
}

Array fold_in(const Array& key, const Array& data) {
    static const ir::Operation& kOperation = operation_named("random_fold_in");
    return apply_one(kOperation, {&key, &data});
}

Array bits(const Array& key, const Integers& shape, ElementType element, Scheme scheme) {
    static const ir::Operation& kOperation = operation_named("random_bits");
    return apply_one(kOperation, {&key}, with_scheme({{"shape", shape}, {"dtype", element}}, scheme));
}

Array uniform(const Array& key, const Integers& shape, ElementType element, const Array& low,
              const Array& high, Scheme scheme) {
    static const ir::Operation& kOperation = operation_named("random_uniform");
    const Array bounds[] = {as_scalar(low, element), as_scalar(high, element)};
    return apply_one(kOperation, {&key, &bounds[0], &bounds[1]},
                     with_scheme({{"shape", shape}, {"dtype", element}}, scheme));
}

Array normal(const Array& key, const Integers& shape, ElementType element, Scheme scheme) {
    return erf_inv(uniform(key, shape, element, -below_one(element), 1.0, scheme)) * std::numbers::sqrt2;
}

Array bernoulli(const Array& key, const Array& p, const Integers& shape, Scheme scheme) {
    const ir::Shape given = p.shape();
    bool fits = given.rank() <= shape.size();
    for (std::size_t i = 0; fits && i < given.rank(); ++i)
        fits = given[i] == 1 || given[i] == shape[shape.size() - given.rank() + i];
    if (!fits)
        refuse("bernoulli: found shape " + text_of(ir::TensorType{p.element(), ir::Shape(shape), {}}) +
               " and p of type " + text_of(p.type()) + ", expected a shape that p is spread to");
    return uniform(key, shape, p.element(), 0.0, 1.0, scheme) < p;
}

Array randint(const Array& key, const Integers& shape, std::int64_t low, std::int64_t high,
              ElementType element, Scheme scheme) {
    const bool is_wide = element == ElementType::kI64 || element == ElementType::kU64;
    const bool is_signed = element == ElementType::kI64 || element == ElementType::kI32;
    if (!is_wide && element != ElementType::kI32 && element != ElementType::kU32)
        refuse("randint: found element type " + std::string(name_of(element)) +
               ", expected i32, u32, i64 or u64");
    if (low >= high)
        refuse("randint: found low = " + std::to_string(low) + " and high = " + std::to_string(high) +
               ", expected low < high");
    const std::int64_t least = !is_signed ? 0
                               : is_wide  ? std::numeric_limits<std::int64_t>::min()
                                          : -0x80000000LL;
    const std::int64_t end = is_wide     ? std::numeric_limits<std::int64_t>::max()
                             : is_signed ? 0x80000000LL
                                         : 0x100000000LL;
    if (low < least || high > end)
        refuse("randint: found " + std::to_string(low) + " to " + std::to_string(high) +
               ", expected numbers of " + std::string(name_of(element)));
    const ElementType drawn = is_wide ? ElementType::kU64 : ElementType::kU32;
    std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (!is_wide) span &= 0xFFFFFFFF;
    static const ir::Operation& kRem = operation_named("flat.rem");
    const Array keys = split(key, {2}, scheme);
    const Array upper = bits(key_at(keys, 0), shape, drawn, scheme);
    const Array lower = bits(key_at(keys, 1), shape, drawn, scheme);
    Array offset = lower;
    if (span != 0) {
        // (upper * 2^width + lower) mod span, without more bits than there are.
        const std::uint64_t mask = is_wide ? ~std::uint64_t{0} : 0xFFFFFFFF;
        const std::uint64_t half = (std::uint64_t{1} << (is_wide ? 32 : 16)) % span;
        const std::uint64_t multiplier = (half * half & mask) % span;
        const Array spans = broadcast_to(scalar(drawn, static_cast<std::int64_t>(span)), shape);
        const auto rest = [&](const Array& x) { return flat(kRem, {&x, &spans}); };
        offset = rest(rest(upper) * scalar(drawn, static_cast<std::int64_t>(multiplier)) + rest(lower));
    }
    return convert(offset, element) + scalar(element, low);
}

Array permutation(const Array& key, std::int64_t n, Scheme scheme) {
    if (n < 0) refuse("permutation: found n = " + std::to_string(n) + ", expected at least 0");
    static const ir::Operation& kSort = operation_named("flat.sort");
    Array order = arange(n);
    Array last = key;
    // So many rounds that equal sort keys hardly matter.
    const double words = std::log(static_cast<double>(std::max<std::int64_t>(n, 1))) /
                         std::log(static_cast<double>(std::numeric_limits<std::uint32_t>::max()));
    const auto rounds = static_cast<int>(std::ceil(3 * words));
    for (int round = 0; round < rounds; ++round) {
        const Array keys = split(last, {2}, scheme);
        last = key_at(keys, 0);
        order = apply(kSort, std::array{bits(key_at(keys, 1), {n}, ElementType::kU32, scheme), order},
                      {{"axis", 0}})[1];
    }
    return order;
}

Array permutation(const Array& key, const Array& rows, Scheme scheme) {
    return gather(rows, permutation(key, rows.length(), scheme), 0);
}

Array categorical(const Array& key, const Array& logits, std::int64_t axis, const Integers& shape,
                  Scheme scheme) {
    const ir::Shape given = logits.shape();
    const auto rank = static_cast<std::int64_t>(given.rank());
    if (axis < -rank || axis >= rank)
        refuse("categorical: found axis " + std::to_string(axis) + ", expected one of " +
               text_of(logits.type()));
    Integers all = shape;
    all.insert(all.end(), given.begin(), given.end());
    const ElementType element = logits.element();
    const Array gumbel = -log(-log(uniform(key, all, element, tiny(element), 1.0, scheme)));
    return argmax(gumbel + logits, axis < 0 ? axis : axis - rank);
}

}  // namespace tilemeter::trace::random
