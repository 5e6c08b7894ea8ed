// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/render/internal/folded_diagram.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "report/analysis/answers/layers.hpp"
#include "report/analysis/nodes/units.hpp"
#include "report/cut_text.hpp"

namespace tilemeter::analysis::internal {
namespace {

constexpr std::size_t kLeastRun = 5;       // of one and the same step
constexpr std::size_t kLeastSaved = 6;     // boxes, by drawing a layer once
constexpr std::size_t kMostOfOneUser = 4;  // boxes of values that one box alone takes
constexpr std::size_t kMostNamed = 8;      // things in a tooltip
constexpr std::size_t kMostNameBytes = 2000;
constexpr std::size_t kNameColumns = 44;
constexpr std::size_t kLeastInLayer = 8;  // boxes, however few there may be in all

const char* const kThenFromTheLast = "then from the one before";

Diagram::Box data_box(std::string name) {
    Diagram::Box box;
    box.kind = Diagram::Kind::kData;
    box.lines.push_back(std::move(name));
    return box;
}

/// The flows to some of the steps.
std::vector<Flow> flows_to(std::span<const std::uint32_t> steps, const std::vector<Flow>& flows) {
    const std::set<std::uint32_t> takers(steps.begin(), steps.end());
    std::vector<Flow> result;
    for (const Flow& flow : flows)
        if (takers.contains(flow.to)) result.push_back(flow);
    return result;
}

}  // namespace

void FoldedDiagram::append(std::string& text, const std::string& part, const char* between) {
    if (part.empty()) return;
    if (!text.empty()) text += between;
    text += part;
}

void FoldedDiagram::append_line(Diagram::Box& box, const std::string& line) {
    if (!line.empty()) box.lines.push_back(line);
}

bool FoldedDiagram::has_mark(const Diagram& diagram, Diagram::Mark mark) {
    return std::ranges::any_of(diagram.boxes, [&](const Diagram::Box& box) {
        return box.mark == mark || (box.inside != nullptr && has_mark(*box.inside, mark));
    });
}

Diagram FoldedDiagram::diagram_of(const Indices& steps, const std::vector<Flow>& flows, Depth depth) {
    return diagram_of(steps, flows, depth, Layer{});
}

Diagram FoldedDiagram::diagram_of(const Indices& steps, const std::vector<Flow>& flows, Depth depth,
                                  const Layer& layer) {
    const bool is_outermost = depth.level == 1 && depth.layers == 0;
    const std::size_t most = is_outermost ? most_boxes_ : std::max(most_boxes_ / 4, kLeastInLayer);
    const std::vector<Item> items = items_of(steps, most);
    std::unordered_map<std::uint32_t, std::uint32_t> item_of;
    std::unordered_map<std::uint32_t, std::size_t> position_of;
    for (std::uint32_t item = 0; item < items.size(); ++item) {
        for (std::size_t i = items[item].first; i < items[item].end(); ++i) {
            item_of.emplace(steps[i], item);
            position_of.emplace(steps[i], i);
        }
    }

    std::map<std::uint32_t, Users> users;                                     // by value that no step made
    std::map<std::pair<std::uint32_t, std::uint32_t>, Indices> carried;       // by items: values
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> entries;  // by maker: item, value
    std::vector<std::vector<Flow>> inner(items.size());                       // of layers
    // In place of which later repetitions take what the one before made: values that no step made, and makers.
    std::set<std::uint32_t> values_again, makers_again;
    for (const Flow& flow : flows) {
        const auto to = item_of.find(flow.to);
        if (to == item_of.end()) continue;
        const std::uint32_t item = to->second;
        if (items[item].length > 1 && !items[item].is_stretch) inner[item].push_back(flow);
        const bool again = layer.fed_by_the_last.contains({position_of.at(flow.to), flow.operand});
        if (flow.from == kNoIndex) {
            users[flow.value].insert(item);
            if (again) values_again.insert(flow.value);
            continue;
        }
        const auto from = item_of.find(flow.from);
        if (from == item_of.end()) {
            entries[flow.from].try_emplace(item, flow.value);
            if (again) makers_again.insert(flow.from);
        } else if (from->second != item) {
            carried[{from->second, item}].push_back(flow.value);
        }
    }

    Diagram diagram;
    add_values(diagram, items, users, values_again);
    add_entries(diagram, entries, layer, makers_again);
    const auto first_box = static_cast<std::uint32_t>(diagram.boxes.size());
    for (Diagram::Arrow& arrow : diagram.arrows)
        arrow.to += first_box;
    for (std::uint32_t item = 0; item < items.size(); ++item)
        diagram.boxes.push_back(item_box(steps, items[item], inner[item], depth));
    for (const auto& [ends, values] : carried)
        diagram.arrows.push_back({first_box + ends.first, first_box + ends.second, values_text(values)});
    return diagram;
}

/// Each step in one item, in their order.
std::vector<FoldedDiagram::Item> FoldedDiagram::items_of(const Indices& steps, std::size_t most) {
    Indices kinds;
    for (const std::uint32_t step : steps)
        kinds.push_back(kind_of(step));
    std::vector<Item> items;
    const auto add_up_to = [&](std::size_t at, std::size_t end) {
        while (at < end) {
            std::size_t same = at + 1;
            while (same < end && kinds[same] == kinds[at])
                ++same;
            items.push_back({at, 1, same - at >= kLeastRun ? same - at : 1});
            at = items.back().end();
        }
    };
    std::size_t at = 0;
    for (const RepeatedLayer& layer : repeated_layers(kinds)) {
        if (layer.length * (layer.count - 1) < kLeastSaved) continue;
        add_up_to(at, layer.first);
        items.push_back({layer.first, layer.length, layer.count});
        at = items.back().end();
    }
    add_up_to(at, kinds.size());
    return items.size() <= most ? items : stretched(items, most);
}

/// Too many items: those that follow each other together.
std::vector<FoldedDiagram::Item> FoldedDiagram::stretched(const std::vector<Item>& items, std::size_t most) {
    const std::size_t per_box = (items.size() - 1) / most + 1;
    std::vector<Item> stretches;
    for (std::size_t i = 0; i < items.size(); i += per_box) {
        const std::size_t end = items[std::min(i + per_box, items.size()) - 1].end();
        const std::size_t length = end - items[i].first;
        stretches.push_back(i + 1 == items.size() ? items[i] : Item{items[i].first, length, 1, true});
        folding_.per_box = std::max(folding_.per_box, length);
    }
    return stretches;
}

/// Values that no step made, before those that take them. Arrows count the items from 0.
void FoldedDiagram::add_values(Diagram& diagram, const std::vector<Item>& items,
                               const std::map<std::uint32_t, Users>& users,
                               const std::set<std::uint32_t>& again) const {
    std::map<Users, Indices> groups;
    for (const auto& [value, taken_by] : users) {
        const Item& first = items[*taken_by.begin()];
        const bool is_in_layer = taken_by.size() == 1 && first.length > 1 && !first.is_stretch;
        if (!is_in_layer) groups[taken_by].push_back(value);
    }
    std::size_t most = most_boxes_;
    Indices rest;
    Users rest_users;
    for (const auto& [taken_by, values] : groups) {
        const bool together = values.size() > kMostOfOneUser;
        const std::size_t boxes = together ? 1 : values.size();
        if (boxes > most) {
            rest.insert(rest.end(), values.begin(), values.end());
            rest_users.insert(taken_by.begin(), taken_by.end());
            continue;
        }
        most -= boxes;
        if (together) {
            add_data(diagram, values_box(values), taken_by, values);
            continue;
        }
        for (const std::uint32_t value : values) {
            Diagram::Box box = value_box(value);
            if (again.contains(value)) box.lines.emplace_back(kThenFromTheLast);
            add_data(diagram, std::move(box), taken_by, {value});
        }
    }
    if (!rest.empty()) add_data(diagram, values_box(rest), rest_users, rest);
}

/// What a layer takes from outside of it.
void FoldedDiagram::add_entries(
    Diagram& diagram, const std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>>& entries,
    const Layer& layer, const std::set<std::uint32_t>& again) const {
    for (const auto& [maker, users] : entries) {
        const bool from_layer = layer.first_step != kNoIndex && maker >= layer.first_step;
        Diagram::Box box = data_box(from_layer ? "from the one before" : "from " + name_of(maker));
        const std::uint32_t value = users.begin()->second;
        append_line(box, type_of(value));
        Users taken_by;
        for (const auto& [item, ignored] : users)
            taken_by.insert(item);
        if (!from_layer && again.contains(maker)) box.lines.emplace_back(kThenFromTheLast);
        add_data(diagram, std::move(box), taken_by, {value});
    }
}

void FoldedDiagram::add_data(Diagram& diagram, Diagram::Box box, const Users& users,
                             const Indices& values) const {
    const auto number = static_cast<std::uint32_t>(diagram.boxes.size());
    diagram.boxes.push_back(std::move(box));
    for (const std::uint32_t item : users)
        diagram.arrows.push_back({number, item, values_text(values)});
}

Diagram::Box FoldedDiagram::values_box(const Indices& values) const {
    Diagram::Box box = data_box(grouped(values.size()) + " tensors");
    std::map<std::string, std::size_t> types;
    for (const std::uint32_t value : values)
        ++types[type_of(value)];
    std::size_t shown = 0;
    for (const auto& [type, count] : types) {
        if (box.lines.size() == 4 || type.empty()) break;
        box.lines.push_back(std::to_string(count) + " × " + type);
        shown += count;
    }
    if (shown > 0 && shown < values.size()) box.lines.push_back(grouped(values.size() - shown) + " more");
    box.tooltip = values_text(values);
    return box;
}

std::string FoldedDiagram::values_text(const Indices& values) const {
    std::string text;
    Indices distinct = values;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::size_t i = 0; i < std::min(distinct.size(), kMostNamed); ++i)
        append(text, text_of(distinct[i]), "\n");
    if (distinct.size() > kMostNamed) text += "\nand " + grouped(distinct.size() - kMostNamed) + " more";
    return text;
}

