// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/call_diagram.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "report/analysis/answers/peak.hpp"
#include "report/analysis/memory/failures.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/render/internal/short_type.hpp"

namespace tilemeter::analysis::internal {
namespace {

constexpr std::size_t kMostResults = 3;  // that a box names

std::string file_and_line(const std::string& source) {
    return source.substr(source.find_last_of('/') + 1);
}

std::string change_text(std::int64_t bytes, const char* memory) {
    if (bytes == 0) return {};
    const std::string size = short_bytes_text(static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes));
    return (bytes < 0 ? "frees " : "keeps ") + size + memory;
}

/// Steps are scopes, values the nodes that name tensors.
class CallDiagramMaker final : public FoldedDiagram {
public:
    CallDiagramMaker(const DrawnCapture& capture, std::uint32_t max_level, std::size_t most_boxes)
        : FoldedDiagram(most_boxes), it_(capture), max_level_(std::min(max_level, kMostLevels)) {}

    CallDiagram run() {
        const Indices outermost = shown_children(scopes().size());
        drawn_.diagram = diagram_of(outermost, flows_in(kNoIndex), {});
        drawn_.folding = folding_;
        return std::move(drawn_);
    }

private:
    [[nodiscard]] const std::vector<Scope>& scopes() const { return it_.lifetimes.scopes.scopes; }

    [[nodiscard]] const std::vector<Flow>& flows_in(std::uint32_t scope) const {
        static const std::vector<Flow> kNone;
        const auto found = it_.flows.find(scope);
        return found == it_.flows.end() ? kNone : found->second;
    }

    /// Without deallocations, which only end what an arrow would lead to.
    Indices shown_children(std::size_t parent) {
        Indices shown;
        for (const std::uint32_t child : it_.children[parent]) {
            ++drawn_.function_count;
            const bool is_release =
                name_of(child).ends_with("deallocate") && it_.tensors[child].outputs.empty();
            if (is_release && !failure_of(child))
                ++drawn_.left_out;
            else
                shown.push_back(child);
        }
        return shown;
    }

    [[nodiscard]] std::string name_of(std::uint32_t scope) const override {
        const std::string_view name = it_.list.name(scopes()[scope].start);
        return name.empty() ? "(no name)" : std::string(name);
    }

    std::uint32_t kind_of(std::uint32_t scope) override {
        const Indices& outputs = it_.tensors[scope].outputs;
        std::string kind = name_of(scope) + '\n';
        if (!outputs.empty()) kind += tensor_type(it_.list, outputs.front());
        if (failure_of(scope)) kind += "\nfailed";
        return kinds_.try_emplace(std::move(kind), static_cast<std::uint32_t>(kinds_.size())).first->second;
    }

    [[nodiscard]] std::optional<std::string> failure_of(std::uint32_t scope) const override {
        const auto message = it_.messages.find(scope);
        if (message != it_.messages.end()) return message->second;
        if (it_.calls[scope].aborted) return std::string();
        return std::nullopt;
    }

    [[nodiscard]] std::int64_t node_of(std::uint32_t scope) const override { return scopes()[scope].start; }

    [[nodiscard]] bool holds(std::uint32_t scope, std::uint32_t node) const {
        return node != kNoIndex && scopes()[scope].start <= node && node <= scopes()[scope].end;
    }
    /// The peak of L1, of DRAM where no L1 was used.
    [[nodiscard]] bool has_peak(std::uint32_t scope) const override {
        return holds(scope, it_.l1_peak_node != kNoIndex ? it_.l1_peak_node : it_.dram_peak_node);
    }

    Diagram::Box box_of(std::uint32_t scope, Depth depth) override {
        Diagram::Box box;
        box.lines.push_back(name_of(scope));
        const Indices& outputs = it_.tensors[scope].outputs;
        for (std::size_t i = 0; i < std::min(outputs.size(), kMostResults); ++i)
            append_line(box, place_text(outputs[i]));
        if (outputs.size() > kMostResults)
            box.lines.push_back(grouped(outputs.size() - kMostResults) + " more results");
        if (depth.level < max_level_) {
            const Indices children = shown_children(scope);
            if (!children.empty()) {
                box.kind = Diagram::Kind::kGroup;
                box.inside = std::make_shared<Diagram>(
                    diagram_of(children, flows_in(scope), {depth.level + 1, depth.layers}));
            }
        }
        add_figures(box, std::span(&scope, 1));
        append_line(box, file_and_line(source_of(it_.list, it_.lifetimes.scopes, scope)));
        const std::optional<std::string> failure = failure_of(scope);
        if (it_.calls[scope].open && !failure) box.lines.emplace_back("left open: its end is not recorded");
        if (failure && !(box.inside != nullptr && has_mark(*box.inside, Diagram::Mark::kFailed))) {
            box.mark = Diagram::Mark::kFailed;
            box.reason = "failed: " + (failure->empty() ? "why is not recorded" : *failure);
        }
        box.node = node_of(scope);
        box.tooltip = tooltip_of(scope);
        return box;
    }

