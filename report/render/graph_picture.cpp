// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/graph_picture.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/ir/error.hpp"
#include "capture/ir/operation_set.hpp"
#include "capture/ir/order.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/folded_diagram.hpp"
#include "report/render/internal/graph_blocks.hpp"

namespace tilemeter::analysis {
namespace {

using drawing::Diagram;
using internal::Block;
using internal::Flow;

constexpr std::size_t kMostResults = 3;  // that a box names
constexpr std::size_t kMostSubgraphs = 200;
constexpr std::size_t kLeastBoxes = 8;  // of a subgraph, however few there may be in all

/// What all graphs of a picture share: a subgraph may stand in many equations.
struct Drawn {
    std::unordered_map<const ir::Graph*, Block> blocks;
    std::size_t subgraphs = 0, subgraphs_left_out = 0;
};

std::optional<std::uint64_t> bytes_of(const ir::TensorType& type) {
    try {
        return ir::byte_size(type);
    } catch (const ir::Error&) {
        return std::nullopt;  // a size is a name
    }
}

std::string type_text(const ir::TensorType& type) {
    return ir::text_of(ir::TensorType{type.element, type.shape, std::nullopt});
}

std::string with_bytes(const ir::TensorType& type) {
    const std::optional<std::uint64_t> bytes = bytes_of(type);
    return type_text(type) + (bytes ? " · " + short_bytes_text(*bytes) : "");
}

/// Steps are equations, in their order, and the graph's results after them; values are those of the graph.
class GraphDiagramMaker final : public internal::FoldedDiagram {
public:
    /// `is_outermost`: what is alive in a subgraph is no figure of the graph.
    GraphDiagramMaker(const ir::Graph& graph, Drawn& drawn, std::size_t most_boxes, bool is_outermost)
        : FoldedDiagram(most_boxes),
          graph_(graph),
          drawn_(drawn),
          most_boxes_(most_boxes),
          block_(drawn.blocks.at(&graph)) {
        if (!is_outermost) return;
        try {
            alive_ = internal::alive_bytes(graph);
        } catch (const ir::Error&) {  // a size is a name: none is known
        }
        for (std::uint32_t i = 0; i < alive_.size(); ++i)
            if (alive_[i] > 0 && (peak_ == kNoIndex || alive_[i] > alive_[peak_])) peak_ = i;
    }

    Diagram run() {
        Indices steps(graph_.equation_count());
        std::iota(steps.begin(), steps.end(), 0U);
        std::vector<Flow> flows;
        for (const ir::Equation equation : graph_.equations())
            add_flows(equation.operands(), static_cast<std::uint32_t>(equation.index()), flows);
        if (!graph_.results().empty()) {
            steps.push_back(result_step());
            add_flows(graph_.results(), result_step(), flows);
        }
        Diagram diagram = diagram_of(steps, flows, {});
        add_unused_parameters(diagram, flows);
        return diagram;
    }

    [[nodiscard]] std::uint64_t most_alive() const { return peak_ == kNoIndex ? 0 : alive_[peak_]; }
    [[nodiscard]] std::uint32_t peak() const { return peak_; }
    [[nodiscard]] const internal::Folding& folding() const { return folding_; }

private:
    [[nodiscard]] std::uint32_t result_step() const {
        return static_cast<std::uint32_t>(graph_.equation_count());
    }

    void add_flows(std::span<const ir::ValueId> operands, std::uint32_t to, std::vector<Flow>& flows) const {
        for (std::uint32_t i = 0; i < operands.size(); ++i) {
            if (!graph_.has(operands[i])) continue;
            const ir::Definition definition = graph_.definition(operands[i]);
            const bool is_scalar = graph_.type(operands[i]).shape.rank() == 0;
            if (definition.kind == ir::ValueKind::kConstant && is_scalar) continue;
            const bool is_result = definition.kind == ir::ValueKind::kResult;
            flows.push_back({is_result ? definition.index : kNoIndex, to,
                             static_cast<std::uint32_t>(ir::index_of(operands[i])), i});
        }
    }

    void add_unused_parameters(Diagram& diagram, const std::vector<Flow>& flows) const {
        std::vector<char> used(graph_.value_count(), 0);
        for (const Flow& flow : flows)
            used[flow.value] = 1;
        Indices unused;
        for (const ir::ValueId parameter : graph_.params())
            if (used[ir::index_of(parameter)] == 0)
                unused.push_back(static_cast<std::uint32_t>(ir::index_of(parameter)));
        for (std::size_t i = 0; i < std::min(unused.size(), kMostResults); ++i) {
            Diagram::Box box = value_box(unused[i]);
            box.lines.emplace_back("not used");
            diagram.boxes.push_back(std::move(box));
        }
        if (unused.size() <= kMostResults) return;
        Diagram::Box box;
        box.kind = Diagram::Kind::kData;
        box.lines.push_back(grouped(unused.size() - kMostResults) + " more parameters that are not used");
        diagram.boxes.push_back(std::move(box));
    }

