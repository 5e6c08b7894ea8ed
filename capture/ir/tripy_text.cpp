// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/tripy_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "capture/ir/internal/python_text.hpp"
#include "capture/ir/order.hpp"

namespace tilemeter::ir {

namespace {

using internal::DtypeNames;
using internal::python_text;

constexpr std::size_t kShownElements = 8;

const std::vector<TripySpelling>& trace_spellings() {
    static const std::vector<TripySpelling> known = [] {
        std::vector<TripySpelling> spellings{
            {"full", "fill", {{"value", "value"}, {"shape", "shape"}, {"dtype", "dtype"}}}};
        for (const std::string name : {"exp", "log", "rsqrt", "sin", "tanh"}) {
            std::string kind = name;
            std::ranges::transform(kind, kind.begin(),
                                   [](char c) { return static_cast<char>(c - 'a' + 'A'); });
            spellings.push_back({name, "unaryelementwise", {}, "kind=Kind." + kind});
        }
        return spellings;
    }();
    return known;
}

const std::vector<TripySpelling>& flat_spellings() {
    static const std::vector<TripySpelling> known{
        {"broadcast_in_dim", "BroadcastOp", {{"dims", "broadcast_dim"}}}};
    return known;
}

// dynamic_slice becomes DynamicSliceOp.
std::string flat_name(std::string_view operation) {
    std::string name;
    bool is_start = true;
    for (const char c : operation) {
        const bool is_small = c >= 'a' && c <= 'z';
        if (c != '_') name += is_start && is_small ? static_cast<char>(c - 'a' + 'A') : c;
        is_start = c == '_';
    }
    return name + "Op";
}

enum class Level : std::uint8_t { kTrace, kFlat };

class TripyText {
public:
    TripyText(const Graph& graph, const TripyOptions& options, Level level)
        : graph_(graph), options_(options), level_(level), order_(topological_order(graph)) {
        name_values();
    }

    std::string text() {
        text_ = level_ == Level::kTrace ? "==== Trace IR ====\n" : "==== Flat IR ====\n";
        append_section("inputs", graph_.params());
        std::vector<bool> shown(graph_.value_count());
        const auto show_constants = [&](std::span<const ValueId> values) {
            for (const ValueId value : values)
                if (const Constant* const constant = graph_.constant(value);
                    constant != nullptr && !names_[index_of(value)].empty() && !shown[index_of(value)]) {
                    append_constant(value, *constant);
                    shown[index_of(value)] = true;
                }
        };
        for (const std::uint32_t index : order_) {
            show_constants(graph_.equation(index).operands());
            append_equation(graph_.equation(index));
        }
        show_constants(graph_.results());
        append_section("outputs", graph_.results());
        return std::move(text_);
    }

    std::vector<std::string> names() { return std::move(names_); }

private:
    // In the order in which the text defines them: parameters, then constants before their first use, and results.
    void name_values() {
        names_.resize(graph_.value_count());
        std::uint64_t number = level_ == Level::kTrace ? 0 : 1;
        const std::string_view prefix = level_ == Level::kTrace ? "t" : "t_inter";
        const auto name = [&](ValueId value) {
            std::string& known = names_[index_of(value)];
            if (!known.empty()) return;
            const std::string_view own = graph_.name_of(value);
            known =
                taken_.next(own.empty() ? std::string(prefix) + std::to_string(number++) : std::string(own));
        };
        const auto name_constants = [&](std::span<const ValueId> values) {
            for (const ValueId value : values)
                if (graph_.constant(value) != nullptr && !is_literal(value)) name(value);
        };
        std::ranges::for_each(graph_.params(), name);
        for (const std::uint32_t index : order_) {
            const Equation equation = graph_.equation(index);
            name_constants(equation.operands());
            for (std::size_t i = 0; i < equation.results().size(); ++i)
                name(equation.results()[i]);
        }
        name_constants(graph_.results());
    }

    // The trace shows scalars where they are used; the Flat IR has an operation for each constant.
    [[nodiscard]] bool is_literal(ValueId value) const {
        return level_ == Level::kTrace && graph_.type(value).shape.rank() == 0;
    }

    [[nodiscard]] std::string device_of(ValueId value) const {
        const TensorType& type = graph_.type(value);
        return type.place ? type.place->device : options_.device;
    }

    // "t1: [shape=(2, 3,), dtype=(float32), loc=(gpu:0)]"
    [[nodiscard]] std::string described(ValueId value) const {
        std::string shape;
        for (const std::int64_t dim : graph_.type(value).shape)
            shape += (shape.empty() ? "" : " ") + std::to_string(dim) + ",";
        return use(value) + ": [shape=(" + shape + "), dtype=(" +
               internal::python_name_of(graph_.type(value).element) + "), loc=(" + device_of(value) + ")]";
    }