Diagram::Box FoldedDiagram::item_box(const Indices& steps, const Item& item, const std::vector<Flow>& flows,
                                     Depth depth) {
    const std::span<const std::uint32_t> all = std::span(steps).subspan(item.first, item.end() - item.first);
    if (item.is_stretch) return stretch_box(all);
    if (item.count == 1 && item.length == 1) return box_of(steps[item.first], depth);
    const std::size_t repetition = drawn_repetition(steps, item);
    const std::span<const std::uint32_t> drawn = all.subspan(repetition * item.length, item.length);
    folding_.folded += item.length * (item.count - 1);
    const std::string times = grouped(item.count) + " × ";
    Diagram::Box box;
    if (item.length == 1) {
        box = box_of(drawn.front(), depth);
        box.lines.front() = times + box.lines.front();
        box.lines.resize(1);
    } else {
        box.lines.push_back(times + "a layer of " + grouped(item.length) + " operations");
        box.inside = std::make_shared<Diagram>(
            diagram_of(Indices(drawn.begin(), drawn.end()), flows_to(drawn, flows),
                       {depth.level, depth.layers + 1}, layer_of(steps, item, flows)));
    }
    box.kind = Diagram::Kind::kRepeat;
    if (repetition > 0)
        box.lines.push_back("number " + grouped(repetition + 1) + " is drawn: it has the peak");
    add_figures(box, all);
    box.node = node_of(all.front());
    return box;
}