    /// "%0 = mul(%x, 2.0:f64) : f64[3]"
    [[nodiscard]] const std::string& line_of(std::uint32_t step) const {
        return block_.lines.at(block_.lines.size() - graph_.equation_count() + step);
    }

    std::uint32_t kind_of(std::uint32_t step) override {
        if (step == result_step()) return kNoIndex;
        const ir::Equation equation = graph_.equation(step);
        std::string kind = std::to_string(equation.operation_number()) + ' ' +
                           std::to_string(equation.attributes_number()) + ' ' +
                           std::to_string(equation.operands().size());
        for (std::size_t i = 0; i < equation.results().size(); ++i)
            kind += ' ' + std::to_string(graph_.type_number(equation.results()[i]));
        for (const ir::Subgraph& each : equation.subgraphs())
            kind += ' ' + each.graph->name();
        return kinds_.try_emplace(std::move(kind), static_cast<std::uint32_t>(kinds_.size())).first->second;
    }

    [[nodiscard]] std::string name_of(std::uint32_t step) const override {
        return step == result_step() ? "return" : std::string(graph_.equation(step).operation());
    }
    [[nodiscard]] bool has_peak(std::uint32_t step) const override { return step == peak_; }
    [[nodiscard]] std::optional<std::string> failure_of(std::uint32_t) const override { return std::nullopt; }
    [[nodiscard]] std::int64_t node_of(std::uint32_t step) const override { return step; }

    Diagram::Box box_of(std::uint32_t step, Depth) override {
        Diagram::Box box;
        box.node = step;
        if (step == result_step()) {
            box.kind = Diagram::Kind::kData;
            box.lines.push_back(block_.results.empty() ? "return" : block_.results);
            for (std::size_t i = 0; i < std::min(graph_.results().size(), kMostResults); ++i)
                append_line(box, with_bytes(graph_.type(graph_.results()[i])));
            return box;
        }
        const ir::Equation equation = graph_.equation(step);
        const std::string& line = line_of(step);
        const std::size_t call = line.find(" = "), type = line.rfind(" : ");
        box.lines.push_back(
            call == std::string::npos ? line : line.substr(call + 3, type - std::min(type, call + 3)));
        if (const std::size_t attributes = box.lines.front().find(" {"); attributes != std::string::npos) {
            const std::string text = box.lines.front().substr(attributes + 1);
            box.lines.front().resize(attributes);
            box.lines.push_back(text);
        }
        const std::string results = call == std::string::npos ? "" : line.substr(0, call);
        const std::size_t count = equation.results().size();
        if (count == 1)
            box.lines.push_back(results + ": " + with_bytes(graph_.type(equation.results()[0])));
        else
            append_line(box, results);
        for (std::size_t i = 0; count > 1 && i < std::min(count, kMostResults); ++i)
            box.lines.push_back(with_bytes(graph_.type(equation.results()[i])));
        add_place(box, equation);
        const ir::Location& location = equation.location();
        if (!location.file.empty())
            box.lines.push_back(location.file.substr(location.file.find_last_of('/') + 1) + ":" +
                                std::to_string(location.line));
        add_subgraphs(box, equation);
        add_figures(box, std::span(&step, 1));
        box.tooltip = line;
        if (!location.file.empty())
            box.tooltip += "\n" + location.file + ":" + std::to_string(location.line) +
                           (location.scope.empty() ? "" : " in " + location.scope);
        return box;
    }

    void add_place(Diagram::Box& box, const ir::Equation& equation) const {
        if (equation.results().size() == 0) return;
        const std::optional<ir::Place>& place = graph_.type(equation.results()[0]).place;
        if (!place) return;
        const bool in_l1 = place->memory_config.find("L1") != std::string::npos;
        const bool in_dram = place->memory_config.find("DRAM") != std::string::npos;
        std::string text = place->device;
        append(text, place->layout);
        append(text, in_l1 == in_dram ? "" : in_l1 ? "L1" : "DRAM");
        append_line(box, text);
    }

