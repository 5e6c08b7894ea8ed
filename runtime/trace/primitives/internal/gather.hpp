// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The dimension numbers of gather and scatter, which are StableHLO's.

#pragma once

#include "runtime/trace/primitives/internal/rules.hpp"

namespace tilemeter::trace::internal {

/// The operands of scatter, and of gather in its words.
struct GatherNumbers {
    Integers window;    ///< dimensions of the updates that are a window
    Integers inserted;  ///< dimensions of the operand that windows do not have
    Integers to_operand;
    std::int64_t vector_dim;

    static GatherNumbers of_gather(const Attributes& attributes) {
        return {attributes.get<Integers>("offset_dims"), attributes.get<Integers>("collapsed_slice_dims"),
                attributes.get<Integers>("start_index_map"),
                attributes.get<std::int64_t>("index_vector_dim")};
    }
    static GatherNumbers of_scatter(const Attributes& attributes) {
        return {attributes.get<Integers>("update_window_dims"),
                attributes.get<Integers>("inserted_window_dims"),
                attributes.get<Integers>("scatter_dims_to_operand_dims"),
                attributes.get<std::int64_t>("index_vector_dim")};
    }
    [[nodiscard]] Attributes for_gather(const Integers& sizes) const {
        return {{"offset_dims", window},
                {"collapsed_slice_dims", inserted},
                {"start_index_map", to_operand},
                {"index_vector_dim", vector_dim},
                {"slice_sizes", sizes}};
    }
    [[nodiscard]] Attributes for_scatter() const {
        return {{"update_window_dims", window},
                {"inserted_window_dims", inserted},
                {"scatter_dims_to_operand_dims", to_operand},
                {"index_vector_dim", vector_dim}};
    }
    /// The extents of a window in each dimension of the operand.
    [[nodiscard]] Integers sizes(const Shape& operand, const Shape& updates) const {
        Integers all;
        std::size_t next = 0;
        for (std::size_t i = 0; i < operand.rank(); ++i)
            all.push_back(contains(inserted, static_cast<std::int64_t>(i))
                              ? 1
                              : updates[static_cast<std::size_t>(window[next++])]);
        return all;
    }
    /// With a mapped axis that operand, updates and, if they are, indices have in front.
    [[nodiscard]] GatherNumbers batched(bool operand, bool indices) const {
        GatherNumbers numbers = *this;
        numbers.vector_dim += indices ? 1 : 0;
        if (operand) {
            numbers.inserted = indices ? shifted(0, inserted) : shifted(inserted);
            numbers.to_operand = indices ? shifted(0, to_operand) : shifted(to_operand);
        }
        numbers.window = operand && !indices ? shifted(0, window) : shifted(window);
        return numbers;
    }
};

/// Indices moved to where windows of these sizes fit.
ValueId inside(FlatBuilder& to, ValueId indices, const GatherNumbers& numbers, const Shape& operand,
               const Integers& sizes);

}  // namespace tilemeter::trace::internal
