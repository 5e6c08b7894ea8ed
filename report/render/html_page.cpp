// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/html_page.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/analysis/answers/call_tree.hpp"
#include "report/analysis/answers/layers.hpp"
#include "report/analysis/answers/peak.hpp"
#include "report/analysis/answers/verdict.hpp"
#include "report/analysis/gate/aligned.hpp"
#include "report/analysis/memory/device_limits.hpp"
#include "report/analysis/memory/l1_region.hpp"
#include "report/analysis/memory/occupancy.hpp"
#include "report/analysis/memory/operation_source.hpp"
#include "report/analysis/memory/tensor_flow.hpp"
#include "report/render/internal/embedded_data.hpp"
#include "report/render/internal/page_columns.hpp"
#include "report/render/page_head.hpp"
#include "report/render/page_text.hpp"

namespace tilemeter::analysis {
namespace {

using nlohmann::json;

using internal::Column;
using internal::packed;

std::int64_t end_or_none(std::uint32_t node) {
    return node == kNoIndex ? -1 : static_cast<std::int64_t>(node);
}

class PageData {
public:
    PageData(const NodeList& list, const MemoryLifetimes& lifetimes) : list_(list), lifetimes_(lifetimes) {}

    json make(const std::string& name, const ProgramLibrary* known_programs) {
        const PeakAnswer peak = find_peak(list_, lifetimes_);
        const Judgement& judgement = peak.judgement;
        json data;
        data["name"] = name;
        data["head"] = page_head(list_, lifetimes_, judgement);
        data["failures"] = page_failures(list_, lifetimes_, known_programs);
        data["opening"] = page_opening(list_, lifetimes_, judgement);
        data["nodes"] = list_.size();
        data["calls"] = calls();
        data["inputs"] = {{"call", packed(takers_)}, {"buffer", packed(taken_)}};
        data["buffers"] = buffers();
        data["programs"] = programs();
        data["core_sets"] = core_sets();
        data["layers"] = layers();
        data["stacks"] = std::move(stacks_);
        data["devices"] = devices(peak, judgement);
        data["caveats"] = peak.caveats;
        data["texts"] = texts_.take();
        answer_ = page_answer(judgement, peak, data["opening"]["memory"]);
        return data;
    }
    /// Attributes of the page's element `main`, once it is made.
    const std::string& answer() const { return answer_; }

private:
    /// A column per thing told of a call; texts and stacks by number.
    json calls() {
        Column begin, end, parent, name, duration, aborted, l1, l1_change, dram, dram_change, line, result,
            stack;
        const std::vector<ScopeTensors> tensors =
            tensors_of_scopes(list_, lifetimes_.scopes, find_tensor_uses(list_, lifetimes_));
        for (const CallNode& call : call_nodes(list_, lifetimes_)) {
            const Scope& scope = lifetimes_.scopes.scopes[call.scope];
            begin.push_back(scope.start);
            end.push_back(end_or_none(scope.end));
            parent.push_back(end_or_none(scope.parent));
            name.push_back(texts_.id(std::string(list_.name(scope.start))));
            duration.push_back(static_cast<std::int64_t>(call.duration_ns));
            aborted.push_back(call.aborted ? 1 : 0);
            l1.push_back(static_cast<std::int64_t>(call.l1_peak_bytes));
            l1_change.push_back(call.l1_change_bytes);
            dram.push_back(static_cast<std::int64_t>(call.dram_peak_bytes));
            dram_change.push_back(call.dram_change_bytes);
            line.push_back(texts_.id(source_of(list_, lifetimes_.scopes, call.scope)));
            const std::vector<std::uint32_t>& outputs = tensors[call.scope].outputs;
            result.push_back(texts_.id(outputs.empty() ? "" : tensor_type(list_, outputs.front())));
            stack.push_back(stack_at(scope.start));
            if (scope.parent != kNoIndex) continue;
            note_operation(scope.start, name.back(), result.back());
            for (const std::uint32_t tensor : tensors[call.scope].inputs) {
                const std::uint32_t buffer = lifetimes_.lifetime_of_tensor[tensor];
                if (buffer == kNoIndex) continue;
                takers_.push_back(static_cast<std::int64_t>(begin.size()) - 1);
                taken_.push_back(buffer);
            }
        }
        return {{"begin", packed(begin)},   {"end", packed(end)},
                {"parent", packed(parent)}, {"name", packed(name)},
                {"ns", packed(duration)},   {"aborted", packed(aborted)},
                {"l1", packed(l1)},         {"l1_change", packed(l1_change)},
                {"dram", packed(dram)},     {"dram_change", packed(dram_change)},
                {"line", packed(line)},     {"result", packed(result)},
                {"stack", packed(stack)}};
    }

