// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/compute/matmul.hpp"

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

bool sees(std::int64_t row, std::int64_t column, const AttentionRule& rule) {
    if (rule.is_causal && column > row) return false;
    if (!rule.window) return true;
    const std::int64_t window = *rule.window;
    if (rule.is_causal) return column > row - window;
    return column >= row - window / 2 && column <= row + window / 2;
}

// Scores become probabilities in place; `sink` takes its share.
void normalize(std::span<float> scores, float sink) {
    float most = sink;
    for (const float score : scores)
        most = std::max(most, score);
    if (most == kUnseen) {
        std::fill(scores.begin(), scores.end(), 0.0F);
        return;
    }
    double sum = sink == kUnseen ? 0.0 : std::exp(sink - most);
    for (float& score : scores) {
        score = std::exp(score - most);
        sum += score;
    }
    for (float& score : scores)
        score = static_cast<float>(score / sum);
}

}  // namespace

std::vector<float> attention(const AttentionOperand& q, const AttentionOperand& k, const AttentionOperand& v,
                             const AttentionOperand& mask, std::span<const float> sink,
                             const AttentionRule& rule) {
    const std::uint32_t heads = q.shape[1];
    const std::uint32_t rows = q.shape[2];
    const std::uint32_t columns = k.shape[2];
    const std::uint32_t shared_by = heads / k.shape[1];
    const Shape q_matrix{rows, q.shape[3]};
    const Shape k_matrix{columns, k.shape[3]};
    const Shape v_matrix{columns, v.shape[3]};
    const std::int64_t first = columns > rows ? columns - rows : 0;
    std::vector<float> result;
    result.reserve(std::uint64_t{q.shape[0]} * heads * rows * v.shape[3]);
    for (std::uint32_t batch = 0; batch < q.shape[0]; ++batch) {
        for (std::uint32_t head = 0; head < heads; ++head) {
            std::vector<float> scores = matmul({matrix_of(q, batch, head), q_matrix, false},
                                               {matrix_of(k, batch, head / shared_by), k_matrix, true});
            const std::span<const float> added =
                mask.values.empty() ? mask.values : matrix_of(mask, batch, head);
            const float lost = sink.empty() ? kUnseen : sink[head] * rule.scale;
            for (std::uint32_t row = 0; row < rows; ++row) {
                const std::span<float> line(&scores[std::uint64_t{row} * columns], columns);
                for (std::uint32_t column = 0; column < columns; ++column) {
                    float score = line[column] * rule.scale;
                    if (!added.empty()) score += added[std::uint64_t{row} * columns + column];
                    line[column] = sees(first + row, column, rule) ? score : kUnseen;
                }
                normalize(line, lost);
            }
            const std::vector<float> out = matmul({scores, {rows, columns}, false},
                                                  {matrix_of(v, batch, head / shared_by), v_matrix, false});
            result.insert(result.end(), out.begin(), out.end());
        }
    }
    return result;
}

HostArray without_pages(const HostArray& blocks, const HostArray& page_table) {
    const std::vector<std::int64_t> table = page_table.to_integers();
    const std::vector<float> stored = blocks.to_floats();
    const Shape& shape = blocks.shape();
    const std::uint32_t users = page_table.shape()[0];
    const std::uint32_t count = page_table.shape()[1];
    const std::uint64_t part = std::uint64_t{shape[2]} * shape[3];
    std::vector<float> result(std::uint64_t{users} * shape[1] * count * part);
    for (std::uint64_t i = 0; i < table.size(); ++i) {
        if (table[i] < 0 || table[i] >= shape[0]) continue;
        const std::uint64_t user = i / count;
        for (std::uint64_t head = 0; head < shape[1]; ++head) {
            std::copy_n(&stored[(static_cast<std::uint64_t>(table[i]) * shape[1] + head) * part], part,
                        &result[((user * shape[1] + head) * count + i % count) * part]);
        }
    }
    return HostArray::from_floats(result, blocks.dtype(), {users, shape[1], count * shape[2], shape[3]});
}

}  // namespace tilemeter::compute
