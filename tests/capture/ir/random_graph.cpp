// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/capture/ir/random_graph.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tilemeter::test {

namespace {

class RandomGraph {
public:
    explicit RandomGraph(std::uint32_t seed) : random_(seed) {}

    ir::Graph graph(int depth) {
        ir::Graph made(chance(4) ? std::string{} : name(), chance(2) ? "flat" : "");
        for (std::size_t i = below(4); i > 0; --i)
            made.add_input(chance(8) ? std::string{} : name(), type());
        std::vector<ir::ValueId> values(made.params().begin(), made.params().end());
        std::vector<ir::GraphPtr> subgraphs;
        for (std::size_t i = depth > 0 ? below(3) : 0; i > 0; --i)
            subgraphs.push_back(std::make_shared<const ir::Graph>(graph(depth - 1)));
        for (std::size_t i = below(12); i > 0; --i)
            append(made, values, subgraphs);
        if (!values.empty() && chance(3)) shuffle_operands(made, values);
        std::vector<ir::ValueId> results;
        for (std::size_t i = values.empty() ? 0 : below(4); i > 0; --i)
            results.push_back(one_of(values));
        made.set_results(results);
        return made;
    }

private:
    std::size_t below(std::size_t count) { return random_() % count; }
    bool chance(std::size_t one_in) { return below(one_in) == 0; }
    template <class T>
    const T& one_of(const std::vector<T>& values) {
        return values[below(values.size())];
    }
    std::string name() {
        static const std::vector<std::string> kNames{
            "x",        "y",    "weight",       "layers[0].bias", "7",      "a b",
            "<lambda>", "\"\\", "\n\t\x01\x7f", "größe",          "return", "constant",
            "at",       "x.2",  "nan"};
        return one_of(kNames);
    }

    ir::ElementType element() {
        return static_cast<ir::ElementType>(below(static_cast<std::size_t>(ir::ElementType::kCount)));
    }

    ir::TensorType type() {
        ir::TensorType made{element(), {}, {}};
        for (std::size_t rank = chance(10) ? 9 : below(4); rank > 0; --rank)
            made.shape.push_back(static_cast<std::int64_t>(chance(20) ? std::int64_t{1} << 40 : below(5)));
        if (chance(4)) made.place = ir::Place{"n150:0", chance(2) ? "TILE" : "ROW_MAJOR", name()};
        return made;
    }

    double real() {
        switch (below(6)) {
            case 0:
                return std::numeric_limits<double>::infinity();
            case 1:
                return -0.0;
            case 2:
                return std::numeric_limits<double>::quiet_NaN();
            case 3:
                return std::bit_cast<double>((std::uint64_t{random_()} << 32) | random_());
            case 4:
                return std::ldexp(static_cast<double>(random_()), -40);
            default:
                return static_cast<double>(below(10));
        }
    }

    ir::Constant constant() {
        ir::TensorType made{element(), {}, {}};
        for (std::size_t rank = chance(2) ? 0 : below(3); rank > 0; --rank)
            made.shape.push_back(static_cast<std::int64_t>(below(6)));
        if (chance(6)) made.place = ir::Place{"host", "", ""};
        std::vector<std::byte> bytes(byte_size(made));
        for (std::byte& byte : bytes)
            byte = static_cast<std::byte>(made.element == ir::ElementType::kBool ? below(2) : random_());
        return ir::Constant::copy_of(made, bytes);
    }

    ir::Attribute attribute() {
        const std::size_t count = below(4);
        ir::Booleans booleans;
        ir::Integers integers;
        ir::Floats floats;
        ir::Strings strings;
        for (std::size_t i = 0; i < count; ++i) {
            booleans.push_back(chance(2));
            integers.push_back(static_cast<std::int64_t>((std::uint64_t{random_()} << 32) | random_()));
            floats.push_back(real());
            strings.push_back(name());
        }
        switch (below(9)) {
            case 0:
                return chance(2);
            case 1:
                return static_cast<std::int64_t>(random_()) - 1000;
            case 2:
                return real();
            case 3:
                return name();
            case 4:
                return element();
            case 5:
                return booleans;
            case 6:
                return integers;
            case 7:
                return floats;
            default:
                return strings;
        }
    }

    void append(ir::Graph& graph, std::vector<ir::ValueId>& values,
                const std::vector<ir::GraphPtr>& subgraphs) {
        if (chance(3)) {
            values.push_back(graph.add_const(constant()));
            if (chance(4)) graph.set_name(values.back(), name());
        }
        std::vector<ir::ValueId> operands;
        for (std::size_t i = values.empty() ? 0 : below(4); i > 0; --i)
            operands.push_back(one_of(values));
        std::vector<ir::TensorType> types;
        for (std::size_t i = below(4); i > 0; --i)
            types.push_back(type());
        ir::Attributes attributes;
        for (std::size_t i = below(4); i > 0; --i)
            attributes.set(name(), attribute());
        std::vector<ir::Subgraph> held;
        for (std::size_t i = subgraphs.empty() ? 0 : below(3); i > 0; --i)
            held.push_back({name(), one_of(subgraphs)});
        ir::Location location;
        if (chance(2)) location = {name(), static_cast<std::uint32_t>(random_()), chance(2) ? name() : ""};
        static const std::vector<std::string> kOperations{"add",  "ttnn::matmul", "random.split", "return",
                                                          "at",   "constant",     "odd name",     "",
                                                          "data", "graph"};
        const ir::ValueRange results =
            graph.append(one_of(kOperations), operands, types, attributes, held, location);
        for (std::size_t i = 0; i < results.size(); ++i) {
            values.push_back(results[i]);
            if (chance(3)) graph.set_name(results[i], name());
        }
    }

    void shuffle_operands(ir::Graph& graph, const std::vector<ir::ValueId>& values) {
        for (std::size_t equation = 0; equation < graph.equation_count(); ++equation)
            for (std::size_t i = 0; i < graph.equation(equation).operands().size(); ++i)
                graph.set_operand(equation, i, one_of(values));
    }

    std::mt19937 random_;
};

}  // namespace

ir::Graph random_graph(std::uint32_t seed, int depth) {
    return RandomGraph(seed).graph(depth);
}

}  // namespace tilemeter::test
