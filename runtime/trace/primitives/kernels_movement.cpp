// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Primitives that move elements and never look at them: views of xtensor over words of the elements' width.

#include <numeric>

#include <xtensor/xadapt.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>

#include "capture/ir/dimension.hpp"
#include "runtime/trace/primitives/internal/kernel.hpp"

namespace tilemeter::trace::internal {

namespace {

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

Extents extents_of(const Shape& shape) {
    return {shape.begin(), shape.end()};
}

template <class Word>
auto view_of(const Constant& constant) {
    return xt::adapt(reinterpret_cast<const Word*>(constant.bytes().data()),
                     constant.bytes().size() / sizeof(Word), xt::no_ownership(),
                     extents_of(constant.type().shape));
}

// A result under construction, seen as words.
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

// Fills a result of this type by assign(target view, Word{}); nothing to do where it has no elements.
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

// One range for each dimension.
xt::xstrided_slice_vector ranges(const Integers& starts, const Integers& limits, const Integers& strides) {
    xt::xstrided_slice_vector slices;
    for (std::size_t i = 0; i < starts.size(); ++i)
        slices.emplace_back(xt::range(static_cast<std::ptrdiff_t>(starts[i]),
                                      static_cast<std::ptrdiff_t>(limits[i]),
                                      static_cast<std::ptrdiff_t>(strides[i])));
    return slices;
}

Constant sliced(const Constant& from, const TensorType& type, const Integers& starts, const Integers& limits,
                const Integers& strides) {
    if (from.type().shape.rank() == 0) return {type, from.storage()};
    return moved(type, [&]<class Word>(auto& to, Word) {
        const auto view = view_of<Word>(from);
        xt::noalias(to) = xt::strided_view(view, ranges(starts, limits, strides));
    });
}

void transpose(const KernelUse& use, std::vector<Constant>& results) {
    results.push_back(transposed(use.operand(0), use.attributes.get<Integers>("perm")));
}

void broadcast_in_dim(const KernelUse& use, std::vector<Constant>& results) {
    const auto& dims = use.attributes.get<Integers>("dims");
    const Shape& shape = use.types[0].shape;
    if (use.shape(0) == shape && std::ranges::is_sorted(dims)) {
        results.emplace_back(use.types[0], use.operand(0).storage());
        return;
    }
    // Axes in the order of their places, then 1 for each dimension that is new.
    Integers order(dims.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int64_t i) { return dims[static_cast<std::size_t>(i)]; });
    Extents spread(shape.rank(), 1);
    for (std::size_t i = 0; i < dims.size(); ++i)
        spread[static_cast<std::size_t>(dims[i])] = static_cast<std::size_t>(use.shape(0)[i]);
    const Constant sorted = std::ranges::is_sorted(dims) ? use.operand(0) : transposed(use.operand(0), order);
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        const auto view = xt::adapt(reinterpret_cast<const Word*>(sorted.bytes().data()),
                                    sorted.bytes().size() / sizeof(Word), xt::no_ownership(), spread);
        xt::noalias(to) = xt::broadcast(view, extents_of(shape));
    }));
}

void slice(const KernelUse& use, std::vector<Constant>& results) {
    const std::size_t rank = use.shape(0).rank();
    results.push_back(sliced(use.operand(0), use.types[0], use.integers("starts", rank, 0),
                             use.attributes.get<Integers>("limits"), use.integers("strides", rank, 1)));
}

void pad(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& from = use.shape(0);
    const Shape& shape = use.types[0].shape;
    const std::size_t rank = from.rank();
    const Integers low = use.integers("low", rank, 0);
    const Integers interior = use.integers("interior", rank, 0);
    // Of each dimension the elements that have a place in the result, and that place.
    Integers first(rank);
    Integers last(rank);
    Integers steps(rank);
    Integers starts(rank);
    Integers limits(rank);
    bool is_empty = from.elements() == 0;
    for (std::size_t i = 0; i < rank; ++i) {
        steps[i] = interior[i] + 1;
        first[i] = low[i] >= 0 ? 0 : (-low[i] + steps[i] - 1) / steps[i];
        const std::int64_t room = shape[i] - 1 - low[i];
        last[i] = room < 0 ? 0 : std::min(from[i], room / steps[i] + 1);
        is_empty = is_empty || first[i] >= last[i];
        if (is_empty) continue;
        starts[i] = low[i] + first[i] * steps[i];
        limits[i] = low[i] + (last[i] - 1) * steps[i] + 1;
    }
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        to.fill(*reinterpret_cast<const Word*>(use.operand(1).bytes().data()));
        if (is_empty) return;
        const auto view = view_of<Word>(use.operand(0));
        if (rank == 0) {
            xt::noalias(to) = view;
            return;
        }
        auto place = xt::strided_view(to, ranges(starts, limits, steps));
        xt::noalias(place) = xt::strided_view(view, ranges(first, last, Integers(rank, 1)));
    }));
}