Diagram::Box FoldedDiagram::stretch_box(std::span<const std::uint32_t> steps) {
    std::map<std::string, std::size_t> counts;
    for (const std::uint32_t step : steps)
        ++counts[name_of(step)];
    std::vector<std::pair<std::string, std::size_t>> often(counts.begin(), counts.end());
    std::ranges::stable_sort(often, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
    std::string names;
    for (const auto& [name, count] : often)
        if (names.size() < kMostNameBytes)
            append(names, (count > 1 ? grouped(count) + " × " : "") + name, ", ");
    Diagram::Box box;
    box.lines.push_back(grouped(steps.size()) + " operations");
    box.tooltip = names;
    std::vector<std::string> lines = report::wrapped(names, kNameColumns);
    if (lines.size() > 3) {
        lines.resize(3);
        lines.back() += " …";
    }
    box.lines.insert(box.lines.end(), lines.begin(), lines.end());
    folding_.folded += steps.size() - 1;
    add_figures(box, steps);
    box.node = node_of(steps.front());
    for (const std::uint32_t step : steps) {
        const std::optional<std::string> message = failure_of(step);
        if (!message) continue;
        box.mark = Diagram::Mark::kFailed;
        box.reason = name_of(step) + " failed: " + (message->empty() ? "why is not recorded" : *message);
        break;
    }
    return box;
}

/// Of a layer the repetition that is drawn: the one with the peak, else the first.
std::size_t FoldedDiagram::drawn_repetition(const Indices& steps, const Item& item) const {
    for (std::size_t i = item.first; i < item.end(); ++i)
        if (has_peak(steps[i])) return (i - item.first) / item.length;
    return 0;
}

FoldedDiagram::Layer FoldedDiagram::layer_of(const Indices& steps, const Item& item,
                                             const std::vector<Flow>& flows) {
    Layer layer;
    layer.first_step = steps[item.first];
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::size_t i = item.first; i < item.end(); ++i)
        places.emplace(steps[i], i - item.first);
    for (const Flow& flow : flows) {
        const auto from = places.find(flow.from), to = places.find(flow.to);
        if (from == places.end() || to == places.end()) continue;
        if (from->second / item.length != to->second / item.length)
            layer.fed_by_the_last.emplace(to->second % item.length, flow.operand);
    }
    return layer;
}

}  // namespace tilemeter::analysis::internal
