// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/random.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/passes/compare.hpp"
#include "capture/ir/text.hpp"
#include "capture/ir/verify.hpp"
#include "runtime/trace/arrays/apply.hpp"
#include "runtime/trace/arrays/control_flow.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/jit.hpp"
#include "runtime/trace/calls/call_operations.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/derivatives/transforms.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace::random {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::TensorType;
using test::kind_of;
using test::Values;
using test::values_of;
using test::vector;
using Arrays = std::vector<Array>;
using Arguments = std::span<const Array>;

const TensorType kKey{ElementType::kU32, {2}, {}};

Array row(const Array& x, std::int64_t i) {
    return index(x, {i});
}

TEST(Random, draws_the_recorded_words) {
    EXPECT_EQ(values_of(split(key(0), {1})), (Values{0x6b200159, 0x99ba4efe}));
    EXPECT_EQ(values_of(split(key(0), {1}, Scheme::kOriginal)), (Values{0x375f238f, 0xcddb151d}));
    EXPECT_EQ(values_of(fold_in(key(0), 7)), (Values{0xa1ef7a4d, 0x116eb6b3}));
    EXPECT_EQ(values_of(key(-1)), (Values{0xffffffff, 0xffffffff}));
    EXPECT_EQ(values_of(permutation(key(42), 8)), (Values{7, 4, 2, 5, 3, 6, 0, 1}));
}

// A part of an array is drawn as the whole is; the older scheme has no such property.
TEST(Random, elements_of_the_newer_scheme_do_not_depend_on_their_number) {
    const Values many = values_of(bits(key(3), {9}));
    const Values few = values_of(bits(key(3), {4}));
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    const Values old_many = values_of(bits(key(3), {9}, ElementType::kU32, Scheme::kOriginal));
    const Values old_few = values_of(bits(key(3), {4}, ElementType::kU32, Scheme::kOriginal));
    EXPECT_FALSE(std::equal(old_few.begin(), old_few.end(), old_many.begin()));
}

