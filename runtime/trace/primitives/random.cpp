// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Random bits: functions of a key and a counter.

#include <array>

#include <Random123/threefry.h>

#include "runtime/trace/primitives/internal/inference.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace::internal {

namespace {

void infer_threefry(const Site& site, Types& types) {
    for (std::size_t i = 0; i < 4; ++i) {
        site.require(site.type(i).element == ElementType::kU32, ErrorKind::kElementTypeMismatch, [&] {
            return "operand " + std::to_string(i) + ": found " + text_of(site.type(i)) + ", expected u32";
        });
        require_same(site, i);
    }
    types.insert(types.end(), 2, site.type(0));
}

// Operands: two words of the key, two of the counter.
void threefry(const KernelUse& use, std::vector<Constant>& results) {
    const Numbers<std::uint64_t> first_key(use.operand(0));
    const Numbers<std::uint64_t> second_key(use.operand(1));
    const Numbers<std::uint64_t> first(use.operand(2));
    const Numbers<std::uint64_t> second(use.operand(3));
    Result<std::uint64_t> a(use.types[0]);
    Result<std::uint64_t> b(use.types[1]);
    const auto word = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    r123::Threefry2x32 generator;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const r123::Threefry2x32::ctr_type drawn =
            generator({{word(first[i]), word(second[i])}}, {{word(first_key[i]), word(second_key[i])}});
        a[i] = drawn[0];
        b[i] = drawn[1];
    }
    results.push_back(a.finish());
    results.push_back(b.finish());
}

std::vector<ValueId> threefry_text(FlatBuilder& to, std::span<const ValueId> words, const Attributes&) {
    static constexpr std::array<std::array<int, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
    const ValueId parity = to.op("xor", {to.op("xor", {words[0], words[1]}),
                                         to.full_like(words[0], static_cast<double>(0x1BD11BDAU))});
    const std::array<ValueId, 3> keys = {words[0], words[1], parity};
    ValueId x = to.add(words[2], keys[0]);
    ValueId y = to.add(words[3], keys[1]);
    for (std::size_t round = 0; round < 5; ++round) {
        for (const int rotation : kRotations[round % 2]) {
            x = to.add(x, y);
            const ValueId left = to.op("shift_left", {y, to.full_like(y, rotation)});
            const ValueId right = to.op("shift_right_logical", {y, to.full_like(y, 32 - rotation)});
            y = to.op("xor", {to.op("or", {left, right}), x});
        }
        x = to.add(x, keys[(round + 1) % 3]);
        y = to.add(to.add(y, keys[(round + 2) % 3]), static_cast<double>(round + 1));
    }
    return {x, y};
}

}  // namespace

std::span<const Primitive> random_primitives() {
    static const Primitive kRows[] = {
        {.name = "threefry2x32",
         .operands = {4, 4},
         .results = {2, 2},
         .infer = infer_threefry,
         .compute = threefry,
         .derivative = zero_jvp,
         .batch = batch_elementwise,
         .text = threefry_text},
    };
    return kRows;
}

}  // namespace tilemeter::trace::internal