    /// The Python stack of the call that starts at `node`: a number in stacks_, -1 for none.
    std::int64_t stack_at(std::uint32_t node) {
        const PythonCall* call = list_.source.python_call(node);
        if (call == nullptr || call->frames.empty()) return -1;
        json frames = json::array();
        for (const std::string& frame : call->frames)
            frames.push_back(texts_.id(frame));
        const auto [known, is_new] = stack_ids_.try_emplace(frames.dump(), stacks_.size());
        if (is_new) stacks_.push_back(std::move(frames));
        return static_cast<std::int64_t>(known->second);
    }

    /// Deallocations are passed over: the first layer often has one less than the others.
    void note_operation(std::uint32_t node, std::int64_t name, std::int64_t result) {
        if (list_.name(node).ends_with("deallocate")) return;
        const auto kind = static_cast<std::uint32_t>(operation_kinds_.size());
        operations_.push_back(operation_kinds_.try_emplace({name, result}, kind).first->second);
        operation_nodes_.push_back(node);
    }

    /// Stretches of operations that repeat: where each repetition begins, and where the last one ends.
    json layers() const {
        Column length, end, layer, start;
        for (const RepeatedLayer& it : repeated_layers(operations_)) {
            for (std::size_t i = 0; i < it.count; ++i) {
                layer.push_back(static_cast<std::int64_t>(length.size()));
                start.push_back(operation_nodes_[it.first + i * it.length]);
            }
            length.push_back(static_cast<std::int64_t>(it.length));
            const std::size_t next = it.first + it.count * it.length;
            end.push_back(next < operation_nodes_.size() ? operation_nodes_[next]
                                                         : static_cast<std::int64_t>(list_.size()));
        }
        return {{"length", packed(length)},
                {"end", packed(end)},
                {"starts", {{"layer", packed(layer)}, {"node", packed(start)}}}};
    }

    /// Sizes per bank; "class": a Share, or 4 for what is older than the capture; "stale": the node after which
    /// it is not used any more. Names only of what is no tensor with ids.
    json buffers() {
        // Uses after a failure are not known, and what is alive at the end may be wanted: neither is stale.
        const bool all_uses_known = known_until(list_, lifetimes_.scopes) == list_.size();
        Column begin, end, device, memory, bytes, whole, address, tensor, viewer, name, shape, maker, kind,
            stale;
        for (std::uint32_t index = 0; index < lifetimes_.buffers.size(); ++index) {
            const BufferLifetime& lifetime = lifetimes_.buffers[index];
            const Contributor it = describe_buffer(list_, lifetimes_, index);
            begin.push_back(lifetime.begin);
            end.push_back(end_or_none(lifetime.end));
            device.push_back(lifetime.device);
            memory.push_back(static_cast<std::int64_t>(lifetime.memory));
            bytes.push_back(static_cast<std::int64_t>(lifetime.per_bank.bytes));
            whole.push_back(static_cast<std::int64_t>(lifetime.size_bytes));
            address.push_back(static_cast<std::int64_t>(lifetime.address.size_bytes()));
            const bool has_ids = it.tensor_id.given() && it.viewer_tensor_id.given();
            tensor.push_back(has_ids ? it.tensor_id.value_or(-1) : -1);
            viewer.push_back(has_ids ? it.viewer_tensor_id.value_or(-1) : -1);
            name.push_back(has_ids ? -1 : texts_.id(it.name));
            shape.push_back(texts_.id(it.shape));
            maker.push_back(end_or_none(it.before_window ? kNoIndex : lifetime.maker));
            kind.push_back(it.before_window ? kOlder : static_cast<std::int64_t>(class_of(lifetime)));
            const bool is_stale = all_uses_known && lifetime.end != kNoIndex && lifetime.last_use != kNoIndex;
            stale.push_back(end_or_none(is_stale ? lifetime.last_use : kNoIndex));
        }
        return {{"begin", packed(begin)},     {"end", packed(end)},       {"device", packed(device)},
                {"memory", packed(memory)},   {"bytes", packed(bytes)},   {"whole", packed(whole)},
                {"address", packed(address)}, {"tensor", packed(tensor)}, {"viewer", packed(viewer)},
                {"name", packed(name)},       {"shape", packed(shape)},   {"maker", packed(maker)},
                {"class", packed(kind)},      {"stale", packed(stale)}};
    }