TEST(Random, distributions_are_what_they_are_called) {
    constexpr std::int64_t kCount = 20'000;
    const auto mean_and_deviation = [](const Values& values) {
        double sum = 0;
        double squares = 0;
        for (const double each : values) {
            sum += each;
            squares += each * each;
        }
        const double mean = sum / static_cast<double>(values.size());
        return std::pair(mean, std::sqrt(squares / static_cast<double>(values.size()) - mean * mean));
    };
    for (const Scheme scheme : {Scheme::kPartitionable, Scheme::kOriginal}) {
        const Values even = values_of(uniform(key(1), {kCount}, ElementType::kF32, -1.0, 3.0, scheme));
        EXPECT_GE(std::ranges::min(even), -1);
        EXPECT_LT(std::ranges::max(even), 3);
        EXPECT_NEAR(mean_and_deviation(even).first, 1, 0.03);
        const auto [mean, deviation] =
            mean_and_deviation(values_of(normal(key(2), {kCount}, ElementType::kF64, scheme)));
        EXPECT_NEAR(mean, 0, 0.03);
        EXPECT_NEAR(deviation, 1, 0.03);
        EXPECT_NEAR(mean_and_deviation(values_of(bernoulli(key(3), 0.3, {kCount}, scheme))).first, 0.3,
                    0.015);
        const Values dice = values_of(randint(key(4), {kCount}, 1, 7, ElementType::kI64, scheme));
        EXPECT_EQ(std::ranges::min(dice), 1);
        EXPECT_EQ(std::ranges::max(dice), 6);
        EXPECT_NEAR(mean_and_deviation(dice).first, 3.5, 0.05);
        const Values chosen =
            values_of(categorical(key(5), vector({0, std::log(3.0)}), -1, {kCount}, scheme));
        EXPECT_NEAR(mean_and_deviation(chosen).first, 0.75, 0.015);
        Values order = values_of(permutation(key(6), 1'000, scheme));
        std::ranges::sort(order);
        for (std::size_t i = 0; i < order.size(); ++i)
            ASSERT_EQ(order[i], static_cast<double>(i));
    }
}

TEST(Random, whole_ranges_of_integers_are_drawn) {
    const Values all = values_of(randint(key(7), {4'000}, -0x80000000LL, 0x80000000LL));
    EXPECT_LT(std::ranges::min(all), -2e9);
    EXPECT_GT(std::ranges::max(all), 2e9);
    EXPECT_EQ(values_of(randint(key(7), {3}, 5, 6, ElementType::kU32)), (Values{5, 5, 5}));
}

TEST(Random, is_traced_printed_and_exported) {
    const Function f = [](Arguments x) {
        const Array keys = split(x[0]);
        return Arrays{normal(row(keys, 0), {2, 3}),
                      bits(row(keys, 1), {4}, ElementType::kU8, Scheme::kOriginal)};
    };
    const TracedGraph traced = trace("f", f, std::vector{kKey});
    EXPECT_FALSE(ir::verify(*traced.graph, call_operations()));
    EXPECT_TRUE(equal(ir::parse(ir::print(*traced.graph)), *traced.graph));
    const std::vector<Constant> values = evaluate(*traced.graph, std::vector{key(9).value()});
    const Arrays pending = f(Arrays{key(9)});
    EXPECT_EQ(values[0], pending[0].value());
    EXPECT_EQ(values[1], pending[1].value());
    EXPECT_NE(to_stablehlo(*traced.graph).find("@threefry2x32"), std::string::npos);
}

TEST(Random, lanes_and_trips_have_keys_of_their_own) {
    const Function draw = [](Arguments x) { return Arrays{uniform(x[0], {3})}; };
    const Array keys = split(key(1), {4});
    const Array drawn = vmap(draw, {0})(Arrays{keys})[0];
    for (std::int64_t i = 0; i < 4; ++i)
        EXPECT_EQ(row(drawn, i).value(), draw(Arrays{row(keys, i)})[0].value());
    const Arrays trips = scan(
        [&](Arguments c) {
            const Array next = split(c[0]);
            return Arrays{row(next, 0), draw(Arrays{row(next, 1)})[0]};
        },
        Arrays{key(1)}, {}, {.length = 3});
    EXPECT_NE(row(trips[1], 0).value(), row(trips[1], 1).value());
}

// The values kept for the way back: the mask, or the key that it is drawn from again.
TEST(Random, the_way_back_keeps_what_was_drawn_or_draws_again) {
    const auto drop = [](Arguments x) { return Arrays{where(bernoulli(x[1], 0.5, {64}), x[0] * x[0], 0.0)}; };
    const std::vector<TensorType> types{{ElementType::kF64, {64}, {}}, kKey};
    const auto kept_elements = [&](const Function& f) {
        const Reversed way = reverse(*trace("f", f, types).graph, {0});
        std::int64_t bools = 0;
        for (std::size_t i = 0; i < way.residuals; ++i) {
            const TensorType& type = way.backward.type(way.backward.params()[i]);
            if (type.element == ElementType::kBool) bools += type.shape.elements();
        }
        return bools;
    };
    const Function again = [&](Arguments x) { return checkpoint(drop, x); };
    EXPECT_EQ(kept_elements(drop), 64);
    EXPECT_EQ(kept_elements(again), 0);
    const Array x = uniform(key(1), {64}, ElementType::kF64);
    const auto gradient = [&](const Function& f) {
        return grad([&](Arguments a) { return Arrays{sum(f(Arrays{a[0], key(2)})[0])}; })(Arrays{x})[0];
    };
    EXPECT_EQ(gradient(drop).value(), gradient(again).value());
    const Values forward = values_of(drop(Arrays{x, key(2)})[0]);
    const Values backward = values_of(gradient(again));
    for (std::size_t i = 0; i < forward.size(); ++i)
        EXPECT_EQ(forward[i] == 0, backward[i] == 0);
}

std::vector<KeyReuse> reused(const Function& f) {
    return reused_keys(*trace("f", f, std::vector{kKey}).graph);
}

bool source(ir::Location& location) {
    static std::uint32_t line = 0;
    location.file = "f.py";
    location.line = ++line;
    return true;
}

TEST(KeyReuse, is_found_with_both_places) {
    set_location_source(source);
    const auto found = reused([](Arguments x) { return Arrays{uniform(x[0], {3}), normal(x[0], {3})}; });
    set_location_source(nullptr);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first.file, "f.py");
    EXPECT_LT(found[0].first.line, found[0].second.line);
    EXPECT_NE(found[0].text.find("random_uniform (at f.py:"), std::string::npos) << found[0].text;
}

TEST(KeyReuse, knows_equal_keys_and_different_ones) {
    EXPECT_EQ(reused([](Arguments x) {
                  const Array keys = split(x[0]);
                  return Arrays{uniform(row(keys, 0), {3}), uniform(row(keys, 1), {3}),
                                uniform(fold_in(row(keys, 1), 1), {2}),
                                uniform(fold_in(row(keys, 1), 2), {2})};
              }).size(),
              0U);
    EXPECT_EQ(reused([](Arguments x) {
                  const Array keys = split(x[0]);
                  return Arrays{uniform(row(keys, 0), {3}), uniform(row(keys, 0), {2})};
              }).size(),
              1U);
    EXPECT_EQ(reused([](Arguments x) { return Arrays{fold_in(x[0], 1) + fold_in(x[0], 1)}; }).size(), 1U);
    EXPECT_EQ(reused([](Arguments x) { return Arrays{uniform(x[0], {3}), split(x[0])}; }).size(), 1U);
}

TEST(KeyReuse, looks_into_bodies) {
    const Function draw = [](Arguments x) { return Arrays{uniform(x[0], {3})}; };
    EXPECT_EQ(reused([&](Arguments x) {
                  return Arrays{call("f", draw, x)[0], call("f", draw, x)[0]};
              }).size(),
              1U);
    EXPECT_EQ(reused([&](Arguments x) { return cond(sum(x[0]) > 0, draw, draw, x); }).size(), 0U);
    const auto loop = [](const auto& key_of) {
        return [key_of](Arguments x) {
            return scan(
                [&](Arguments c) {
                    return Arrays{c[0] + 1, uniform(key_of(x[0], c[0]), {2})};
                },
                Arrays{0}, {}, {.length = 3});
        };
    };
    EXPECT_EQ(reused(loop([](const Array& key, const Array&) { return key; })).size(), 1U);
    EXPECT_EQ(reused(loop([](const Array& key, const Array& i) { return fold_in(key, i); })).size(), 0U);
}

TEST(Random, refuses_what_is_no_key) {
    using enum TraceErrorKind;
    EXPECT_EQ(kind_of(
                  [] {
                      uniform(vector({1, 2}), {3});
                  },
                  "f64[2], expected a key, u32[2]"),
              kElementTypeMismatch);
    EXPECT_EQ(kind_of([] { uniform(split(key(0)), {3}); }, "u32[2,2]"), kShapeMismatch);
    EXPECT_EQ(kind_of([] { bits(key(0), {-1}); }, "at least 0"), kBadArgument);
    EXPECT_EQ(kind_of([] { bits(key(0), {2}, ElementType::kI32); }, "i32"), kElementTypeMismatch);
    EXPECT_EQ(kind_of([] { randint(key(0), {2}, 3, 3); }, "low < high"), kBadArgument);
    EXPECT_EQ(kind_of([] { randint(key(0), {2}, -1, 3, ElementType::kU32); }, "u32"), kBadArgument);
    EXPECT_EQ(kind_of([] { categorical(key(0), vector({1, 2}), 1); }, "axis 1"), kBadArgument);
    EXPECT_EQ(kind_of([] { key(vector({1, 2})); }, "f64[2]"), kBadArgument);
}

}  // namespace
}  // namespace tilemeter::trace::random
