// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/export/stablehlo.hpp"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/ir/control.hpp"
#include "capture/ir/order.hpp"
#include "capture/ir/passes/compare.hpp"
#include "runtime/trace/calls/lower.hpp"
#include "runtime/trace/primitives/flat_operations.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace {

using internal::stablehlo_names;
using internal::stablehlo_type;
using internal::stablehlo_types;
using ir::Constant;
using ir::Control;
using ir::Equation;
using ir::Graph;
using ir::TensorType;
using ir::ValueId;
using Names = std::vector<std::string>;
using TensorTypes = std::vector<TensorType>;

// "T" or "(T, T)"
std::string results_text(const TensorTypes& types) {
    return types.size() == 1 ? stablehlo_type(types[0]) : "(" + stablehlo_types(types) + ")";
}

// The first letters of a name that may stand after @ without quotes.
std::string symbol(const std::string& name) {
    std::string text;
    for (const char c : name)
        text += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    return text.empty() || (text[0] >= '0' && text[0] <= '9') ? "_" + text : text;
}

// Private functions of a module, by what they compute.
class Functions {
public:
    std::string name_of(const Graph& body);
    /// The name of a primitive that is no one operation of StableHLO.
    std::string name_of_primitive(const Equation& equation, const internal::Text& text);
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string fresh(const std::string& like) {
        std::size_t& count = uses_[symbol(like)];
        return symbol(like) + "_" + std::to_string(count++);
    }

    std::string text_;
    std::map<std::string, std::size_t> uses_;
    std::unordered_multimap<std::uint64_t, std::pair<const Graph*, std::string>> bodies_;
    std::map<std::string, std::string> primitives_;
};

/// The equations of a function or of a region in it. Regions see the values around them, so values have numbers of
/// their own in the whole function.
class Block {
public:
    Block(Functions& functions, std::size_t& next, std::string indent)
        : functions_(functions), next_(next), indent_(std::move(indent)) {}

    /// Prints the equations of a graph; the names of its results.
    Names graph(const Graph& given, const Names& arguments);

    std::string scalar(const Constant& constant) {
        return constant_line("stablehlo.constant " + internal::stablehlo_literal(constant));
    }
    std::string splat(const TensorType& type, const Constant& number) {
        return constant_line("stablehlo.constant " + internal::stablehlo_splat(type, number));
    }
    /// One result.
    std::string line(const std::string& text) {
        const std::string name = fresh();
        lines_ += indent_ + name + " = " + text + "\n";
        return name;
    }
    void finish(const std::string& with, const Names& results, const TensorTypes& types) {
        lines_ += indent_ + with +
                  (results.empty() ? "" : " " + stablehlo_names(results) + " : " + stablehlo_types(types)) +
                  "\n";
    }
    [[nodiscard]] std::string text() const { return constants_ + lines_; }

private:
    using Values = std::unordered_map<ValueId, std::string>;

    std::string fresh() { return "%" + std::to_string(next_++); }

    // Constants stand first, each once.
    std::string constant_line(const std::string& text) {
        std::string& name = known_[text];
        if (name.empty()) {
            name = fresh();
            constants_ += indent_ + name + " = " + text + "\n";
        }
        return name;
    }

    // The names of the results of one operation.
    Names statement(const std::string& text, std::size_t count) {
        if (count == 1) return {line(text)};
        const std::string name = fresh();
        lines_ += indent_ + (count == 0 ? "" : name + ":" + std::to_string(count) + " = ") + text + "\n";
        Names names;
        for (std::size_t i = 0; i < count; ++i)
            names.push_back(name + "#" + std::to_string(i));
        return names;
    }

    Names equation(const Equation& equation, Control control, const Names& operands);
    Names called(const Equation& equation, const std::string& function, const Names& operands);
    Names branch(const Equation& equation, const Names& operands);
    Names loop(const Equation& equation, const Names& operands);
    Names scan(const Equation& equation, const Names& operands);
    std::string row_of(const std::string& stacked, const TensorType& type, const std::string& index,
                       Block& body, const std::string& zero);

