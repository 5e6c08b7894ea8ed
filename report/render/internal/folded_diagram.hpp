// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Steps that run one after the other as boxes, with what leads from one to another as arrows. A stretch that repeats is
// one box around its first repetition; where there are too many boxes, steps that follow each other share one.
//
//   embedding | norm linear add | norm linear add | norm linear add | head
//
//   [embedding] ─▶ [3 × a layer of 3 operations: [norm] ─▶ [linear] ─▶ [add]] ─▶ [head]
//
// Thread safety: outside locking.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/nodes/node_list.hpp"
#include "report/drawing/diagram.hpp"

namespace tilemeter::analysis::internal {

using drawing::Diagram;

/// A value on its way between steps beside each other; `from` is kNoIndex where none of the steps made it.
struct Flow {
    std::uint32_t from, to;  ///< steps
    std::uint32_t value;
    std::uint32_t operand;  ///< its number among those that `to` takes
};

/// What was done to keep a picture small, counted in steps.
struct Folding {
    std::size_t folded = 0;   ///< that have no box of their own
    std::size_t per_box = 1;  ///< at most so many share a box, for there are too many
};

/// What steps and values are is up to the class that derives from it; both are numbers here.
class FoldedDiagram {
public:
    FoldedDiagram(const FoldedDiagram&) = delete;
    FoldedDiagram& operator=(const FoldedDiagram&) = delete;

protected:
    explicit FoldedDiagram(std::size_t most_boxes) : most_boxes_(most_boxes > 0 ? most_boxes : 1) {}
    virtual ~FoldedDiagram() = default;

    using Indices = std::vector<std::uint32_t>;

    /// How deep boxes stand in boxes: functions in functions, and layers in layers.
    struct Depth {
        std::uint32_t level = 1;
        std::size_t layers = 0;
    };

    /// Steps of equal numbers are alike.
    virtual std::uint32_t kind_of(std::uint32_t step) = 0;
    [[nodiscard]] virtual std::string name_of(std::uint32_t step) const = 0;
    /// With its figures.
    virtual Diagram::Box box_of(std::uint32_t step, Depth depth) = 0;
    /// Lines of figures, and the bytes of the bar and the mark of a peak, for steps that share a box.
    virtual void add_figures(Diagram::Box& box, std::span<const std::uint32_t> steps) = 0;
    [[nodiscard]] virtual bool has_peak(std::uint32_t step) const = 0;
    /// The message of a step that failed, which may be empty.
    [[nodiscard]] virtual std::optional<std::string> failure_of(std::uint32_t step) const = 0;
    [[nodiscard]] virtual std::int64_t node_of(std::uint32_t step) const = 0;

    /// The box of a value that no step made.
    [[nodiscard]] virtual Diagram::Box value_box(std::uint32_t value) const = 0;
    /// "[1, 32] bf16"
    [[nodiscard]] virtual std::string type_of(std::uint32_t value) const = 0;
    /// A line of a tooltip.
    [[nodiscard]] virtual std::string text_of(std::uint32_t value) const = 0;

    Diagram diagram_of(const Indices& steps, const std::vector<Flow>& flows, Depth depth);

    static void append_line(Diagram::Box& box, const std::string& line);
    static void append(std::string& text, const std::string& part, const char* between = " · ");
    [[nodiscard]] static bool has_mark(const Diagram& diagram, Diagram::Mark mark);

    Folding folding_;

private:
    /// Steps that follow each other and share a box: one, a layer several times, or just many.
    struct Item {
        std::size_t first = 0, length = 1, count = 1;
        bool is_stretch = false;
        [[nodiscard]] std::size_t end() const { return first + length * count; }
    };

    struct Layer {
        /// The operands that the repetition before made: positions in the layer, and numbers of operands.
        std::set<std::pair<std::size_t, std::uint32_t>> fed_by_the_last;
        std::uint32_t first_step = kNoIndex;  // of its first repetition
    };

    using Users = std::set<std::uint32_t>;  // items

    Diagram diagram_of(const Indices& steps, const std::vector<Flow>& flows, Depth depth, const Layer& layer);
    std::vector<Item> items_of(const Indices& steps, std::size_t most);
    std::vector<Item> stretched(const std::vector<Item>& items, std::size_t most);
    void add_values(Diagram& diagram, const std::vector<Item>& items,
                    const std::map<std::uint32_t, Users>& users, const std::set<std::uint32_t>& again) const;
    void add_entries(Diagram& diagram,
                     const std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>>& entries,
                     const Layer& layer, const std::set<std::uint32_t>& again) const;
    void add_data(Diagram& diagram, Diagram::Box box, const Users& users, const Indices& values) const;
    [[nodiscard]] Diagram::Box values_box(const Indices& values) const;
    [[nodiscard]] std::string values_text(const Indices& values) const;
    Diagram::Box item_box(const Indices& steps, const Item& item, const std::vector<Flow>& flows,
                          Depth depth);
    Diagram::Box stretch_box(std::span<const std::uint32_t> steps);
    [[nodiscard]] std::size_t drawn_repetition(const Indices& steps, const Item& item) const;
    [[nodiscard]] static Layer layer_of(const Indices& steps, const Item& item,
                                        const std::vector<Flow>& flows);

    const std::size_t most_boxes_;
};

}  // namespace tilemeter::analysis::internal
