// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/flat_operations.hpp"

#include <unordered_map>

#include "capture/ir/control.hpp"
#include "runtime/trace/primitives/internal/primitive.hpp"

namespace tilemeter::trace {

namespace internal {

namespace {

const std::vector<const Primitive*>& rows() {
    static const std::vector<const Primitive*> kRows = [] {
        std::vector<const Primitive*> all;
        for (const auto family :
             {elementwise_primitives, bits_primitives, choice_primitives, conversion_primitives,
              product_primitives, movement_primitives, dynamic_slice_primitives, gather_primitives,
              creation_primitives, reduction_primitives, window_primitives, order_primitives,
              random_primitives, control_primitives, custom_primitives})
            for (const Primitive& row : family())
                all.push_back(&row);
        return all;
    }();
    return kRows;
}

}  // namespace

std::span<const Primitive* const> all_primitives() {
    return rows();
}

const Primitive* find_primitive(std::string_view name) {
    static const std::unordered_map<std::string_view, const Primitive*> kByName = [] {
        std::unordered_map<std::string_view, const Primitive*> all;
        for (const Primitive* const row : rows())
            all.emplace(row->name, row);
        return all;
    }();
    const auto found = kByName.find(name);
    return found == kByName.end() ? nullptr : found->second;
}

ir::Operation operation_of(const Primitive& row) {
    const std::string name(row.name);
    if (row.control != ir::Control::kNone) {
        ir::Operation holder = control_operation(name, row.control);
        holder.can_inline = row.can_inline;
        return holder;
    }
    return {.name = name,
            .operands = row.operands,
            .results = row.results,
            .attributes = row.attributes,
            .any_attributes = row.any_attributes,
            .effects = row.effects,
            .infer = inference(name, row.infer.function())};
}

}  // namespace internal

const ir::OperationSet& flat_operations() {
    static const ir::OperationSet kSet = [] {
        ir::OperationSet set{std::string(kFlat)};
        for (const internal::Primitive* const row : internal::all_primitives())
            set.add(internal::operation_of(*row));
        return set;
    }();
    return kSet;
}

}  // namespace tilemeter::trace