    // A while: prints cond(block, carried names) and body(block, carried names), which give names of results.
    template <class Cond, class Body>
    Names while_loop(const Names& start, const TensorTypes& types, Cond&& cond, Body&& body) {
        Names carried;
        std::string header;
        for (const std::string& each : start) {
            carried.push_back("%iter" + std::to_string(next_++));
            header += (header.empty() ? "" : ", ") + carried.back() + " = " + each;
        }
        Block condition(functions_, next_, indent_ + "  ");
        const Names goes_on = cond(condition, carried);
        condition.finish("stablehlo.return", goes_on, {{ir::ElementType::kBool, {}, {}}});
        Block step(functions_, next_, indent_ + "  ");
        const Names next = body(step, carried);
        step.finish("stablehlo.return", next, types);
        return statement("stablehlo.while(" + header + ") : " + stablehlo_types(types) + "\n" + indent_ +
                             "cond {\n" + condition.text() + indent_ + "} do {\n" + step.text() + indent_ +
                             "}",
                         start.size());
    }

    Functions& functions_;
    std::size_t& next_;
    std::string indent_;
    std::string constants_;
    std::string lines_;
    std::map<std::string, std::string> known_;
};

Names Block::graph(const Graph& given, const Names& arguments) {
    std::optional<Graph> storage;
    const Graph& from = in_order(given, flat_operations(), storage);
    const auto operations = operations_of(from, flat_operations());
    Values values;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        values[from.params()[i]] = arguments[i];
    const auto name = [&](ValueId value) {
        const Constant* const constant = from.constant(value);
        return constant != nullptr ? scalar(*constant) : values.at(value);
    };
    const auto names = [&](std::span<const ValueId> of) {
        Names all;
        for (const ValueId value : of)
            all.push_back(name(value));
        return all;
    };
    for (const Equation each : from.equations()) {
        const Names results =
            equation(each, operations[each.operation_number()]->control, names(each.operands()));
        for (std::size_t i = 0; i < results.size(); ++i)
            values[each.results()[i]] = results[i];
    }
    return names(from.results());
}

Names Block::equation(const Equation& equation, Control control, const Names& operands) {
    switch (control) {
        case Control::kCall:
            return called(equation, functions_.name_of(*equation.subgraphs()[0].graph), operands);
        case Control::kBranch:
            return branch(equation, operands);
        case Control::kWhile:
            return loop(equation, operands);
        case Control::kScan:
            return scan(equation, operands);
        case Control::kNone:
            break;
    }
    const internal::Primitive* const row = internal::find_primitive(equation.operation());
    if (row == nullptr) throw internal::no_formula(equation.operation());
    const internal::LineUse use{equation, operands, equation.graph().types(equation.operands()),
                                equation.result_types(),
                                [this](const Constant& constant) { return scalar(constant); }};
    if (const auto text = stablehlo_line(row->text, use)) return statement(*text, equation.results().size());
    return called(equation, functions_.name_of_primitive(equation, row->text), operands);
}

Names Block::called(const Equation& equation, const std::string& function, const Names& operands) {
    return statement("func.call @" + function + "(" + stablehlo_names(operands) + ") : (" +
                         stablehlo_types(equation.graph().types(equation.operands())) + ") -> " +
                         results_text(equation.result_types()),
                     equation.results().size());
}

Names Block::branch(const Equation& equation, const Names& operands) {
    const bool by_number = equation.subgraphs()[0].name != ir::kThen;
    const Names arguments(operands.begin() + 1, operands.end());
    const TensorTypes types = equation.result_types();
    std::string regions;
    for (const ir::Subgraph& each : equation.subgraphs()) {
        Block block(functions_, next_, indent_ + "  ");
        block.finish("stablehlo.return", block.graph(*each.graph, arguments), types);
        regions += (regions.empty() ? "{\n" : ", {\n") + block.text() + indent_ + "}";
    }
    const TensorType choice = equation.graph().type(equation.operands()[0]);
    return statement(std::string(by_number ? "\"stablehlo.case\"(" : "\"stablehlo.if\"(") + operands[0] +
                         ") (" + regions + ") : (" + stablehlo_type(choice) + ") -> " + results_text(types),
                     types.size());
}

