// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Graphs for tests of placing: built of flat primitives, run on a device and on the host.

#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "capture/ir/error.hpp"
#include "runtime/trace/calls/evaluate.hpp"
#include "runtime/trace/device/place/place.hpp"
#include "runtime/trace/primitives/flat_builder.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"

namespace tilemeter::test {

using ir::Attributes;
using ir::Constant;
using ir::ElementType;
using ir::Graph;
using ir::Integers;
using ir::TensorType;
using ir::ValueId;

inline TensorType type_of(ElementType element, const Integers& shape) {
    return {element, ir::Shape(shape), {}};
}

/// Multiples of 1/8 between the limits, integers of those, bools.
class Numbers {
public:
    explicit Numbers(unsigned seed) : engine_(seed) {}

    std::int64_t below(std::int64_t limit) {
        return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit));
    }

    Constant tensor(const TensorType& type, double low = -4, double high = 4) {
        const auto count = static_cast<std::size_t>(type.shape.elements());
        const bool is_float = ir::is_float(type.element);
        if (type.element == ElementType::kBool) low = 0, high = 1;
        if (ir::is_unsigned_integer(type.element)) low = std::max(low, 0.0);
        std::vector<double> values(count);
        for (double& value : values)
            value = low + static_cast<double>(below(static_cast<std::int64_t>((high - low) * 8) + 1)) / 8;
        if (is_float) return Constant::of(type.element, type.shape, std::span<const double>(values));
        std::vector<std::int64_t> integers;
        for (const double value : values)
            integers.push_back(static_cast<std::int64_t>(std::floor(value)));
        return Constant::of(type.element, type.shape, std::span<const std::int64_t>(integers));
    }

private:
    std::mt19937 engine_;
};

/// One primitive over parameters of these types.
inline Graph graph_of(const std::string& primitive, const std::vector<TensorType>& types,
                      const Attributes& attributes = {}) {
    Graph graph("main", std::string(trace::kFlat));
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < types.size(); ++i)
        operands.push_back(graph.add_input("x" + std::to_string(i), types[i]));
    const ir::ValueRange results =
        add_op(graph, trace::flat_operations().at(primitive), operands, attributes);
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < results.size(); ++i)
        all.push_back(results[i]);
    graph.set_results(all);
    return graph;
}

inline std::vector<TensorType> types_of(const std::vector<Constant>& constants) {
    std::vector<TensorType> types;
    for (const Constant& constant : constants)
        types.push_back(constant.type());
    return types;
}

/// That the placed graph computes what the host does, within t + t |b|.
inline void expect_same(const std::vector<Constant>& found, const std::vector<Constant>& expected,
                        double tolerance, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t r = 0; r < found.size(); ++r) {
        ASSERT_EQ(found[r].type(), expected[r].type()) << what;
        const auto count = static_cast<std::size_t>(expected[r].type().shape.elements());
        for (std::size_t i = 0; i < count; ++i) {
            const double a = found[r].double_at(i);
            const double b = expected[r].double_at(i);
            const bool same = a == b || (std::isnan(a) && std::isnan(b));
            ASSERT_TRUE(same || std::fabs(a - b) <= tolerance + tolerance * std::fabs(b))
                << what << ": result " << r << ", element " << i << ": found " << a << ", expected " << b;
        }
    }
}

inline void expect_placed(const Graph& graph, const std::vector<Constant>& inputs,
                          const std::shared_ptr<Device>& device, const std::string& what,
                          double tolerance = 2e-6) {
    try {
        expect_same(trace::place(graph, device).run(std::span<const Constant>(inputs)),
                    trace::evaluate(graph, inputs), tolerance, what);
    } catch (const std::exception& error) {
        ADD_FAILURE() << what << ": " << error.what();
    }
}

/// The primitive over these operands: as parameters, and with each of the last ones as a constant of the graph.
inline void expect_primitive_placed(const std::string& primitive, const std::vector<Constant>& operands,
                                    const Attributes& attributes, const std::shared_ptr<Device>& device,
                                    double tolerance = 2e-6) {
    std::string what = primitive;
    for (const Constant& operand : operands)
        what += " " + text_of(operand.type());
    expect_placed(graph_of(primitive, types_of(operands), attributes), operands, device, what, tolerance);
}

}  // namespace tilemeter::test