    /// As `peak` counts: made and released within one outermost operation, or longer.
    Share class_of(const BufferLifetime& lifetime) const {
        if (lifetime.before_window || lifetime.maker == kNoIndex || lifetime.end == kNoIndex)
            return Share::kPersistent;
        const Scope& operation = lifetimes_.scopes.scopes[lifetimes_.scopes.scopes[lifetime.maker].top];
        return lifetime.end <= operation.end ? Share::kTemporary : Share::kPersistent;
    }

    /// "steps": from which node on a program has how much on its fullest core. "pieces": what that is made of;
    /// those that lie in a tensor's buffer are left out. Both by program, ascending.
    json programs() {
        Column begin, end, device, scope;
        for (const ProgramLifetime& program : lifetimes_.programs) {
            begin.push_back(program.begin);
            end.push_back(end_or_none(program.end));
            device.push_back(program.device);
            scope.push_back(end_or_none(program.scope));
        }
        struct Step {
            std::int64_t program, node, bytes;
        };
        std::vector<Step> steps;
        std::vector<std::size_t> last_step(lifetimes_.programs.size(), lifetimes_.events.size());
        struct Piece {
            std::int64_t program, node, kind, bytes, address, cores, chip;
        };
        std::vector<Piece> pieces;
        Occupancy occupancy(lifetimes_);
        for (const MemoryEvent& event : lifetimes_.events) {
            occupancy.apply(event);
            if (event.kind != MemoryEvent::Kind::kPiece) continue;
            const std::uint16_t slot = lifetimes_.programs[event.index].device;
            const auto bytes = static_cast<std::int64_t>(occupancy.fullest_core(slot).program_bytes);
            std::size_t& last = last_step[event.index];
            if (last < steps.size() && steps[last].node == event.node) {
                steps[last].bytes = bytes;
            } else {
                last = steps.size();
                steps.push_back({event.index, event.node, bytes});
            }
            const ProgramPiece& piece = lifetimes_.pieces[event.piece];
            if (piece.shared) continue;
            pieces.push_back({event.index, event.node, texts_.id(name_of(piece.kind)),
                              static_cast<std::int64_t>(piece.size_bytes),
                              static_cast<std::int64_t>(piece.address), piece.cores, piece.chip});
        }
        const auto by_program = [](const auto& a, const auto& b) { return a.program < b.program; };
        std::stable_sort(steps.begin(), steps.end(), by_program);
        std::stable_sort(pieces.begin(), pieces.end(), by_program);
        const auto column = [](const auto& rows, auto member) {
            Column values;
            for (const auto& row : rows)
                values.push_back(row.*member);
            return packed(values);
        };
        return {{"begin", packed(begin)},
                {"end", packed(end)},
                {"device", packed(device)},
                {"scope", packed(scope)},
                {"steps",
                 {{"program", column(steps, &Step::program)},
                  {"node", column(steps, &Step::node)},
                  {"bytes", column(steps, &Step::bytes)}}},
                {"pieces",
                 {{"program", column(pieces, &Piece::program)},
                  {"node", column(pieces, &Piece::node)},
                  {"kind", column(pieces, &Piece::kind)},
                  {"bytes", column(pieces, &Piece::bytes)},
                  {"address", column(pieces, &Piece::address)},
                  {"cores", column(pieces, &Piece::cores)},
                  {"chip", column(pieces, &Piece::chip)}}}};
    }

    /// Cores as runs along x: [y, first x, last x, ..]; null: not known which.
    json core_sets() const {
        json sets = json::array();
        for (const CoreSet& set : lifetimes_.core_sets) {
            json runs = json::array();
            for (const std::uint16_t index : set.cores) {
                const Core core = CoreSet::core(index);
                const std::size_t size = runs.size();
                if (size != 0 && runs[size - 3] == core.y && runs[size - 1] == core.x - 1)
                    runs[size - 1] = core.x;
                else
                    for (const auto value : {core.y, core.x, core.x})
                        runs.push_back(value);
            }
            sets.push_back(set.everywhere ? json() : std::move(runs));
        }
        return sets;
    }

