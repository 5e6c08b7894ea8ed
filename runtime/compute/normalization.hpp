// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Normalisations of rows, on the host.
//
// Thread safety: all functions may be called from any thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/types/shape.hpp"

namespace tilemeter::compute {

/// exp(x - max) over its sum, along `dimension`.
std::vector<float> softmax(std::span<const float> values, const Shape& shape, std::size_t dimension);

/// The same of rows, in the calling thread and in place. REQUIRES: whole rows of `width` elements.
void softmax_rows(std::span<float> rows, std::uint64_t width);

/// The same of one row beside an element that is no part of it and takes its share (-inf: none). A row of nothing but -inf
/// becomes 0. REQUIRES: the row is not empty.
void softmax_row_beside(std::span<float> row, float beside);

enum class RowStatistic : std::uint8_t { kMeanAndVariance, kMeanSquare };

/// Each row of `width` elements, in place: (x - mean) / sqrt(variance + epsilon), or x / sqrt(mean square + epsilon);
/// times `weight`, plus `bias`, where these are not empty. In the calling thread.
/// REQUIRES: whole rows; weight and bias have `width` elements.
void normalize_rows(RowStatistic statistic, std::span<float> rows, std::uint64_t width, float epsilon,
                    std::span<const float> weight, std::span<const float> bias);

/// Images of rows of `channels`, normalized over all rows of an image and the channels of a group; times
/// `weight` and plus `bias` of each channel, where these are not empty.
/// REQUIRES: images divide the rows, groups the channels.
std::vector<float> group_norm(std::span<const float> values, std::uint64_t images, std::uint64_t channels,
                              std::uint64_t groups, float epsilon, std::span<const float> weight,
                              std::span<const float> bias);

}  // namespace tilemeter::compute