// Consts are seen from inside.
Names Block::loop(const Equation& equation, const Names& operands) {
    const auto parts = control_operands(Control::kWhile, operands.size(), equation.attributes());
    const auto first = operands.begin() + static_cast<std::ptrdiff_t>(parts.consts);
    const Names consts(operands.begin(), first);
    const auto run = [&](std::string_view name) {
        return [&, name](Block& block, const Names& carried) {
            Names arguments = consts;
            arguments.insert(arguments.end(), carried.begin(), carried.end());
            return block.graph(*equation.subgraph(name), arguments);
        };
    };
    return while_loop(Names(first, operands.end()), equation.result_types(), run(ir::kCond), run(ir::kBody));
}

std::string Block::row_of(const std::string& stacked, const TensorType& type, const std::string& index,
                          Block& body, const std::string& zero) {
    const TensorType index_type{ir::ElementType::kI32, {}, {}};
    TensorType row = type;
    row.shape[0] = 1;
    const TensorType element{type.element, ir::Shape(type.shape.dims().subspan(1)), {}};
    Names starts(type.shape.rank(), zero);
    starts[0] = index;
    TensorTypes operand_types{type};
    operand_types.resize(type.shape.rank() + 1, index_type);
    const std::vector<std::int64_t> sizes(row.shape.begin(), row.shape.end());
    const std::string slice =
        body.line("stablehlo.dynamic_slice " + stacked + ", " + stablehlo_names(starts) +
                  ", sizes = " + internal::stablehlo_list(sizes) + " : (" + stablehlo_types(operand_types) +
                  ") -> " + stablehlo_type(row));
    return body.line("stablehlo.reshape " + slice + " : (" + stablehlo_type(row) + ") -> " +
                     stablehlo_type(element));
}

// A while over the trip, the carry and the stacks of outputs.
Names Block::scan(const Equation& equation, const Names& operands) {
    const auto parts = control_operands(Control::kScan, operands.size(), equation.attributes());
    const auto length = equation.attributes().get<std::int64_t>(ir::kLengthAttribute);
    const bool reverse = equation.attributes().get_or(ir::kReverseAttribute, false);
    const TensorType index_type{ir::ElementType::kI32, {}, {}};
    const std::string index = stablehlo_type(index_type);
    const TensorTypes types = equation.result_types();
    const auto number = [](Block& block, std::int64_t value) {
        return block.scalar(Constant::scalar(ir::ElementType::kI32, value));
    };
    const auto first_carry = operands.begin() + static_cast<std::ptrdiff_t>(parts.consts);
    const auto first_input = first_carry + static_cast<std::ptrdiff_t>(parts.carry);

    Names start{number(*this, 0)};
    start.insert(start.end(), first_carry, first_input);
    for (std::size_t i = parts.carry; i < types.size(); ++i)
        start.push_back(splat(types[i], Constant::scalar(types[i].element, 0)));
    // Without trips there are no rows, whose slices would not fit.
    if (length == 0) return {start.begin() + 1, start.end()};
    TensorTypes carried_types{index_type};
    carried_types.insert(carried_types.end(), types.begin(), types.end());

    const auto cond = [&](Block& block, const Names& carried) {
        return Names{block.line("stablehlo.compare LT, " + carried[0] + ", " + number(block, length) +
                                ", SIGNED : (" + index + ", " + index + ") -> tensor<i1>")};
    };
    const auto body = [&](Block& block, const Names& carried) {
        std::string row = carried[0];
        if (reverse)
            row = block.line("stablehlo.subtract " + number(block, length - 1) + ", " + row + " : " + index);
        const std::string zero = number(block, 0);
        Names arguments(operands.begin(), first_carry);
        arguments.insert(arguments.end(), carried.begin() + 1,
                         carried.begin() + 1 + static_cast<std::ptrdiff_t>(parts.carry));
        for (auto input = first_input; input != operands.end(); ++input) {
            const auto i = static_cast<std::size_t>(input - operands.begin());
            arguments.push_back(
                row_of(*input, equation.graph().type(equation.operands()[i]), row, block, zero));
        }
        const Names results = block.graph(*equation.subgraph(ir::kBody), arguments);
        Names next{block.line("stablehlo.add " + carried[0] + ", " + number(block, 1) + " : " + index)};
        next.insert(next.end(), results.begin(), results.begin() + static_cast<std::ptrdiff_t>(parts.carry));
        for (std::size_t i = parts.carry; i < types.size(); ++i) {
            TensorType one_row = types[i];
            one_row.shape[0] = 1;
            const TensorType element{types[i].element, ir::Shape(types[i].shape.dims().subspan(1)), {}};
            const std::string update =
                block.line("stablehlo.reshape " + results[i] + " : (" + stablehlo_type(element) + ") -> " +
                           stablehlo_type(one_row));
            Names starts(types[i].shape.rank(), zero);
            starts[0] = row;
            TensorTypes operand_types{types[i], one_row};
            operand_types.resize(types[i].shape.rank() + 2, index_type);
            next.push_back(block.line("stablehlo.dynamic_update_slice " + carried[i + 1] + ", " + update +
                                      ", " + stablehlo_names(starts) + " : (" +
                                      stablehlo_types(operand_types) + ") -> " + stablehlo_type(types[i])));
        }
        return next;
    };
    Names results = while_loop(start, carried_types, cond, body);
    results.erase(results.begin());
    return results;
}