    json devices(const PeakAnswer& peak, const Judgement& judgement) {
        json rows = json::array();
        for (std::uint16_t slot = 0; slot < lifetimes_.devices.size(); ++slot) {
            const L1Region region = l1_region_of(list_, lifetimes_, slot);
            const DeviceLimits limits = limits_of(list_, lifetimes_, slot).value_or(DeviceLimits());
            const auto memory = [](std::uint64_t begin, std::uint64_t end, std::uint64_t limit,
                                   const MemoryPeak& highest) {
                return json{{"begin", begin},
                            {"end", end},
                            {"limit_bytes", limit},
                            {"peak_bytes", highest.bytes},
                            {"peak_node", end_or_none(highest.node)}};
            };
            rows.push_back(
                {{"id", lifetimes_.devices[slot].id.given() ? json(lifetimes_.devices[slot].id.value_or(0))
                                                            : json()},
                 {"arch", limits.arch},
                 {"grid", {limits.grid_x, limits.grid_y}},
                 {"l1", memory(region.begin, region.end, limits.l1_bytes, peak.devices[slot].l1)},
                 {"dram", memory(limits.dram_begin, limits.dram_begin + limits.dram_bank_bytes,
                                 limits.dram_bank_bytes, peak.devices[slot].dram)}});
            for (const char* key : {"l1", "dram"})
                rows.back()[key]["older_unknown"] = false;
            for (const Reason& reason : judgement.reasons)
                if (reason.kind == Reason::Kind::kOlderBuffersUnknown)
                    rows.back()[reason.memory == MemoryType::kDram ? "dram" : "l1"]["older_unknown"] = true;
        }
        return rows;
    }

    static constexpr std::int64_t kOlder = 4;  // no Share of peak's: there before the capture

    const NodeList& list_;
    const MemoryLifetimes& lifetimes_;
    internal::PageTexts texts_;
    std::map<std::string, std::size_t> stack_ids_;
    json stacks_ = json::array();
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> operation_kinds_;  // by name and result
    Column takers_, taken_;                                    // outermost calls and their buffers
    std::vector<std::uint32_t> operations_, operation_nodes_;  // outermost: their kinds, where they begin
    std::string answer_;
};

std::string page_of(const json& data, const std::string& answer) {
    std::string page = internal::page_with(kPageText, data);
    constexpr std::string_view kMain = "<main";
    return page.insert(page.find(kMain) + kMain.size(), answer);
}

/// Calls of both, by number; -1: there is none.
json aligned_calls(const PageCapture& before, const PageCapture& after) {
    Column first, second;
    for (const AlignedOperation& row :
         aligned_operations(before.list, before.lifetimes.scopes, after.list, after.lifetimes.scopes)) {
        first.push_back(end_or_none(row.before));
        second.push_back(end_or_none(row.after));
    }
    return {{"before", packed(first)}, {"after", packed(second)}};
}

}  // namespace

std::string html_page(const NodeList& list, const MemoryLifetimes& lifetimes, const std::string& name,
                      const ProgramLibrary* known_programs) {
    PageData data(list, lifetimes);
    const json made = data.make(name, known_programs);
    return page_of(made, data.answer());
}

std::string html_page(const PageCapture& before, const PageCapture& after,
                      const ProgramLibrary* known_programs) {
    PageData data(after.list, after.lifetimes);
    json other = data.make(after.name, known_programs);
    json made = PageData(before.list, before.lifetimes).make(before.name, known_programs);
    made["other"] = std::move(other);
    made["aligned"] = aligned_calls(before, after);
    return page_of(made, data.answer());
}

std::string html_page(const PageCapture& plan, const json& training) {
    PageData data(plan.list, plan.lifetimes);
    json made = data.make(plan.name, nullptr);
    const json& peak = training.at(made["opening"]["memory"] == "l1" ? "l1_per_core" : "dram_per_bank");
    const json& equation = peak.at("equation");
    const std::string answer =
        data.answer() + " data-equation=\"" + (equation.is_null() ? "" : equation.dump()) + '"';
    made["training"] = training;
    return page_of(made, answer);
}

std::string live_page(const std::string& name) {
    return internal::page_with(kLivePageText, {{"name", name}});
}

}  // namespace tilemeter::analysis
