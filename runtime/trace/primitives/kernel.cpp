// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/trace/primitives/internal/kernel.hpp"

#include <xtensor/xmanipulation.hpp>

#include "runtime/trace/primitives/internal/words.hpp"

namespace tilemeter::trace::internal {

Constant transposed(const Constant& constant, const Integers& perm) {
    TensorType type{constant.type().element, {}, {}};
    for (const std::int64_t axis : perm)
        type.shape.push_back(constant.type().shape[static_cast<std::size_t>(axis)]);
    if (std::ranges::is_sorted(perm)) return {type, constant.storage()};
    return moved(type, [&]<class Word>(auto& to, Word) {
        const auto view = view_of<Word>(constant);
        xt::noalias(to) = xt::transpose(view, Extents(perm.begin(), perm.end()));
    });
}

Constant with_axes_last(const Constant& constant, const Integers& axes) {
    Integers perm;
    for (std::size_t i = 0; i < constant.type().shape.rank(); ++i)
        if (std::ranges::find(axes, static_cast<std::int64_t>(i)) == axes.end())
            perm.push_back(static_cast<std::int64_t>(i));
    perm.insert(perm.end(), axes.begin(), axes.end());
    return transposed(constant, perm);
}

void same_bytes(const KernelUse& use, std::vector<Constant>& results) {
    results.emplace_back(use.types[0], use.operand(0).storage());
}

}  // namespace tilemeter::trace::internal