    void add_subgraphs(Diagram::Box& box, const ir::Equation& equation) {
        if (equation.subgraphs().empty()) return;
        auto inside = std::make_shared<Diagram>();
        for (const ir::Subgraph& each : equation.subgraphs()) {
            Diagram::Box graph;
            graph.kind = Diagram::Kind::kGroup;
            graph.lines.push_back(each.name + ": @" + each.graph->name());
            if (drawn_.subgraphs < kMostSubgraphs) {
                ++drawn_.subgraphs;
                GraphDiagramMaker maker(*each.graph, drawn_, std::max(most_boxes_ / 4, kLeastBoxes), false);
                graph.inside = std::make_shared<Diagram>(maker.run());
            } else {
                ++drawn_.subgraphs_left_out;
                graph.lines.push_back(grouped(each.graph->equation_count()) + " equations, not drawn");
            }
            inside->boxes.push_back(std::move(graph));
        }
        box.kind = Diagram::Kind::kGroup;
        box.inside = std::move(inside);
    }

    void add_figures(Diagram::Box& box, std::span<const std::uint32_t> steps) override {
        for (const std::uint32_t step : steps) {
            if (step < alive_.size()) box.use = std::max(box.use, alive_[step]);
            if (step == peak_) box.lines.push_back("most alive: " + short_bytes_text(alive_[step]));
            const bool is_told_inside = box.inside != nullptr && has_mark(*box.inside, Diagram::Mark::kPeak);
            if (step == peak_ && !is_told_inside) box.mark = Diagram::Mark::kPeak;
        }
    }

    [[nodiscard]] std::string value_name(std::uint32_t value) const {
        const std::string_view name = graph_.name_of(static_cast<ir::ValueId>(value));
        return name.empty() ? std::string() : "%" + std::string(name);
    }

    [[nodiscard]] Diagram::Box value_box(std::uint32_t value) const override {
        const auto id = static_cast<ir::ValueId>(value);
        const bool is_constant = graph_.definition(id).kind == ir::ValueKind::kConstant;
        Diagram::Box box;
        box.kind = Diagram::Kind::kData;
        std::string name = is_constant ? "constant" : "parameter";
        append(name, value_name(value), " ");
        box.lines.push_back(std::move(name));
        box.lines.push_back(with_bytes(graph_.type(id)));
        box.tooltip = text_of(value);
        return box;
    }

    [[nodiscard]] std::string type_of(std::uint32_t value) const override {
        return type_text(graph_.type(static_cast<ir::ValueId>(value)));
    }

    [[nodiscard]] std::string text_of(std::uint32_t value) const override {
        std::string text = value_name(value);
        append(text, ir::text_of(graph_.type(static_cast<ir::ValueId>(value))), ": ");
        return text;
    }

    const ir::Graph& graph_;
    Drawn& drawn_;
    const std::size_t most_boxes_;
    const Block& block_;
    std::vector<std::uint64_t> alive_;  // by equation; empty where sizes are names
    std::uint32_t peak_ = kNoIndex;
    std::unordered_map<std::string, std::uint32_t> kinds_;
};

}  // namespace

std::string graph_picture(const ir::Graph& unordered, const std::string& title, std::size_t most_boxes) {
    std::optional<ir::Graph> storage;
    const ir::Graph& graph = ir::in_order(unordered, ir::OperationSet(""), storage);
    Drawn drawn;
    std::vector<Block> blocks = internal::blocks_of(graph);
    const std::vector<const ir::Graph*> graphs = internal::graphs_in(graph);
    for (std::size_t i = 0; i < graphs.size(); ++i)
        drawn.blocks.emplace(graphs[i], std::move(blocks.at(i)));
    const std::size_t most = most_boxes > 0 ? most_boxes : std::numeric_limits<std::size_t>::max();
    GraphDiagramMaker maker(graph, drawn, most, true);
    const Diagram diagram = maker.run();

    drawing::Heading heading;
    heading.title = title;
    std::string counts = drawn.blocks.at(&graph).head + ": " + grouped(graph.equation_count()) +
                         " equations in " + grouped(diagram.box_count()) + " boxes";
    if (maker.folding().folded > 0)
        counts += "; " + grouped(maker.folding().folded) + " stand behind others that are alike or too many";
    if (maker.folding().per_box > 1) counts += ", up to " + grouped(maker.folding().per_box) + " in one box";
    if (drawn.subgraphs_left_out > 0)
        counts += "; " + grouped(drawn.subgraphs_left_out) + " more subgraphs are not drawn";
    heading.lines.push_back(std::move(counts));
    heading.full = maker.most_alive();
    if (heading.full > 0) {
        heading.lines.push_back(
            "most alive besides parameters and constants: " + both_sizes_text(heading.full) +
            " at equation " + grouped(maker.peak()) + "; bytes of elements, without padding");
        heading.legend_of_peak = "the equation with the most bytes alive";
        heading.legend_of_bar = "bytes alive while the equation runs, of " + short_bytes_text(heading.full);
    }
    if (diagram.has(Diagram::Kind::kData)) heading.legend_of_data = "parameters, constants and results";
    return drawing::svg_of(diagram, heading);
}

}  // namespace tilemeter::analysis
