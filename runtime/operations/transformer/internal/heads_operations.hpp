// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that take rows apart into attention heads and join them again.
//
// Inputs of TILE layout, FLOAT32, BFLOAT16 or BFLOAT8_B. Interleaved: any rows. In shards: NlpCreateHeadsOperation has
// one tile of rows, WIDTH_SHARDED, a core holds [queries of a group | its keys | its values] and the results one head
// to a core. NlpConcatHeadsOperation has HEIGHT_SHARDED heads, whole ones to a core, and joins a core's heads where
// they lie. All throw RuntimeError (shapes, dtypes, layouts).
//
// Thread safety: const calls may run at the same time.

#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/transformer/attention_heads.hpp"

namespace tilemeter {

/// Heads of rows [b, 1, s, heads * d] in `groups` equal parts: from each part those at `first`, together
/// `count`. [b, count, s, d], transposed [b, count, d, s]. REQUIRES: groups divides all and count.
HostArray heads_of(const HostArray& rows, std::uint32_t head_dim, std::uint32_t groups, std::uint32_t first,
                   std::uint32_t count, bool transposed);

/// Query, key, value. REQUIRES: three tensors.
inline AttentionHeads in_order(std::vector<Tensor> heads) {
    return {std::move(heads.at(0)), std::move(heads.at(1)), std::move(heads.at(2))};
}

/// Floating point tiles of 4 dimensions that heads are made of.
void require_heads_dtype_and_layout(const TensorSpec& input);

/// Inputs: [b, 1, s, (q + 2 kv) * d], or [b, 1, s, q * d] and [b, 1, s, 2 kv * d]. Outputs: query, key,
/// value.
struct NlpCreateHeadsOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "NlpCreateHeadsDeviceOperation";

    /// groups: parts that the input with the keys is in, one after the other, each with its queries, its
    /// keys, its values: 1 interleaved, else the cores that hold a shard.
    std::uint32_t num_q_heads;
    std::uint32_t num_kv_heads;
    std::uint32_t head_dim;
    bool transpose_k_heads;
    MemoryConfig memory_config;
    std::uint32_t groups;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(num_q_heads, num_kv_heads, head_dim, transpose_k_heads, false, memory_config,
                               "std::nullopt"sv);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    void validate_shards(SpecsView inputs) const;
    ProgramPlan plan_rows(SpecsView inputs, const DeviceDescription& device) const;
};

/// [b, heads, s, d] -> [b, 1, s, heads * d].
struct NlpConcatHeadsOperation {
    static constexpr std::string_view kName = "NLPConcatHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "NlpConcatHeadsParams";

    MemoryConfig memory_config;

    auto attributes() const { return std::tie(memory_config); }

    void validate(SpecsView inputs) const;
    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
