// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives on a device against the same on the host.

#include "runtime/trace/device/place/place.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/runtime/operations/open_devices.hpp"
#include "tests/runtime/trace/device/placing.hpp"

namespace tilemeter {
namespace {

using test::Constant;
using test::ElementType;
using test::expect_primitive_placed;
using test::Integers;
using test::Numbers;
using test::type_of;

using ElementType::kBool;
using ElementType::kF32;
using ElementType::kI32;
using ElementType::kU32;

const std::vector<Integers> kShapes = {
    {}, {1}, {7}, {40}, {5, 3}, {1, 33}, {3, 1, 5}, {2, 33, 34}, {2, 3, 4, 5}, {1, 2, 1, 3}, {2, 1, 3, 2, 3}};

class Place : public ::testing::Test {
protected:
    const std::shared_ptr<Device>& device() const { return open_.get(); }
    void expect(const std::string& primitive, const std::vector<Constant>& operands,
                const ir::Attributes& attributes = {}, double tolerance = 2e-6) {
        expect_primitive_placed(primitive, operands, attributes, device(), tolerance);
    }

    Numbers numbers_{7};

private:
    test::OpenDevice open_;
};

struct Domain {
    const char* primitive;
    double low = -4, high = 4;
};

TEST_F(Place, functions_of_a_float) {
    const Domain kAll[] = {{"exp"},
                           {"expm1"},
                           {"log", 0.125, 9},
                           {"log1p", -0.5, 9},
                           {"sqrt", 0, 9},
                           {"rsqrt", 0.125, 9},
                           {"cbrt"},
                           {"sin"},
                           {"cos"},
                           {"tan", -1.25, 1.25},
                           {"tanh"},
                           {"logistic"},
                           {"erf"},
                           {"erf_inv", -0.875, 0.875},
                           {"lgamma", 0.125, 9},
                           {"digamma", 0.125, 9},
                           {"sign"},
                           {"floor"},
                           {"ceil"},
                           {"round_even"},
                           {"round_away"},
                           {"is_finite"},
                           {"neg"},
                           {"abs"},
                           {"copy"}};
    for (const Domain& each : kAll)
        for (const Integers& shape : kShapes)
            expect(each.primitive, {numbers_.tensor(type_of(kF32, shape), each.low, each.high)}, {}, 1e-5);
}

TEST_F(Place, functions_of_two) {
    for (const Integers& shape : kShapes) {
        for (const char* const primitive : {"add", "sub", "mul", "maximum", "minimum"})
            for (const ElementType element : {kF32, kI32, kU32})
                expect(primitive,
                       {numbers_.tensor(type_of(element, shape)), numbers_.tensor(type_of(element, shape))});
        for (const char* const primitive : {"and", "or", "xor"})
            for (const ElementType element : {kBool, kI32, kU32})
                expect(primitive, {numbers_.tensor(type_of(element, shape), -1e6, 1e6),
                                   numbers_.tensor(type_of(element, shape), -1e6, 1e6)});
        for (const char* const primitive : {"div", "rem"}) {
            expect(primitive,
                   {numbers_.tensor(type_of(kF32, shape)), numbers_.tensor(type_of(kF32, shape), 0.5, 4)});
            expect(primitive,
                   {numbers_.tensor(type_of(kI32, shape), -99, 99), numbers_.tensor(type_of(kI32, shape))});
        }
        expect("rem", {numbers_.tensor(type_of(kU32, shape), 0, 99), numbers_.tensor(type_of(kU32, shape))});
        expect("pow",
               {numbers_.tensor(type_of(kF32, shape), 0.125, 4), numbers_.tensor(type_of(kF32, shape))}, {},
               1e-5);
        expect("atan2", {numbers_.tensor(type_of(kF32, shape)), numbers_.tensor(type_of(kF32, shape))});
        for (const char* const primitive : {"maximum", "minimum"})
            expect(primitive,
                   {numbers_.tensor(type_of(kBool, shape)), numbers_.tensor(type_of(kBool, shape))});
    }
}

TEST_F(Place, integers_wrap_around) {
    const Integers shape{2, 3};
    const double large = 2147483000.0;
    for (const char* const primitive : {"add", "sub", "mul"}) {
        expect(primitive, {numbers_.tensor(type_of(kI32, shape), -large, large),
                           numbers_.tensor(type_of(kI32, shape), -large, large)});
        expect(primitive, {numbers_.tensor(type_of(kU32, shape), 0, 2 * large),
                           numbers_.tensor(type_of(kU32, shape), 0, 2 * large)});
    }
    for (const ElementType element : {kI32, kU32}) {
        expect("not", {numbers_.tensor(type_of(element, shape), -large, large)});
        expect("neg", {numbers_.tensor(type_of(element, shape), -large, large)});
        for (const char* const primitive : {"shift_left", "shift_right_logical", "shift_right_arithmetic"})
            expect(primitive, {numbers_.tensor(type_of(element, shape), -large, large),
                               numbers_.tensor(type_of(element, shape), 0, 31)});
    }
    for (const char* const primitive : {"sign", "abs"})
        expect(primitive, {numbers_.tensor(type_of(kI32, shape), -large, large)});
}

TEST_F(Place, comparisons_and_choices) {
    for (const Integers& shape : kShapes) {
        for (const char* const direction : {"EQ", "NE", "LT", "LE", "GT", "GE"})
            for (const ElementType element : {kF32, kI32, kU32, kBool})
                expect("compare",
                       {numbers_.tensor(type_of(element, shape)), numbers_.tensor(type_of(element, shape))},
                       {{"direction", std::string(direction)}});
        for (const ElementType element : {kF32, kI32, kU32, kBool})
            for (const Integers& of_predicate : {shape, Integers{}})
                expect("select",
                       {numbers_.tensor(type_of(kBool, of_predicate)),
                        numbers_.tensor(type_of(element, shape), -2e9, 2e9),
                        numbers_.tensor(type_of(element, shape), -2e9, 2e9)},
                       {}, 0);
        for (const ElementType element : {kF32, kI32, kU32})
            for (const Integers& of_limit : {shape, Integers{}})
                expect("clamp", {numbers_.tensor(type_of(element, of_limit), -3, 0),
                                 numbers_.tensor(type_of(element, shape)),
                                 numbers_.tensor(type_of(element, of_limit), 0, 3)});
        expect("not", {numbers_.tensor(type_of(kBool, shape))});
    }
}

TEST_F(Place, conversions) {
    for (const Integers& shape : kShapes)
        for (const ElementType from : {kF32, kI32, kU32, kBool, ElementType::kF64, ElementType::kBF16})
            for (const ElementType to : {kF32, kI32, kU32, kBool, ElementType::kF64, ElementType::kBF16})
                expect("convert", {numbers_.tensor(type_of(from, shape), 0, 9)}, {{"dtype", to}});
    for (const ElementType from : {kF32, kI32, kU32})
        for (const ElementType to : {kF32, kI32, kU32})
            expect("bitcast_convert", {numbers_.tensor(type_of(from, {3, 5}), 0, 9)}, {{"dtype", to}});
}

TEST_F(Place, shapes) {
    for (const ElementType element : {kF32, kI32, kU32, kBool}) {
        const auto tensor = [&](const Integers& shape) { return numbers_.tensor(type_of(element, shape)); };
        for (const Integers& shape : kShapes) {
            const auto count = ir::Shape(shape).elements();
            const auto rank = static_cast<std::int64_t>(shape.size());
            expect("reshape", {tensor(shape)}, {{"shape", Integers{count}}});
            expect("reshape", {tensor(shape)}, {{"shape", Integers{1, count, 1}}});
            Integers perm(shape.size());
            std::iota(perm.rbegin(), perm.rend(), 0);
            expect("transpose", {tensor(shape)}, {{"perm", perm}});
            Integers wide{3};
            wide.insert(wide.end(), shape.begin(), shape.end());
            Integers dims(shape.size());
            std::iota(dims.begin(), dims.end(), 1);
            expect("broadcast_in_dim", {tensor(shape)}, {{"shape", wide}, {"dims", dims}});
            for (std::int64_t axis = 0; axis < rank; ++axis) {
                expect("concatenate", {tensor(shape), tensor(shape), tensor(shape)}, {{"axis", axis}});
                expect("reverse", {tensor(shape)}, {{"dims", Integers{axis}}});
            }
            if (rank == 0) continue;
            Integers starts;
            Integers strides;
            Integers low;
            Integers high;
            for (const std::int64_t extent : shape) {
                starts.push_back(numbers_.below(extent));
                strides.push_back(1 + numbers_.below(3));
                low.push_back(numbers_.below(3) - (extent > 4 ? 1 : 0));
                high.push_back(numbers_.below(3) - (extent > 4 ? 1 : 0));
            }
            expect("slice", {tensor(shape)}, {{"starts", starts}, {"limits", shape}, {"strides", strides}});
            expect("pad", {tensor(shape), tensor({})}, {{"low", low}, {"high", high}});
            expect("pad", {tensor(shape), tensor({})}, {{"low", low}, {"high", high}, {"interior", starts}});
        }
    }
    expect("broadcast_in_dim", {numbers_.tensor(type_of(kF32, {3, 5}))},
           {{"shape", Integers{5, 2, 3}}, {"dims", Integers{2, 0}}});
    for (const ElementType element : {kF32, kI32, kU32}) {
        expect("iota", {}, {{"shape", Integers{40}}, {"dim", 0}, {"dtype", element}});
        expect("iota", {}, {{"shape", Integers{2, 5, 3}}, {"dim", 1}, {"dtype", element}});
        expect("full", {}, {{"shape", Integers{2, 3}}, {"value", 16777217.0}, {"dtype", element}}, 1e-7);
    }
    expect("full", {}, {{"shape", Integers{}}, {"value", 1.0}, {"dtype", kBool}});
}

TEST_F(Place, products) {
    struct Case {
        Integers left, right, left_batch, right_batch, left_contract, right_contract;
    };
    const Case kAll[] = {
        {{5}, {5}, {}, {}, {0}, {0}},
        {{}, {}, {}, {}, {}, {}},
        {{3}, {4}, {}, {}, {}, {}},
        {{3, 5}, {5, 4}, {}, {}, {1}, {0}},
        {{3, 5}, {4, 5}, {}, {}, {1}, {1}},
        {{5, 3}, {5, 4}, {}, {}, {0}, {0}},
        {{2, 3, 5}, {2, 5, 4}, {0}, {0}, {2}, {1}},
        {{2, 3, 5}, {5}, {}, {}, {2}, {0}},
        {{2, 6, 3, 5}, {2, 6, 5, 4}, {0, 1}, {0, 1}, {3}, {2}},
        {{3, 2, 5, 6}, {6, 2, 5, 4}, {1}, {1}, {3, 2}, {0, 2}},
        {{2, 3, 2, 3, 5}, {2, 3, 2, 5, 4}, {0, 1, 2}, {0, 1, 2}, {4}, {3}},
    };
    for (const Case& each : kAll)
        for (const ElementType element : {kF32, kI32, kU32})
            expect(
                "dot_general",
                {numbers_.tensor(type_of(element, each.left)), numbers_.tensor(type_of(element, each.right))},
                {{"lhs_batch", each.left_batch},
                 {"rhs_batch", each.right_batch},
                 {"lhs_contract", each.left_contract},
                 {"rhs_contract", each.right_contract}});
}

TEST_F(Place, reductions) {
    for (const Integers& shape : kShapes) {
        const auto rank = static_cast<std::int64_t>(shape.size());
        std::vector<Integers> all_axes{{}};
        for (std::int64_t axis = 0; axis < rank; ++axis)
            all_axes.push_back({axis});
        if (rank > 1) {
            Integers all(shape.size());
            std::iota(all.begin(), all.end(), 0);
            all_axes.push_back(all);
            all_axes.push_back({rank - 1, 0});
        }
        for (const Integers& axes : all_axes) {
            for (const ElementType element : {kF32, kI32, kU32})
                for (const char* const primitive : {"reduce_sum", "reduce_max", "reduce_min"})
                    expect(primitive, {numbers_.tensor(type_of(element, shape))}, {{"axes", axes}});
            expect("reduce_prod", {numbers_.tensor(type_of(kF32, shape), 0.875, 1.125)}, {{"axes", axes}},
                   1e-5);
            expect("reduce_prod", {numbers_.tensor(type_of(kI32, shape), -3, 3)}, {{"axes", axes}});
            for (const ElementType element : {kBool, kI32, kU32})
                for (const char* const primitive : {"reduce_and", "reduce_or"})
                    expect(primitive, {numbers_.tensor(type_of(element, shape), -1e6, 1e6)},
                           {{"axes", axes}});
        }
        for (std::int64_t axis = 0; axis < rank; ++axis) {
            for (const ElementType element : {kF32, kI32, kU32}) {
                for (const char* const primitive : {"arg_max", "arg_min"})
                    expect(primitive, {numbers_.tensor(type_of(element, shape))},
                           {{"axis", axis}, {"dtype", kI32}});
                for (const bool reverse : {false, true})
                    expect("cumsum", {numbers_.tensor(type_of(element, shape))},
                           {{"axis", axis}, {"reverse", reverse}});
            }
            for (const bool descending : {false, true}) {
                const ir::Attributes order{{"axis", axis}, {"descending", descending}};
                expect("sort", {numbers_.tensor(type_of(kF32, shape))}, order);
                expect("sort",
                       {numbers_.tensor(type_of(kF32, shape)), numbers_.tensor(type_of(kI32, shape)),
                        numbers_.tensor(type_of(kF32, shape))},
                       order);
            }
        }
        if (rank > 0)
            expect("top_k", {numbers_.tensor(type_of(kF32, shape))},
                   {{"k", 1 + numbers_.below(shape.back())}});
    }
}

TEST_F(Place, windows_that_begin_where_scalars_say) {
    for (const Integers& shape : kShapes) {
        for (const ElementType element : {kF32, kI32, kBool}) {
            std::vector<Constant> slice{numbers_.tensor(type_of(element, shape))};
            Integers sizes;
            for (const std::int64_t extent : shape) {
                sizes.push_back(1 + numbers_.below(extent));
                slice.push_back(numbers_.tensor(type_of(kI32, {}), -3, 40));
            }
            std::vector<Constant> update = slice;
            update.insert(update.begin() + 1, numbers_.tensor(type_of(element, sizes)));
            expect("dynamic_slice", slice, {{"sizes", sizes}});
            expect("dynamic_update_slice", update);
        }
    }
}

TEST_F(Place, windows_that_begin_where_vectors_say) {
    const auto indices = [&](const Integers& shape) { return numbers_.tensor(type_of(kI32, shape), -2, 9); };
    for (const ElementType element : {kF32, kI32}) {
        const auto tensor = [&](const Integers& shape) { return numbers_.tensor(type_of(element, shape)); };
        const auto gather = [&](const Integers& from, const Integers& places, const Integers& offset_dims,
                                const Integers& collapsed, const Integers& map, std::int64_t vector_dim,
                                const Integers& sizes) {
            expect("gather", {tensor(from), indices(places)},
                   {{"offset_dims", offset_dims},
                    {"collapsed_slice_dims", collapsed},
                    {"start_index_map", map},
                    {"index_vector_dim", vector_dim},
                    {"slice_sizes", sizes}});
        };
        gather({7}, {}, {}, {0}, {0}, 0, {1});
        gather({7}, {4}, {}, {0}, {0}, 1, {1});
        gather({7, 5}, {3}, {1}, {0}, {0}, 1, {1, 5});
        gather({7, 5}, {2, 3}, {0}, {1}, {1}, 2, {7, 1});
        gather({7, 5}, {2, 3}, {2}, {0}, {0}, 2, {1, 5});
        gather({7, 5}, {4, 2}, {}, {0, 1}, {0, 1}, 1, {1, 1});
        gather({7, 5}, {4, 2}, {1, 2}, {}, {1, 0}, 1, {3, 2});
        gather({4, 7, 5}, {2, 3}, {0, 3}, {1}, {1}, 2, {4, 1, 5});
        gather({4, 7, 5}, {2, 2, 3}, {1}, {0, 1}, {0, 1}, 1, {1, 1, 5});
        gather({2, 2, 7, 1, 3}, {4}, {0, 1, 3, 4}, {2}, {2}, 1, {2, 2, 1, 1, 3});
        const auto scatter = [&](const Integers& to, const Integers& places, const Integers& updates,
                                 const Integers& window, const Integers& inserted, const Integers& map,
                                 std::int64_t vector_dim) {
            for (const char* const primitive : {"scatter", "scatter_add"})
                expect(primitive, {tensor(to), indices(places), tensor(updates)},
                       {{"update_window_dims", window},
                        {"inserted_window_dims", inserted},
                        {"scatter_dims_to_operand_dims", map},
                        {"index_vector_dim", vector_dim}});
        };
        scatter({7}, {4}, {4}, {}, {0}, {0}, 1);
        scatter({7, 5}, {3}, {3, 5}, {1}, {0}, {0}, 1);
        scatter({7, 5}, {2, 3}, {7, 2, 3}, {0}, {1}, {1}, 2);
        scatter({7, 5}, {4, 2}, {4}, {}, {0, 1}, {0, 1}, 1);
        scatter({7, 5}, {4, 2}, {4, 3, 2}, {1, 2}, {}, {1, 0}, 1);
        scatter({4, 7, 5}, {2, 2, 3}, {2, 5, 3}, {1}, {0, 1}, {0, 1}, 0);
    }
}

// More bits than a float has.
TEST_F(Place, moves_integers_of_32_bits) {
    const double large = 2147483000.0;
    for (const ElementType element : {kI32, kU32}) {
        const auto tensor = [&](const Integers& shape) {
            return numbers_.tensor(type_of(element, shape), element == kI32 ? -large : 0, large);
        };
        const Constant places = numbers_.tensor(type_of(kI32, {4}), 0, 6);
        expect("gather", {tensor({7}), places},
               {{"offset_dims", Integers{}},
                {"collapsed_slice_dims", Integers{0}},
                {"start_index_map", Integers{0}},
                {"index_vector_dim", 1},
                {"slice_sizes", Integers{1}}},
               0);
        for (const char* const primitive : {"scatter", "scatter_add"})
            expect(primitive, {tensor({7}), places, tensor({4})},
                   {{"update_window_dims", Integers{}},
                    {"inserted_window_dims", Integers{0}},
                    {"scatter_dims_to_operand_dims", Integers{0}},
                    {"index_vector_dim", 1}},
                   0);
        expect("dynamic_slice", {tensor({7}), numbers_.tensor(type_of(kI32, {}), 0, 4)},
               {{"sizes", Integers{3}}}, 0);
        expect("pad", {tensor({7}), tensor({})}, {{"low", Integers{1}}, {"high", Integers{2}}}, 0);
        expect("reverse", {tensor({3, 7})}, {{"dims", Integers{0, 1}}}, 0);
        for (const char* const primitive : {"reduce_max", "reduce_min", "reduce_sum"})
            expect(primitive, {tensor({3, 7})}, {{"axes", Integers{0, 1}}}, 0);
        for (const char* const primitive : {"arg_max", "arg_min"})
            expect(primitive, {tensor({3, 40})}, {{"axis", 1}, {"dtype", kI32}}, 0);
        expect("cumsum", {tensor({3, 7})}, {{"axis", 1}}, 0);
        expect("clamp", {tensor({}), tensor({3, 7}), tensor({})}, {}, 0);
        expect("maximum", {tensor({3, 7}), tensor({3, 7})}, {}, 0);
        expect("compare", {tensor({3, 7}), tensor({3, 7})}, {{"direction", std::string("LT")}}, 0);
    }
}

TEST_F(Place, random_bits) {
    const auto words = [&] { return numbers_.tensor(type_of(kU32, {5}), 0, 4294967295.0); };
    expect("threefry2x32", {words(), words(), words(), words()}, {}, 0);
}

}  // namespace
}  // namespace tilemeter
