// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// gather and scatter, with StableHLO's dimension numbers: gather moves a window inside, scatter drops one that is
// not inside.

#include "runtime/trace/primitives/internal/axes.hpp"
#include "runtime/trace/primitives/internal/kernel.hpp"
#include "runtime/trace/primitives/internal/summation.hpp"

namespace tilemeter::trace::internal {

namespace {

// Index vectors by the index of the batch, which is that of the indices without the dimension of the vector.
class IndexVectors {
public:
    explicit IndexVectors(const KernelUse& use)
        : indices_(use.operand(1)),
          strides_(strides_of(use.shape(1))),
          vector_dim_(static_cast<std::size_t>(use.attributes.get<std::int64_t>("index_vector_dim"))) {}

    [[nodiscard]] std::int64_t at(const Integers& batch, std::size_t component) const {
        std::int64_t place = 0;
        std::size_t next = 0;
        for (std::size_t i = 0; i < strides_.size(); ++i)
            place += strides_[i] * (i == vector_dim_ ? static_cast<std::int64_t>(component) : batch[next++]);
        return indices_.integer_at(static_cast<std::size_t>(place));
    }

private:
    const Constant& indices_;
    Integers strides_;
    std::size_t vector_dim_;
};

// An index of the gathered result or of updates, in its two parts.
struct Parts {
    Integers batch;
    Integers window;  ///< one for each dimension of the large operand, 0 where the window has none

    void set(const std::vector<std::int64_t>& index, const Integers& window_dims, const Integers& absent,
             std::size_t rank) {
        batch.clear();
        window.assign(rank, 0);
        std::size_t next = 0;
        for (std::size_t i = 0; i < index.size(); ++i) {
            if (!contains(window_dims, i)) {
                batch.push_back(index[i]);
                continue;
            }
            while (contains(absent, next))
                ++next;
            window[next++] = index[i];
        }
    }
};

void gather(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& from = use.shape(0);
    const auto& offsets = use.attributes.get<Integers>("offset_dims");
    const auto& collapsed = use.attributes.get<Integers>("collapsed_slice_dims");
    const auto& start_map = use.attributes.get<Integers>("start_index_map");
    const auto& sizes = use.attributes.get<Integers>("slice_sizes");
    const Integers strides = strides_of(from);
    const IndexVectors vectors(use);
    const std::size_t width = ir::element_bytes(use.types[0].element);
    const auto storage = std::make_shared<std::byte[]>(ir::byte_size(use.types[0]));
    std::byte* to = storage.get();
    Parts parts;
    for_each_index(use.types[0].shape, [&](const auto& index) {
        parts.set(index, offsets, collapsed, from.rank());
        for (std::size_t k = 0; k < start_map.size(); ++k) {
            const auto dim = static_cast<std::size_t>(start_map[k]);
            parts.window[dim] +=
                std::clamp<std::int64_t>(vectors.at(parts.batch, k), 0, from[dim] - sizes[dim]);
        }
        std::int64_t place = 0;
        for (std::size_t i = 0; i < from.rank(); ++i)
            place += parts.window[i] * strides[i];
        std::copy_n(use.operand(0).bytes().data() + static_cast<std::size_t>(place) * width, width, to);
        to += width;
    });
    results.emplace_back(use.types[0], storage);
}

template <bool kAdd>
void scatter(const KernelUse& use, std::vector<Constant>& results) {
    const Shape& shape = use.shape(0);
    const Shape& updates = use.shape(2);
    const auto& window_dims = use.attributes.get<Integers>("update_window_dims");
    const auto& inserted = use.attributes.get<Integers>("inserted_window_dims");
    const auto& to_operand = use.attributes.get<Integers>("scatter_dims_to_operand_dims");
    const Integers strides = strides_of(shape);
    const IndexVectors vectors(use);
    // The extent of the window in each dimension of the operand: it has to fit as a whole.
    Integers extents(shape.rank(), 1);
    std::size_t next_dim = 0;
    for (const std::int64_t dim : window_dims) {
        while (contains(inserted, next_dim))
            ++next_dim;
        extents[next_dim++] = updates[static_cast<std::size_t>(dim)];
    }
    with_number_type(use.types[0].element, [&]<class T>(T) {
        const Numbers<T> x(use.operand(0));
        const Numbers<T> u(use.operand(2));
        Result<T> y(use.types[0]);
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = x[i];
        // Of floats what is beyond the rounded sum is kept until the end: there are often more elements than updates.
        std::vector<T> lost(kAdd && std::is_floating_point_v<T> ? y.size() : 0);
        Parts parts;
        std::size_t next = 0;
        for_each_index(updates, [&](const auto& index) {
            const T update = u[next++];
            parts.set(index, window_dims, inserted, shape.rank());
            for (std::size_t k = 0; k < to_operand.size(); ++k) {
                const auto dim = static_cast<std::size_t>(to_operand[k]);
                const std::int64_t start = vectors.at(parts.batch, k);
                if (start < 0 || start > shape[dim] - extents[dim]) return;
                parts.window[dim] += start;
            }
            std::int64_t place = 0;
            for (std::size_t i = 0; i < shape.rank(); ++i)
                place += parts.window[i] * strides[i];
            T& to = y[static_cast<std::size_t>(place)];
            if constexpr (!kAdd) {
                to = update;
            } else if constexpr (std::is_floating_point_v<T>) {
                const T sum = to + update;
                lost[static_cast<std::size_t>(place)] += rounded_off(to, update, sum);
                to = sum;
            } else {
                to = static_cast<T>(static_cast<std::uint64_t>(to) + static_cast<std::uint64_t>(update));
            }
        });
        for (std::size_t i = 0; i < lost.size(); ++i)
            if (lost[i] != 0) y[i] += lost[i];
        results.push_back(y.finish());
    });
}

constexpr NamedKernel kIndexKernels[] = {
    {"gather", gather}, {"scatter", scatter<false>}, {"scatter_add", scatter<true>}};

}  // namespace

std::span<const NamedKernel> index_kernels() {
    return kIndexKernels;
}

}  // namespace tilemeter::trace::internal
