// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/arrays/array.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/text.hpp"
#include "runtime/trace/arrays/functions.hpp"
#include "runtime/trace/arrays/lazy.hpp"
#include "runtime/trace/arrays/trace.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/primitives/error.hpp"
#include "tests/runtime/trace/values.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::TensorType;
using test::Values;
using test::values_of;
using test::vector;

TEST(Array, computes_nothing_before_it_is_used_and_then_once) {
    const std::uint64_t runs = lazy_statistics().runs;
    const Array x = vector({1, 2, 3});
    const Array y = (x * 2.0 + 1) / 2.0;
    EXPECT_EQ(y.state(), Array::State::kPending);
    EXPECT_EQ(lazy_statistics().runs, runs);
    EXPECT_EQ(values_of(y), (Values{1.5, 2.5, 3.5}));
    EXPECT_EQ(lazy_statistics().runs, runs + 1);
    EXPECT_EQ(values_of(y), (Values{1.5, 2.5, 3.5}));
    EXPECT_EQ(y.state(), Array::State::kEvaluated);
    EXPECT_EQ(lazy_statistics().runs, runs + 1);
}

TEST(Array, gives_literals_the_element_type_of_what_they_are_computed_with) {
    const Array x = convert(vector({1, 2}), ElementType::kF32);
    EXPECT_EQ(text_of((x * 2.0).type()), "f32[2]");
    EXPECT_EQ(text_of((2 - x).type()), "f32[2]");
    const Array i = convert(x, ElementType::kI32);
    EXPECT_EQ(text_of((i + 1).type()), "i32[2]");
    EXPECT_EQ(text_of((i + 1.5).type()), "f64[2]");
    EXPECT_EQ(text_of((i > 1).type()), "bool[2]");
    EXPECT_EQ(text_of(where(i > 1, x, 0).type()), "f32[2]");
}

TEST(Array, shares_results_that_several_use) {
    const std::uint64_t runs = lazy_statistics().runs;
    const Array x = vector({4});
    const Array root = sqrt(x);
    const Array a = root + 1.0;
    const Array b = root * 3.0;
    EXPECT_EQ(values_of(a), (Values{3}));
    // The root is still held: it has its value from the first run.
    EXPECT_EQ(root.state(), Array::State::kEvaluated);
    EXPECT_EQ(b.state(), Array::State::kPending);
    EXPECT_EQ(values_of(b), (Values{6}));
    EXPECT_EQ(lazy_statistics().runs, runs + 2);
}

TEST(Array, is_traced_in_a_frame) {
    const auto traced = trace(
        "f", [](std::span<const Array> x) { return std::vector{tanh(x[0] * x[0] + 1.0)}; },
        std::vector<TensorType>{{ElementType::kF32, {2}, {}}});
    EXPECT_EQ(traced.graph->equation_count(), 3U);
    EXPECT_NE(ir::print(*traced.graph).find("tanh"), std::string::npos);
    const auto results =
        evaluate(*traced.graph,
                 std::vector{Constant::of(ElementType::kF32, {2}, std::span<const double>(Values{0, 1}))});
    EXPECT_NEAR(results[0].double_at(0), 0.76159416, 1e-6);
}

TEST(Array, indexes_as_numpy) {
    const Array x = reshape(arange(12), {3, 4});
    EXPECT_EQ(values_of(index(x, {std::int64_t{1}})), (Values{4, 5, 6, 7}));
    EXPECT_EQ(values_of(index(x, {Rest{}, std::int64_t{-1}})), (Values{3, 7, 11}));
    EXPECT_EQ(values_of(index(x, {Range{{}, {}, -2}, Range{1, 3}})), (Values{9, 10, 1, 2}));
    EXPECT_EQ(text_of(index(x, {NewAxis{}, Rest{}, NewAxis{}}).type()), "i64[1,3,4,1]");
    const Array columns = convert(vector({0, 3}), ElementType::kI32);
    EXPECT_EQ(values_of(index(x, {Range{}, columns})), (Values{0, 3, 4, 7, 8, 11}));
    const Array rows = convert(vector({-1, 0}), ElementType::kI8);
    EXPECT_EQ(values_of(index(x, {rows, columns})), (Values{8, 3}));
    EXPECT_EQ(text_of(index(x, {rows, NewAxis{}, columns}).type()), "i64[2,1]");
    EXPECT_EQ(values_of(index(x, {gt(x, 9)})), (Values{10, 11}));
    EXPECT_EQ(text_of(index(x, {Array(Constant::scalar(false))}).type()), "i64[0,3,4]");
}

TEST(Array, refuses_indices_and_numbers_out_of_range_as_numpy) {
    const auto exception_of = [](const auto& call) {
        try {
            call();
        } catch (const TraceError& error) {
            return error.exception();
        }
        return Exception::kCount;
    };
    const Array x = arange(3);
    const Array bytes = convert(x, ElementType::kU8);
    EXPECT_EQ(exception_of([&] { index(x, {std::int64_t{3}}); }), Exception::kIndex);
    EXPECT_EQ(exception_of([&] { gather(x, convert(vector({-4}), ElementType::kI64).eval(), 0); }),
              Exception::kIndex);
    EXPECT_EQ(exception_of([&] { bytes + 300; }), Exception::kOverflow);
    EXPECT_EQ(exception_of([&] { full({1}, Array(-1), ElementType::kU16); }), Exception::kOverflow);
    EXPECT_EQ(exception_of([&] { expand_dims(x, 3); }), Exception::kAxis);
    EXPECT_EQ(exception_of([&] { max(slice(x, {0}, {0})); }), Exception::kValue);
    EXPECT_EQ(values_of(bytes < 256), (Values{1, 1, 1}));
    EXPECT_EQ(values_of(-1 == bytes), (Values{0, 0, 0}));
}

}  // namespace
}  // namespace tilemeter::trace
