// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What a function has made on a query's shadow: whether it may be described, and its description.

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "runtime/device/query_shadow.hpp"
#include "runtime/query/query.hpp"

namespace tilemeter::query::internal {

/// The buffer that has the memory.
const Buffer& whole_of(const Tensor& tensor);

/// Throws RuntimeError unless the results are tensors of this device that have memory, and all else that the shadow has
/// allocated and not freed is theirs, or `is_known`.
void check_results(const Device& device, const QueryShadow& shadow, std::span<const Tensor> results,
                   const std::function<bool(record::BufferId)>& is_known);

/// Where a tensor lies. Not said: whose memory it shares.
OutputPlace place_of(const Tensor& tensor);

/// What was taken since the shadow began to count.
ResourceUsage usage_of(const QueryShadow& shadow, std::span<const OutputPlace> outputs);

}  // namespace tilemeter::query::internal
