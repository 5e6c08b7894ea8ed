// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/ir/fx_table.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture/ir/internal/python_text.hpp"
#include "capture/ir/order.hpp"

namespace tilemeter::ir {

namespace {

// The last part of the name of a function from a namespace or module: torch.fx would name its node by it.
std::string_view last_part(std::string_view operation) {
    return operation.substr(operation.find_last_of(".:") + 1);
}

std::string graph_text(const Graph& graph) {
    return graph.name().empty() ? "graph" : graph.name();
}

class FxRows {
public:
    explicit FxRows(const Graph& graph) : graph_(graph), names_of_(graph.value_count()) {}

    std::vector<FxRow> run() {
        for (const ValueId param : graph_.params())
            define("placeholder", param, graph_.name_of(param), std::string(graph_.name_of(param)));
        for (std::size_t i = 0; i < graph_.value_count(); ++i) {
            const auto value = static_cast<ValueId>(i);
            if (!graph_.constant(value)) continue;
            if (graph_.type(value).shape.rank() == 0)
                names_of_[i] = internal::python_text(*graph_.constant(value), 1);
            else
                define("get_attr", value, name_or(value, "constant"), name_or(value, "constant"));
        }
        for (const std::uint32_t index : topological_order(graph_))
            add(graph_.equation(index));
        const auto results = uses(graph_.results());
        const std::vector<std::string> output{results.size() == 1 ? results[0]
                                                                  : internal::python_tuple(results)};
        rows_.push_back(
            {"output", names_.next("output"), "output", internal::python_tuple(output), "{}", {}, {}});
        return std::move(rows_);
    }

private:
    std::string name_or(ValueId value, std::string_view otherwise) const {
        const std::string_view name = graph_.name_of(value);
        return std::string(name.empty() ? otherwise : name);
    }

    void define(std::string opcode, ValueId value, std::string_view wanted, std::string target) {
        std::string& name = names_of_[index_of(value)];
        name = names_.next(wanted);
        rows_.push_back(
            {std::move(opcode), name, std::move(target), "()", "{}", text_of(graph_.type(value)), {}});
    }

    std::vector<std::string> uses(std::span<const ValueId> values) const {
        std::vector<std::string> names;
        for (const ValueId value : values)
            names.push_back(names_of_[index_of(value)]);
        return names;
    }

    void add(const Equation& equation) {
        const ValueRange results = equation.results();
        const std::string_view operation = last_part(equation.operation());
        const bool is_single = results.size() == 1;
        FxRow row{
            "call_function",          names_.next(is_single ? name_or(results[0], operation) : operation),
            equation.operation(),     internal::python_tuple(uses(equation.operands())),
            kwargs_of(equation),      {},
            equation.location().scope};
        for (std::size_t i = 0; i < results.size(); ++i)
            row.type += (i == 0 ? "" : ", ") + text_of(graph_.type(results[i]));
        const std::string holder = row.name;
        rows_.push_back(std::move(row));
        if (is_single) names_of_[index_of(results[0])] = holder;
        for (std::size_t i = 0; i < results.size() && !is_single; ++i) {
            const std::array<std::string, 2> args{holder, std::to_string(i)};
            std::string& name = names_of_[index_of(results[i])];
            name = names_.next(name_or(results[i], "getitem"));
            rows_.push_back({"call_function", name, "getitem", internal::python_tuple(args), "{}",
                             text_of(graph_.type(results[i])), equation.location().scope});
        }
    }

    static std::string kwargs_of(const Equation& equation) {
        std::string text = "{";
        const auto add = [&](const std::string& name, const std::string& value) {
            text += (text.size() == 1 ? "'" : ", '") + name + "': " + value;
        };
        for (const auto& [name, value] : equation.attributes().entries())
            add(name, internal::python_text(value, internal::DtypeNames::kOurs));
        for (const Subgraph& each : equation.subgraphs())
            add(each.name, graph_text(*each.graph));
        return text + "}";
    }

    const Graph& graph_;
    std::vector<FxRow> rows_;
    internal::PythonNames names_;
    std::vector<std::string> names_of_;  ///< by value
};

using Cells = std::vector<std::string>;

// As the package tabulate lays out its format "simple", which torch.fx uses.
std::string table_of(const std::vector<Cells>& rows) {
    constexpr std::size_t kGap = 2;
    std::vector<std::size_t> widths;
    for (const std::string& header : rows.front())
        widths.push_back(header.size() + kGap);
    for (const Cells& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    const auto append = [&](const Cells& row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            text.append(widths[i] - row[i].size() + kGap, ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    };
    append(rows.front());
    Cells line;
    for (const std::size_t width : widths)
        line.emplace_back(width, '-');
    append(line);
    for (std::size_t i = 1; i < rows.size(); ++i)
        append(rows[i]);
    return text;
}

std::string table_of(const Graph& graph, bool more) {
    std::vector<Cells> rows{{"opcode", "name", "target", "args", "kwargs"}};
    if (more) rows[0].insert(rows[0].end(), {"type", "scope"});
    for (const FxRow& row : fx_rows(graph)) {
        rows.push_back({row.opcode, row.name, row.target, row.args, row.kwargs});
        if (more) rows.back().insert(rows.back().end(), {row.type, row.scope});
    }
    return table_of(rows);
}

void append_subgraphs(std::string& text, const Graph& graph, bool more,
                      std::unordered_set<const Graph*>& seen) {
    for (const Equation equation : graph.equations())
        for (const Subgraph& each : equation.subgraphs()) {
            if (!seen.insert(each.graph.get()).second) continue;
            text += '\n' + graph_text(*each.graph) + " ('" + each.name + "' of " + equation.operation() +
                    "):\n" + table_of(*each.graph, more);
            append_subgraphs(text, *each.graph, more, seen);
        }
}

}  // namespace

std::vector<FxRow> fx_rows(const Graph& graph) {
    return FxRows(graph).run();
}

std::string fx_table(const Graph& graph, bool more) {
    std::string text = table_of(graph, more);
    std::unordered_set<const Graph*> seen;
    append_subgraphs(text, graph, more, seen);
    return text;
}

}  // namespace tilemeter::ir