void concatenate(const KernelUse& use, std::vector<Constant>& results) {
    const auto axis = static_cast<std::size_t>(use.attributes.get<std::int64_t>("axis"));
    const Shape& shape = use.types[0].shape;
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        Integers starts(shape.rank(), 0);
        Integers limits(shape.begin(), shape.end());
        for (const Constant* const part : use.operands) {
            const std::int64_t extent = part->type().shape[axis];
            limits[axis] = starts[axis] + extent;
            if (extent != 0) {
                auto place = xt::strided_view(to, ranges(starts, limits, Integers(shape.rank(), 1)));
                xt::noalias(place) = view_of<Word>(*part);
            }
            starts[axis] = limits[axis];
        }
    }));
}

void reverse(const KernelUse& use, std::vector<Constant>& results) {
    const auto& dims = use.attributes.get<Integers>("dims");
    Constant value = use.operand(0);
    for (const std::int64_t dim : dims)
        value = moved(use.types[0], [&]<class Word>(auto& to, Word) {
            xt::noalias(to) = xt::flip(view_of<Word>(value), static_cast<std::size_t>(dim));
        });
    results.push_back(std::move(value));
}

// Starts are moved so that the window lies inside.
Integers clamped_starts(const KernelUse& use, std::size_t from, const Shape& whole, const Shape& window) {
    Integers starts(whole.rank());
    for (std::size_t i = 0; i < whole.rank(); ++i)
        starts[i] = std::clamp<std::int64_t>(use.operand(from + i).integer_at(0), 0, whole[i] - window[i]);
    return starts;
}

Integers limits_of(const Integers& starts, const Shape& window) {
    Integers limits = starts;
    for (std::size_t i = 0; i < limits.size(); ++i)
        limits[i] += window[i];
    return limits;
}

void dynamic_slice(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& window = use.types[0].shape;
    const Integers starts = clamped_starts(use, 1, use.shape(0), window);
    results.push_back(
        sliced(use.operand(0), use.types[0], starts, limits_of(starts, window), Integers(starts.size(), 1)));
}

void dynamic_update_slice(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& window = use.shape(1);
    const Integers starts = clamped_starts(use, 2, use.shape(0), window);
    if (window.rank() == 0) {
        results.push_back(use.operand(1));
        return;
    }
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        std::copy_n(reinterpret_cast<const Word*>(use.operand(0).bytes().data()), to.size(), to.data());
        if (window.elements() == 0) return;
        auto place =
            xt::strided_view(to, ranges(starts, limits_of(starts, window), Integers(starts.size(), 1)));
        xt::noalias(place) = view_of<Word>(use.operand(1));
    }));
}

void iota(const KernelUse& use, std::vector<Constant>& results) {
    const auto dim = static_cast<std::size_t>(use.attributes.get<std::int64_t>("dim"));
    const Shape& shape = use.types[0].shape;
    const auto step = static_cast<std::size_t>(strides_of(shape)[dim]);
    with_number_type(use.types[0].element, [&]<class T>(T) {
        Result<T> y(use.types[0]);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = static_cast<T>(i / step % static_cast<std::size_t>(shape[dim]));
        results.push_back(y.finish());
    });
}

void full(const KernelUse& use, std::vector<Constant>& results) {
    const Constant value = Constant::scalar(use.types[0].element, use.attributes.get<double>("value"));
    results.push_back(moved(use.types[0], [&]<class Word>(auto& to, Word) {
        to.fill(*reinterpret_cast<const Word*>(value.bytes().data()));
    }));
}

void dimension(const KernelUse& use, std::vector<Constant>& results) {
    const ir::Dim of(use.attributes.get<std::int64_t>("of"));
    results.push_back(Constant::scalar(use.types[0].element, static_cast<double>(of.number())));
}

constexpr NamedKernel kMovementKernels[] = {
    {"transpose", transpose},
    {"broadcast_in_dim", broadcast_in_dim},
    {"slice", slice},
    {"pad", pad},
    {"concatenate", concatenate},
    {"reverse", reverse},
    {"dynamic_slice", dynamic_slice},
    {"dynamic_update_slice", dynamic_update_slice},
    {"iota", iota},
    {"full", full},
    {"dimension", dimension},
};

}  // namespace

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

std::span<const NamedKernel> movement_kernels() {
    return kMovementKernels;
}

}  // namespace tilemeter::trace::internal