    void add_figures(Diagram::Box& box, std::span<const std::uint32_t> steps) override {
        std::uint64_t duration = 0, l1 = 0;
        std::int64_t l1_change = 0, dram_change = 0;
        bool has_l1_peak = false, has_dram_peak = false, is_marked = false;
        for (const std::uint32_t scope : steps) {
            const CallNode& call = it_.calls[scope];
            duration += call.duration_ns;
            l1 = std::max(l1, call.l1_peak_bytes);
            l1_change += call.l1_change_bytes;
            dram_change += call.dram_change_bytes;
            has_l1_peak = has_l1_peak || holds(scope, it_.l1_peak_node);
            has_dram_peak = has_dram_peak || holds(scope, it_.dram_peak_node);
            is_marked = is_marked || has_peak(scope);
        }
        const bool several = steps.size() > 1;
        std::string line = duration == 0 ? "" : duration_text(duration) + (several ? " in all" : "");
        append(line, l1 == 0 ? "" : "L1 " + short_bytes_text(l1) + (several ? " at most" : ""));
        append_line(box, line);
        std::string changes = change_text(l1_change, " of L1");
        append(changes, change_text(dram_change, " of DRAM"));
        append_line(box, changes);
        if (has_l1_peak) append_line(box, "peak of L1: " + short_bytes_text(it_.l1_peak) + " per core");
        if (has_dram_peak) append_line(box, "peak of DRAM: " + short_bytes_text(it_.dram_peak) + " per bank");
        box.use = l1;
        const bool is_told_inside = box.inside != nullptr && (has_mark(*box.inside, Diagram::Mark::kPeak) ||
                                                              has_mark(*box.inside, Diagram::Mark::kFailed));
        if (is_marked && !is_told_inside) box.mark = Diagram::Mark::kPeak;
    }

    /// "[1, 32, 64] bf16 · L1 2.0 KiB"
    [[nodiscard]] std::string place_text(std::uint32_t tensor) const {
        std::string text = short_type(it_.list, tensor);
        const std::uint32_t index = it_.lifetimes.lifetime_of_tensor[tensor];
        if (index == kNoIndex) return text;
        const BufferLifetime& buffer = it_.lifetimes.buffers[index];
        if (buffer.memory != MemoryType::kSystemMemory && buffer.per_bank.bytes > 0)
            append(text,
                   (is_dram(buffer.memory) ? "DRAM " : "L1 ") + short_bytes_text(buffer.per_bank.bytes));
        return text;
    }

    [[nodiscard]] Diagram::Box value_box(std::uint32_t tensor) const override {
        Diagram::Box box;
        box.kind = Diagram::Kind::kData;
        box.lines.push_back(tensor_name(it_.list, tensor));
        append_line(box, place_text(tensor));
        box.tooltip = text_of(tensor) + "\nno function of the capture made it";
        box.node = tensor;
        return box;
    }

    [[nodiscard]] std::string type_of(std::uint32_t tensor) const override {
        return short_type(it_.list, tensor);
    }

    [[nodiscard]] std::string text_of(std::uint32_t tensor) const override {
        std::string text = tensor_name(it_.list, tensor);
        append(text, tensor_type(it_.list, tensor), ": ");
        return text;
    }

    [[nodiscard]] std::string tooltip_of(std::uint32_t scope) const {
        const CallNode& call = it_.calls[scope];
        std::string text = name_of(scope) + "\nnode " + grouped(scopes()[scope].start);
        append(text, source_of(it_.list, it_.lifetimes.scopes, scope), "\n");
        if (call.duration_ns > 0) text += "\n" + grouped(call.duration_ns) + " ns";
        text += "\nL1 at its highest " + both_sizes_text(call.l1_peak_bytes) + " per core";
        text += "\nDRAM at its highest " + both_sizes_text(call.dram_peak_bytes) + " per bank";
        append(text, failure_of(scope).value_or(""), "\n");
        return text;
    }

    const DrawnCapture& it_;
    const std::uint32_t max_level_;
    std::unordered_map<std::string, std::uint32_t> kinds_;
    CallDiagram drawn_;
};

}  // namespace

DrawnCapture::DrawnCapture(const NodeList& node_list, const MemoryLifetimes& of_list)
    : list(node_list), lifetimes(of_list), calls(call_nodes(node_list, of_list)) {
    const Scopes& scopes = lifetimes.scopes;
    const std::vector<TensorUse> uses = find_tensor_uses(list, lifetimes);
    tensors = tensors_of_scopes(list, scopes, uses);
    children.resize(scopes.scopes.size() + 1);
    for (std::uint32_t scope = 0; scope < scopes.scopes.size(); ++scope) {
        const std::uint32_t parent = scopes.scopes[scope].parent;
        children[parent == kNoIndex ? scopes.scopes.size() : parent].push_back(scope);
    }
    std::vector<std::uint32_t> operands(scopes.scopes.size(), 0);  // met so far
    for (const TensorUse& use : uses) {
        const FlowEnds ends = flow_ends(scopes, use);
        const bool is_made = use.producer != kNoIndex;
        flows[is_made ? scopes.scopes[ends.to].parent : kNoIndex].push_back(
            {ends.from, ends.to, is_made ? use.tensor : use.first_mention, operands[ends.to]++});
    }
    for (const RecordedFailure& failure : find_failures(list, lifetimes)) {
        std::uint32_t scope = failure.scope;
        for (std::uint32_t level = 0; scope < scopes.scopes.size() && level < kMostLevels; ++level) {
            messages.try_emplace(scope, short_message(failure.message));
            scope = scopes.scopes[scope].parent;
        }
    }
    const PeakMoments peaks = find_peak_moments(lifetimes);
    l1_peak_node = peaks.l1.node;
    l1_peak = peaks.l1.bytes;
    dram_peak_node = peaks.dram.node;
    dram_peak = peaks.dram.bytes;
}

CallDiagram call_diagram(const DrawnCapture& capture, std::uint32_t max_level, std::size_t most_boxes) {
    return CallDiagramMaker(capture, max_level, most_boxes).run();
}

}  // namespace tilemeter::analysis::internal
