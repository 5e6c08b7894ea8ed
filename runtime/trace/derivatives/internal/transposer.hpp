// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The way back through what is linear.

#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/trace/derivatives/internal/mask.hpp"
#include "runtime/trace/primitives/internal/rules.hpp"

namespace tilemeter::trace::internal {

class Transposer {
public:
    /// Appends to the graph the cotangents of the values `of`, from those of `results`; none is zero. All that
    /// depends on `of` is linear in it; equations that do not are used as they are. Throws ir::Error (kNoRule).
    /// REQUIRES: the graph is flat and ordered
    std::vector<Tangent> append(ir::Graph& graph, std::span<const ValueId> of,
                                std::span<const ValueId> results, std::span<const Tangent> cotangents);

private:
    using Key = std::tuple<const ir::Graph*, Mask, Mask>;
    struct Known;
    struct Site;

    static Site site_of(const ir::Graph& graph, std::size_t index, FlatBuilder& builder, const Known& known,
                        const Mask& is_linear, std::span<const Tangent> at);
    void transpose(const Site& site, std::vector<Tangent>& cotangents);
    void holder(const Site& site, std::vector<Tangent>& cotangents);
    void call(const Site& site, std::vector<Tangent>& cotangents);
    void branch(const Site& site, std::vector<Tangent>& cotangents);
    void scan(const Site& site, std::vector<Tangent>& cotangents);
    ir::GraphPtr body_of(const ir::Graph& body, const Mask& is_linear, const Mask& given);

    std::map<Key, ir::GraphPtr> bodies_;
};

}  // namespace tilemeter::trace::internal
