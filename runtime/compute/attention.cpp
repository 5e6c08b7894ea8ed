// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/attention.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/matmul.hpp"
#include "runtime/compute/normalization.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/types/vectorized.hpp"

namespace tilemeter::compute {

namespace {

constexpr float kUnseen = -std::numeric_limits<float>::infinity();

/// The matrix of one head; dimensions of 1 stand for all.
std::span<const float> matrix_of(const AttentionOperand& operand, std::uint64_t batch, std::uint64_t head) {
    const Shape& shape = operand.shape;
    const std::uint64_t size = std::uint64_t{shape[2]} * shape[3];
    const std::uint64_t b = shape[0] == 1 ? 0 : batch;
    const std::uint64_t h = shape[1] == 1 ? 0 : head;
    return operand.values.subspan((b * shape[1] + h) * size, size);
}

/// Columns [first, last).
struct Columns {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::uint64_t count() const { return static_cast<std::uint64_t>(last - first); }
};

// The columns that the rule shows row `row`, counted as columns are, without those at both ends that the mask takes
// away.
Columns seen_by(std::int64_t row, std::int64_t columns, const AttentionRule& rule, const float* mask) {
    Columns seen{0, rule.is_causal ? std::min(columns, row + 1) : columns};
    if (rule.window) {
        const std::int64_t window = *rule.window;
        seen.first = std::max<std::int64_t>(0, rule.is_causal ? row - window + 1 : row - window / 2);
        if (!rule.is_causal) seen.last = std::min(columns, row + window / 2 + 1);
    }
    while (mask != nullptr && seen.first < seen.last && mask[seen.last - 1] == kUnseen)
        --seen.last;
    while (mask != nullptr && seen.first < seen.last && mask[seen.first] == kUnseen)
        ++seen.first;
    return seen.first < seen.last ? seen : Columns{};
}

// `mask`: null for none.
TILEMETER_VECTORIZED void scale_scores(float* scores, const float* mask, std::size_t count, float scale) {
    if (mask == nullptr) {
        for (std::size_t i = 0; i < count; ++i)
            scores[i] *= scale;
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        scores[i] = scores[i] * scale + mask[i];
}

/// Attention of heads that share keys and values: their rows one after the other.
class SharedHeads {
public:
    SharedHeads(const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                const AttentionOperand& mask, std::span<const float> sink, const AttentionRule& rule)
        : q_(q),
          k_(k),
          v_(v),
          mask_(mask),
          sink_(sink),
          rule_(rule),
          shared_by_(q.shape[1] / k.shape[1]),
          first_(k.shape[2] > q.shape[2] ? k.shape[2] - q.shape[2] : 0) {}

    /// Rows of all heads that share keys and values.
    std::uint64_t rows() const { return std::uint64_t{shared_by_} * q_.shape[2]; }

    /// `out`: `count` rows from `begin` on.
    void compute(std::uint64_t batch, std::uint64_t group, std::uint64_t begin, std::uint64_t count,
                 std::span<float> out) const {
        Columns all{k_.shape[2], 0};
        for (std::uint64_t i = 0; i < count; ++i) {
            const Columns seen = seen_by(row_at(begin + i), batch, group);
            if (seen.count() == 0) continue;
            all = {std::min(all.first, seen.first), std::max(all.last, seen.last)};
        }
        if (all.first >= all.last) {
            std::ranges::fill(out, 0.0F);
            return;
        }
        const std::uint64_t depth = q_.shape[3], width = all.count();
        const auto rows32 = static_cast<std::uint32_t>(count), width32 = static_cast<std::uint32_t>(width);
        const std::uint64_t q_first =
            ((batch * q_.shape[1] + group * shared_by_) * q_.shape[2] + begin) * depth;
        const std::span<float> scores = block_room(0, count * width);
        matmul_in_thread({q_.values.subspan(q_first, count * depth), {rows32, q_.shape[3]}, false},
                         {columns_of(k_, batch, group, all), {width32, k_.shape[3]}, true}, scores);
        for (std::uint64_t i = 0; i < count; ++i)
            weigh(scores.subspan(i * width, width), all, row_at(begin + i), batch, group);
        matmul_in_thread({scores, {rows32, width32}, false},
                         {columns_of(v_, batch, group, all), {width32, v_.shape[3]}, false}, out);
    }

private:
    struct Row {
        std::uint64_t head;  ///< of those that share
        std::uint64_t row;
    };
    Row row_at(std::uint64_t i) const { return {i / q_.shape[2], i % q_.shape[2]}; }

    const float* mask_of(Row at, std::uint64_t batch, std::uint64_t group) const {
        if (mask_.values.empty()) return nullptr;
        return &matrix_of(mask_, batch, group * shared_by_ + at.head)[at.row * k_.shape[2]];
    }
    Columns seen_by(Row at, std::uint64_t batch, std::uint64_t group) const {
        return compute::seen_by(static_cast<std::int64_t>(first_ + at.row), k_.shape[2], rule_,
                                mask_of(at, batch, group));
    }
    static std::span<const float> columns_of(const AttentionOperand& operand, std::uint64_t batch,
                                             std::uint64_t group, Columns some) {
        const std::uint64_t depth = operand.shape[3];
        return matrix_of(operand, batch, group)
            .subspan(static_cast<std::uint64_t>(some.first) * depth, some.count() * depth);
    }

    // A row's scores of the columns `all` become probabilities in place.
    void weigh(std::span<float> scores, Columns all, Row at, std::uint64_t batch, std::uint64_t group) const {
        const Columns seen = seen_by(at, batch, group);
        const auto begin = static_cast<std::uint64_t>(seen.count() == 0 ? 0 : seen.first - all.first);
        std::ranges::fill(scores.first(begin), 0.0F);
        std::ranges::fill(scores.subspan(begin + seen.count()), 0.0F);
        if (seen.count() == 0) return;
        const std::span<float> line = scores.subspan(begin, seen.count());
        const float* const mask = mask_of(at, batch, group);
        scale_scores(line.data(), mask == nullptr ? nullptr : mask + seen.first, line.size(), rule_.scale);
        softmax_row_beside(line, sink_.empty() ? kUnseen : sink_[group * shared_by_ + at.head] * rule_.scale);
    }

    const AttentionOperand &q_, &k_, &v_, &mask_;
    const std::span<const float> sink_;
    const AttentionRule& rule_;
    const std::uint32_t shared_by_;
    const std::uint32_t first_;  // row 0's column
};

}  // namespace

HostArray attention(const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                    const AttentionOperand& mask, std::span<const float> sink, const AttentionRule& rule,
                    DataType dtype) {
    HostArray result = HostArray::unwritten(dtype, {q.shape[0], q.shape[1], q.shape[2], v.shape[3]});
    if (result.size() == 0) return result;
    // So many scores at a time, in the second cache; of causal rows only neighbours see about the same columns.
    constexpr std::uint64_t kScores = 1U << 16U, kFewestRows = 16, kMostRows = 128, kStepsOfWeight = 20;
    const SharedHeads heads(q, k, v, mask, sink, rule);
    const std::uint64_t columns = std::max<std::uint32_t>(k.shape[2], 1);
    const std::uint64_t together = std::clamp(kScores / columns, kFewestRows, kMostRows);
    const std::uint64_t blocks = (heads.rows() + together - 1) / together;
    const std::uint64_t groups = k.shape[1], width = v.shape[3];
    const std::uint64_t steps =
        q.shape[0] * groups * heads.rows() * columns * (q.shape[3] + width + kStepsOfWeight);
    const std::span<float> in_place = result.floats();
    parallel_for(q.shape[0] * groups * blocks, steps, [&](std::size_t i) {
        // The last rows first: causal ones see most.
        const std::uint64_t begin = (blocks - 1 - i % blocks) * together;
        const std::uint64_t count = std::min(together, heads.rows() - begin);
        const std::uint64_t batch = i / blocks / groups, group = i / blocks % groups;
        const std::uint64_t first = ((batch * groups + group) * heads.rows() + begin) * width;
        if (!in_place.empty())
            return heads.compute(batch, group, begin, count, in_place.subspan(first, count * width));
        const std::span<float> room = block_room(1, count * width);
        heads.compute(batch, group, begin, count, room);
        result.write_floats(first, room);
    });
    return result;
}

HostArray without_pages(const HostArray& blocks, const HostArray& page_table) {
    const std::vector<std::int64_t> table = page_table.to_integers();
    const Shape& shape = blocks.shape();
    const std::uint32_t users = page_table.shape()[0];
    const std::uint32_t count = page_table.shape()[1];
    HostArray result(blocks.dtype(), {users, shape[1], count * shape[2], shape[3]});
    const std::uint64_t part = std::uint64_t{shape[2]} * shape[3] * blocks.stored_element_size();
    const std::byte* const from = blocks.bytes().data();
    std::byte* const to = result.bytes().data();
    std::vector<BytesToCopy> parts;
    for (std::uint64_t i = 0; i < table.size(); ++i) {
        if (table[i] < 0 || table[i] >= shape[0]) continue;
        const std::uint64_t user = i / count;
        for (std::uint64_t head = 0; head < shape[1]; ++head) {
            parts.push_back({to + ((user * shape[1] + head) * count + i % count) * part,
                             from + (static_cast<std::uint64_t>(table[i]) * shape[1] + head) * part, part});
        }
    }
    parallel_copy(parts);
    return result;
}

}  // namespace tilemeter::compute