    [[nodiscard]] std::string use(ValueId value) const {
        const std::string& name = names_[index_of(value)];
        return name.empty() ? python_text(*graph_.constant(value), 1) : name;
    }

    void append_section(const std::string& title, std::span<const ValueId> values) {
        if (values.empty()) return;
        text_ += title + ":\n";
        for (const ValueId value : values)
            text_ += "    " + described(value) + '\n';
    }

    // The part before '=': names, in the Flat IR with their types.
    void append_results(const Equation& equation) {
        for (std::size_t i = 0; i < equation.results().size(); ++i) {
            const ValueId value = equation.results()[i];
            text_ += i == 0 ? "" : ", ";
            text_ += level_ == Level::kTrace ? use(value) : described(value);
        }
        if (equation.results().size() > 0) text_ += " = ";
    }

    void append_constant(ValueId value, const Constant& constant) {
        const std::string data = python_text(constant, kShownElements);
        const std::string dtype = internal::python_name_of(constant.type().element);
        if (level_ == Level::kFlat)
            text_ += described(value) + " = ConstantOp(data=" + data + ", dtype=" + dtype +
                     ", device=" + device_of(value) + ")\n";
        else
            text_ += use(value) + " = storage(data=" + data +
                     ", shape=" + shape_text(constant.type().shape.dims()) + ", dtype=" + dtype +
                     ", loc=" + device_of(value) + ")\n";
    }

    void append_equation(const Equation& equation) {
        append_results(equation);
        const TripySpelling* const spelling = spelling_of(equation.operation());
        std::vector<std::string> arguments;
        for (const ValueId operand : equation.operands())
            arguments.push_back(use(operand));
        const auto add = [&](const std::string& name, const Attribute& value) {
            arguments.push_back(name + '=' + attribute_text(value));
        };
        if (spelling == nullptr)
            for (const auto& [name, value] : equation.attributes().entries())
                add(name, value);
        else
            for (const auto& [ours, theirs] : spelling->attributes)
                if (const Attribute* const value = equation.attributes().find(ours)) add(theirs, *value);
        if (spelling != nullptr && !spelling->more.empty()) arguments.push_back(spelling->more);
        for (const Subgraph& each : equation.subgraphs())
            arguments.push_back(each.name + '=' +
                                (each.graph->name().empty() ? "graph" : each.graph->name()));
        text_ += spelling != nullptr      ? spelling->name
                 : level_ == Level::kFlat ? flat_name(equation.operation())
                                          : equation.operation();
        text_ += '(';
        for (std::size_t i = 0; i < arguments.size(); ++i)
            text_ += (i == 0 ? "" : ", ") + arguments[i];
        text_ += ")\n";
    }

    [[nodiscard]] const TripySpelling* spelling_of(const std::string& operation) const {
        const auto& known = level_ == Level::kTrace ? trace_spellings() : flat_spellings();
        for (const auto* spellings : {&options_.spellings, &known})
            if (const auto found = std::ranges::find(*spellings, operation, &TripySpelling::operation);
                found != spellings->end())
                return &*found;
        return nullptr;
    }

    // Shapes are tuples in the trace, lists in the Flat IR.
    [[nodiscard]] std::string attribute_text(const Attribute& value) const {
        const auto* const integers = std::get_if<Integers>(&value);
        return integers != nullptr && level_ == Level::kTrace ? shape_text(*integers)
                                                              : python_text(value, DtypeNames::kPython);
    }

    static std::string shape_text(std::span<const std::int64_t> dims) {
        std::vector<std::string> elements;
        for (const std::int64_t dim : dims)
            elements.push_back(std::to_string(dim));
        return internal::python_tuple(elements);
    }

    const Graph& graph_;
    const TripyOptions& options_;
    Level level_;
    std::vector<std::uint32_t> order_;
    internal::PythonNames taken_;
    std::vector<std::string> names_;
    std::string text_;
};

}  // namespace

std::string tripy_trace_ir(const Graph& graph, const TripyOptions& options) {
    return TripyText(graph, options, Level::kTrace).text();
}

std::string tripy_flat_ir(const Graph& graph, const TripyOptions& options) {
    return TripyText(graph, options, Level::kFlat).text();
}

std::vector<std::string> tripy_trace_names(const Graph& graph) {
    return TripyText(graph, {}, Level::kTrace).names();
}

}  // namespace tilemeter::ir
