// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// reduce_precision against what JAX 0.10.2 computes, bit by bit.

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/export/stablehlo.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace {
namespace {

using ir::Constant;
using ir::ElementType;
using ir::Graph;
using Bits = std::vector<std::uint64_t>;

Graph reducing(const ir::TensorType& type, std::int64_t exponent, std::int64_t mantissa) {
    Graph graph("f", std::string(kFlat));
    const ir::ValueId x = graph.add_input("x", type);
    graph.set_results({add_op(graph, flat_operations(), "reduce_precision", {x},
                              {{"exponent_bits", exponent}, {"mantissa_bits", mantissa}})});
    return graph;
}

struct Format {
    std::int64_t exponent, mantissa;
    Bits numbers;
};
struct Recorded {
    ElementType element;
    Bits numbers;
    std::vector<Format> reduced;
};

// 0.1, pi, the largest f16, the middle to its infinity twice, the smallest normal f16, one below, -1e-10, the largest f32, 1e-40, -0,
// -infinity, nan, and the middles behind 1 and 1 + 2^-10.
const std::vector<Recorded>& recorded() {
    static const std::vector<Recorded> kAll = {
        {ElementType::kF32,
         {0x3dcccccd, 0x40490fdb, 0x477fe000, 0x477ff000, 0xc77ff000, 0x38800000, 0x387fc000, 0xaedbe6ff,
          0x7f7fffff, 0x116c2, 0x80000000, 0xff800000, 0x7fc00000, 0x3f801000, 0x3f803000},
         {{5,
           10,
           {0x3dccc000, 0x40490000, 0x477fe000, 0x7f800000, 0xff800000, 0x38800000, 0x0, 0x80000000,
            0x7f800000, 0x0, 0x80000000, 0xff800000, 0x7fc00000, 0x3f800000, 0x3f804000}},
          {8,
           7,
           {0x3dcd0000, 0x40490000, 0x47800000, 0x47800000, 0xc7800000, 0x38800000, 0x38800000, 0xaedc0000,
            0x7f800000, 0x10000, 0x80000000, 0xff800000, 0x7fc00000, 0x3f800000, 0x3f800000}},
          {4,
           3,
           {0x3dd00000, 0x40500000, 0x7f800000, 0x7f800000, 0xff800000, 0x0, 0x0, 0x80000000, 0x7f800000, 0x0,
            0x80000000, 0xff800000, 0x7fc00000, 0x3f800000, 0x3f800000}},
          {1,
           5,
           {0x0, 0x7f800000, 0x7f800000, 0x7f800000, 0xff800000, 0x0, 0x0, 0x80000000, 0x7f800000, 0x0,
            0x80000000, 0xff800000, 0x7fc00000, 0x0, 0x0}},
          {8,
           0,
           {0x3e000000, 0x40800000, 0x47800000, 0x47800000, 0xc7800000, 0x38800000, 0x38800000, 0xaf000000,
            0x7f800000, 0x0, 0x80000000, 0xff800000, 0x7fc00000, 0x3f800000, 0x3f800000}}}},
        {ElementType::kF16,
         {0x2e66, 0x4248, 0x7bff, 0x7c00, 0xfc00, 0x400, 0x3ff, 0x8000, 0x7c00, 0x0, 0x8000, 0xfc00, 0x7e00,
          0x3c00, 0x3c02},
         {{5,
           2,
           {0x2e00, 0x4200, 0x7c00, 0x7c00, 0xfc00, 0x400, 0x400, 0x8000, 0x7c00, 0x0, 0x8000, 0xfc00, 0x7e00,
            0x3c00, 0x3c00}},
          {4,
           3,
           {0x2e80, 0x4280, 0x7c00, 0x7c00, 0xfc00, 0x0, 0x0, 0x8000, 0x7c00, 0x0, 0x8000, 0xfc00, 0x7e00,
            0x3c00, 0x3c00}}}},
        {ElementType::kBF16,
         {0x3dcd, 0x4049, 0x4780, 0x4780, 0xc780, 0x3880, 0x3880, 0xaedc, 0x7f80, 0x1, 0x8000, 0xff80, 0x7fc0,
          0x3f80, 0x3f80},
         {{5,
           10,
           {0x3dcd, 0x4049, 0x7f80, 0x7f80, 0xff80, 0x3880, 0x3880, 0x8000, 0x7f80, 0x0, 0x8000, 0xff80,
            0x7fc0, 0x3f80, 0x3f80}},
          {8,
           3,
           {0x3dd0, 0x4050, 0x4780, 0x4780, 0xc780, 0x3880, 0x3880, 0xaee0, 0x7f80, 0x0, 0x8000, 0xff80,
            0x7fc0, 0x3f80, 0x3f80}}}},
        {ElementType::kF64,
         {0x3fb99999a0000000, 0x400921fb60000000, 0x40effc0000000000, 0x40effe0000000000, 0xc0effe0000000000,
          0x3f10000000000000, 0x3f0ff80000000000, 0xbddb7cdfe0000000, 0x47efffffe0000000, 0x37a16c2000000000,
          0x8000000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x3ff0020000000000, 0x3ff0060000000000},
         {{8,
           23,
           {0x3fb99999a0000000, 0x400921fb60000000, 0x40effc0000000000, 0x40effe0000000000,
            0xc0effe0000000000, 0x3f10000000000000, 0x3f0ff80000000000, 0xbddb7cdfe0000000,
            0x47efffffe0000000, 0x0, 0x8000000000000000, 0xfff0000000000000, 0x7ff8000000000000,
            0x3ff0020000000000, 0x3ff0060000000000}},
          {11,
           20,
           {0x3fb9999a00000000, 0x400921fb00000000, 0x40effc0000000000, 0x40effe0000000000,
            0xc0effe0000000000, 0x3f10000000000000, 0x3f0ff80000000000, 0xbddb7ce000000000,
            0x47f0000000000000, 0x37a16c2000000000, 0x8000000000000000, 0xfff0000000000000,
            0x7ff8000000000000, 0x3ff0020000000000, 0x3ff0060000000000}}}},
    };
    return kAll;
}

TEST(ReducePrecision, rounds_as_jax_does) {
    for (const Recorded& each : recorded()) {
        const ir::TensorType type{each.element, {static_cast<std::int64_t>(each.numbers.size())}, {}};
        const std::size_t width = ir::element_bytes(each.element);
        std::vector<std::byte> bytes(each.numbers.size() * width);
        for (std::size_t i = 0; i < each.numbers.size(); ++i)
            std::memcpy(bytes.data() + i * width, &each.numbers[i], width);
        const Constant x = Constant::copy_of(type, bytes);
        for (const Format& format : each.reduced) {
            const Constant y =
                evaluate(reducing(type, format.exponent, format.mantissa), std::vector<Constant>{x})[0];
            ASSERT_EQ(y.type(), type);
            Bits found(each.numbers.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                std::memcpy(&found[i], y.bytes().data() + i * width, width);
            EXPECT_EQ(found, format.numbers)
                << name_of(each.element) << " to e" << format.exponent << "m" << format.mantissa;
        }
    }
}

TEST(ReducePrecision, is_an_operation_of_stablehlo) {
    const std::string text = to_stablehlo(reducing({ElementType::kF32, {2}, {}}, 5, 10));
    EXPECT_NE(text.find("%0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2xf32>"),
              std::string::npos)
        << text;
}

TEST(ReducePrecision, refuses_a_float_without_an_exponent_and_integers) {
    const auto refused = [](ElementType element, std::int64_t exponent, std::int64_t mantissa) {
        try {
            reducing({element, {2}, {}}, exponent, mantissa);
            return std::string("nothing");
        } catch (const ir::Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(refused(ElementType::kF32, 0, 3),
              "reduce_precision: found exponent_bits 0, expected at least 1");
    EXPECT_EQ(refused(ElementType::kF32, 4, -1),
              "reduce_precision: found mantissa_bits -1, expected at least 0");
    EXPECT_EQ(refused(ElementType::kI32, 4, 3), "reduce_precision: operand 0: found i32[2], expected floats");
}

}  // namespace
}  // namespace tilemeter::trace
