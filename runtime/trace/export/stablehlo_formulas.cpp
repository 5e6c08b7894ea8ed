// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that StableHLO does not have, as formulas of those that it has.

#include <array>
#include <limits>

#include "capture/ir/error.hpp"
#include "runtime/trace/export/internal/stablehlo_text.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::trace::internal {

namespace {

using ir::ElementType;
using ir::Integers;
using ir::TensorType;
using ir::ValueId;

ValueId polynomial(FlatBuilder& to, ValueId x, std::span<const double> coefficients) {
    ValueId value = to.full_like(x, coefficients[0]);
    for (const double coefficient : coefficients.subspan(1))
        value = to.add(to.mul(value, x), coefficient);
    return value;
}

// Moshier, Cephes Mathematical Library: ndtr.c. Below 1 a quotient of polynomials of x * x, above from erfc.
ValueId erf(FlatBuilder& to, ValueId x) {
    static constexpr std::array kAbove = {9.60497373987051638749e0, 9.00260197203842689217e1,
                                          2.23200534594684319226e3, 7.00332514112805075473e3,
                                          5.55923013010394962768e4};
    static constexpr std::array kBelow = {1.0,
                                          3.35617141647503099647e1,
                                          5.21357949780152679795e2,
                                          4.59432382970980127987e3,
                                          2.26290000613890934246e4,
                                          4.92673942608635921086e4};
    static constexpr std::array kFarAbove = {
        2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0,
        4.86371970985681366614e1,   1.96520832956077098242e2,  5.26445194995477358631e2,
        9.34528527171957607540e2,   1.02755188689515710272e3,  5.57535335369399327526e2};
    static constexpr std::array kFarBelow = {1.0,
                                             1.32281951154744992508e1,
                                             8.67072140885989742329e1,
                                             3.54937778887819891062e2,
                                             9.75708501743205489753e2,
                                             1.82390916687909736289e3,
                                             2.24633760818710981792e3,
                                             1.65666309194161350182e3,
                                             5.57535340817727675546e2};
    const ValueId square = to.mul(x, x);
    const ValueId near = to.mul(x, to.div(polynomial(to, square, kAbove), polynomial(to, square, kBelow)));
    // Beyond 8 it is 1 in every type; the polynomials stay finite.
    const ValueId distance = to.op("minimum", {to.op("abs", {x}), to.full_like(x, 8)});
    const ValueId power = to.op("exp", {to.op("neg", {to.mul(distance, distance)})});
    const ValueId rest =
        to.mul(power, to.div(polynomial(to, distance, kFarAbove), polynomial(to, distance, kFarBelow)));
    const ValueId far = to.mul(to.op("sign", {x}), to.sub(to.full_like(x, 1), rest));
    return to.select(to.compare("LT", distance, to.full_like(x, 1)), near, far);
}

// Giles: Approximating the erfinv function (2010), for single precision.
ValueId inverse_erf(FlatBuilder& to, ValueId x) {
    static constexpr std::array kNear = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                         -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                         -0.00417768164,  0.246640727,    1.50140941};
    static constexpr std::array kFar = {-0.000200214257, 0.000100950558, 0.00134934322,
                                        -0.00367342844,  0.00573950773,  -0.0076224613,
                                        0.00943887047,   1.00167406,     2.83297682};
    const ValueId w = to.op("neg", {to.op("log1p", {to.op("neg", {to.mul(x, x)})})});
    const ValueId near = polynomial(to, to.sub(w, 2.5), kNear);
    const ValueId far = polynomial(to, to.sub(to.op("sqrt", {w}), 3), kFar);
    const ValueId inside = to.mul(to.select(to.compare("LT", w, to.full_like(w, 5)), near, far), x);
    const ValueId is_end = to.compare("EQ", to.op("abs", {x}), to.full_like(x, 1));
    return to.select(is_end, to.mul(x, std::numeric_limits<double>::infinity()), inside);
}

// Polynomials of floats of 16 bits overflow, and have no more digits than the result.
template <class Formula>
ValueId in_f32(FlatBuilder& to, ValueId x, const Formula& formula) {
    const ElementType element = to.element(x);
    if (element == ElementType::kF64 || element == ElementType::kF32) return formula(to, x);
    return to.convert(formula(to, to.convert(x, ElementType::kF32)), element);
}

std::vector<ValueId> top_k(FlatBuilder& to, ValueId x, std::int64_t k) {
    const TensorType type = to.type(x);
    const auto last = static_cast<std::int64_t>(type.shape.rank()) - 1;
    const Integers shape(type.shape.begin(), type.shape.end());
    const ValueId places = to.op("iota", {}, {{"shape", shape}, {"dim", last}, {"dtype", ElementType::kI32}});
    const ir::ValueRange sorted = to.op("sort", {x, places}, {{"axis", last}, {"descending", true}});
    Integers limits = shape;
    limits.back() = k;
    const ir::Attributes part{{"starts", Integers(shape.size(), 0)}, {"limits", limits}};
    return {to.op("slice", {sorted[0]}, part), to.op("slice", {sorted[1]}, part)};
}

std::vector<ValueId> threefry(FlatBuilder& to, std::span<const ValueId> words) {
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

ir::Graph stablehlo_formula(const ir::Equation& equation) {
    ir::Graph graph(equation.operation(), std::string(kFlat));
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < equation.operands().size(); ++i)
        operands.push_back(
            graph.add_input("x" + std::to_string(i), equation.graph().type(equation.operands()[i])));
    FlatBuilder to(graph);
    if (equation.operation() == "erf")
        graph.set_results({in_f32(to, operands[0], erf)});
    else if (equation.operation() == "erf_inv" && to.element(operands[0]) != ElementType::kF64)
        graph.set_results({in_f32(to, operands[0], inverse_erf)});
    else if (equation.operation() == "top_k")
        graph.set_results(top_k(to, operands[0], equation.attributes().get<std::int64_t>("k")));
    else if (equation.operation() == "threefry2x32")
        graph.set_results(threefry(to, operands));
    else
        throw ir::Error(ir::ErrorKind::kUnknownOperation,
                        "StableHLO: found operation '" + equation.operation() +
                            "', expected one that StableHLO has a formula for");
    return graph;
}

}  // namespace tilemeter::trace::internal