std::string function_text(Functions& functions, const Graph& graph, const std::string& head) {
    std::size_t next = 0;
    Block block(functions, next, "    ");
    Names arguments;
    std::string params;
    for (const ValueId param : graph.params()) {
        arguments.push_back("%arg" + std::to_string(arguments.size()));
        params += (params.empty() ? "" : ", ") + arguments.back() + ": " + stablehlo_type(graph.type(param));
    }
    const TensorTypes types = graph.types(graph.results());
    block.finish("return", block.graph(graph, arguments), types);
    return "  func.func " + head + "(" + params + ") -> " + results_text(types) + " {\n" + block.text() +
           "  }\n";
}

// A primitive as the graph of its formula, with the operands as parameters.
Graph formula_graph(const Equation& equation, const internal::Text& text) {
    const auto* const formula = std::get_if<internal::TextFormula>(&text);
    if (formula == nullptr) throw internal::no_formula(equation.operation());
    Graph graph(equation.operation(), std::string(kFlat));
    std::vector<ValueId> operands;
    for (const ValueId operand : equation.operands())
        operands.push_back(
            graph.add_input("x" + std::to_string(operands.size()), equation.graph().type(operand)));
    FlatBuilder to(graph);
    graph.set_results((*formula)(to, operands, equation.attributes()));
    return graph;
}

std::string Functions::name_of(const Graph& body) {
    const std::uint64_t hash = structural_hash(body);
    const auto [first, last] = bodies_.equal_range(hash);
    for (auto known = first; known != last; ++known)
        if (equal(*known->second.first, body, ir::Detail::kStructure)) return known->second.second;
    const std::string name = fresh(body.name().empty() ? "body" : body.name());
    bodies_.emplace(hash, std::pair(&body, name));
    text_ += function_text(*this, body, "private @" + name);
    return name;
}

std::string Functions::name_of_primitive(const Equation& equation, const internal::Text& text) {
    std::string key = equation.operation();
    for (const ValueId operand : equation.operands())
        key += " " + text_of(equation.graph().type(operand));
    for (const char* const attribute : {"axis", "k"})
        if (equation.attributes().find(attribute) != nullptr)
            key += " " + std::to_string(equation.attributes().get<std::int64_t>(attribute));
    const TensorType type = equation.graph().type(equation.results()[0]);
    key += " " + text_of(type);
    std::string& name = primitives_[key];
    if (!name.empty()) return name;
    name = fresh(equation.operation());
    if (const auto* const body = std::get_if<internal::TextBody>(&text)) {
        const std::string from = stablehlo_type(equation.graph().type(equation.operands()[0]));
        text_ += "  func.func private @" + name + "(%arg0: " + from + ") -> " + stablehlo_type(type) +
                 " {\n" + (*body)(equation) + "  }\n";
    } else {
        text_ += function_text(*this, formula_graph(equation, text), "private @" + name);
    }
    return name;
}

}  // namespace

std::string to_stablehlo(const ir::Graph& graph) {
    // Sorted once, so that bodies stay where they are while functions are named after them.
    const Graph flat = ordered(lower(graph), flat_operations());
    Functions functions;
    const std::string main = function_text(functions, flat, "public @main");
    return "module @" + symbol(graph.name()) + " {\n" + main + functions.text() + "}\n";
}

}  // namespace tilemeter::trace
