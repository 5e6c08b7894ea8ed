// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/internal/paged_cache_values.hpp"

#include <algorithm>
#include <string>

#include "runtime/operations/core/require.hpp"

namespace tilemeter {

namespace {

/// The cache's values while rows are written.
class CacheValues {
public:
    explicit CacheValues(const HostArray& cache) : values_(cache.to_floats()), shape_(cache.shape()) {}

    /// `row`: one row of a head. Throws RuntimeError when block or position are not there.
    void write(std::int64_t block, std::uint64_t head, std::int64_t position, const float* row) {
        require(block >= 0 && block < shape_[0] && position >= 0 && position < shape_[2],
                "paged cache: expected a place within ", shape_, ", got block ", block, ", row ", position);
        const std::uint64_t at = (static_cast<std::uint64_t>(block) * shape_[1] + head) * shape_[2] +
                                 static_cast<std::uint64_t>(position);
        std::copy_n(row, shape_[3], &values_[at * shape_[3]]);
    }

    HostArray as(const TensorSpec& spec) const {
        return HostArray::from_floats(values_, spec.dtype, spec.shape);
    }

private:
    std::vector<float> values_;
    Shape shape_;
};

}  // namespace

void require_cache(const TensorSpec& cache, std::string_view operation) {
    require(cache.layout == Layout::TILE && cache.shape.rank() == 4 && !cache.memory_config.is_sharded() &&
                is_floating_point(cache.dtype),
            operation, ": cache: expected interleaved floating point tiles of 4 dimensions, got ",
            cache.shape, " ", name_of(cache.dtype));
}

void require_integers(const TensorSpec& table, std::size_t rank, std::string_view argument) {
    require(table.dtype == DataType::INT32 && table.layout == Layout::ROW_MAJOR && table.shape.rank() == rank,
            argument, ": expected INT32 in ROW_MAJOR of ", rank, " dimensions, got ", table.shape, " ",
            name_of(table.dtype));
}

HostArray with_tokens(const HostArray& cache, const HostArray& input, const CachePlaces& places,
                      const TensorSpec& output) {
    CacheValues values(cache);
    const std::vector<float> tokens = input.to_floats();
    const Shape& shape = input.shape();
    const bool paged = places.page_table != nullptr;
    const std::vector<std::int64_t> table =
        paged ? places.page_table->to_integers() : std::vector<std::int64_t>();
    const std::int64_t rows = cache.shape()[2];
    const std::int64_t blocks = paged ? places.page_table->shape()[1] : 0;
    for (std::uint64_t user = 0; user < shape[1]; ++user) {
        const std::int64_t position = places.positions.at(user);
        if (position < 0) continue;
        std::int64_t block = places.share_cache ? 0 : static_cast<std::int64_t>(user);
        if (paged) {
            require(position / rows < blocks, "paged_update_cache: update_idxs: expected below ",
                    rows * blocks, ", got ", position);
            block = table.at(user * static_cast<std::uint64_t>(blocks) +
                             static_cast<std::uint64_t>(position / rows));
        }
        for (std::uint64_t head = 0; head < std::min(shape[2], cache.shape()[1]); ++head) {
            values.write(block, head, paged ? position % rows : position,
                         &tokens[(user * shape[2] + head) * shape[3]]);
        }
    }
    return values.as(output);
}

HostArray with_rows(const HostArray& cache, const HostArray& input, const HostArray& page_table,
                    const std::vector<std::int64_t>& users, const TensorSpec& output) {
    CacheValues values(cache);
    const std::vector<float> rows = input.to_floats();
    const std::vector<std::int64_t> table = page_table.to_integers();
    const Shape& shape = input.shape();
    const std::uint64_t in_block = cache.shape()[2];
    for (std::uint64_t batch = 0; batch < shape[0]; ++batch) {
        const std::int64_t user = users.at(batch);
        require(user >= 0 && user < page_table.shape()[0], [&] {
            return "paged_fill_cache: batch_idx_tensor: expected below " +
                   std::to_string(page_table.shape()[0]) + ", got " + std::to_string(user);
        });
        const std::uint64_t first = static_cast<std::uint64_t>(user) * page_table.shape()[1];
        for (std::uint64_t head = 0; head < shape[1]; ++head) {
            for (std::uint64_t row = 0; row < shape[2]; ++row) {
                values.write(table.at(first + row / in_block), head,
                             static_cast<std::int64_t>(row % in_block),
                             &rows[((batch * shape[1] + head) * shape[2] + row) * shape[3]]);
            }
        }
    }
    return values.as(output);
}

}  // namespace tilemeter
