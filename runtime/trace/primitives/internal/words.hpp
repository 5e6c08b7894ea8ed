// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Values that move and are never looked at: views of xtensor over words of the elements' width.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>

#include "runtime/trace/primitives/internal/kernel.hpp"

namespace tilemeter::trace::internal {

using Extents = std::vector<std::size_t>;

template <class Function>
void with_word_type(ElementType element, Function&& function) {
    switch (ir::element_bytes(element)) {
        case 1:
            return function(std::uint8_t{});
        case 2:
            return function(std::uint16_t{});
        case 4:
            return function(std::uint32_t{});
        default:
            return function(std::uint64_t{});
    }
}

inline Extents extents_of(const Shape& shape) {
    return {shape.begin(), shape.end()};
}

template <class Word>
auto view_of(const Constant& constant) {
    return xt::adapt(reinterpret_cast<const Word*>(constant.bytes().data()),
                     constant.bytes().size() / sizeof(Word), xt::no_ownership(),
                     extents_of(constant.type().shape));
}

/// A result under construction, seen as words.
template <class Word>
class Target {
public:
    explicit Target(const TensorType& type)
        : type_(type), storage_(std::make_shared<std::byte[]>(ir::byte_size(type))) {}

    auto view() { return xt::adapt(words(), size(), xt::no_ownership(), extents_of(type_.shape)); }
    Word* words() { return reinterpret_cast<Word*>(storage_.get()); }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(type_.shape.elements()); }
    [[nodiscard]] Constant finish() const { return {type_, storage_}; }

private:
    const TensorType& type_;
    std::shared_ptr<std::byte[]> storage_;
};

/// Fills a result of this type by assign(target view, Word{}); nothing to do where it has no elements.
template <class Assign>
Constant moved(const TensorType& type, Assign&& assign) {
    std::optional<Constant> result;
    with_word_type(type.element, [&]<class Word>(Word word) {
        Target<Word> target(type);
        if (target.size() != 0) {
            auto view = target.view();
            assign(view, word);
        }
        result = target.finish();
    });
    return *result;
}

/// One range for each dimension.
inline xt::xstrided_slice_vector ranges(const Integers& starts, const Integers& limits,
                                        const Integers& strides) {
    xt::xstrided_slice_vector slices;
    for (std::size_t i = 0; i < starts.size(); ++i)
        slices.emplace_back(xt::range(static_cast<std::ptrdiff_t>(starts[i]),
                                      static_cast<std::ptrdiff_t>(limits[i]),
                                      static_cast<std::ptrdiff_t>(strides[i])));
    return slices;
}

inline Constant sliced(const Constant& from, const TensorType& type, const Integers& starts,
                       const Integers& limits, const Integers& strides) {
    if (from.type().shape.rank() == 0) return {type, from.storage()};
    return moved(type, [&]<class Word>(auto& to, Word) {
        const auto view = view_of<Word>(from);
        xt::noalias(to) = xt::strided_view(view, ranges(starts, limits, strides));
    });
}

}  // namespace tilemeter::trace::internal
