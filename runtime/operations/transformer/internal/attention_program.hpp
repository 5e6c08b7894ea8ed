// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The circular buffers of an attention program, as TT-NN 0.81.1's factory declares them; rules from sweeps of
// the mock.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/transformer/attention.hpp"

namespace tilemeter {

inline constexpr DeviceComputeKernelConfig kAttentionKernelConfig{MathFidelity::HiFi2, true, false, false,
                                                                  false};

bool is_attention_dtype(DataType dtype);

/// `given`, or one over the square root of q's width.
float attention_scale(const std::optional<float>& given, const Tensor& q);

/// As TT-NN lists it among an operation's attributes.
std::string attribute_text(const SDPAProgramConfig& config);

/// The inputs and attributes of an attention that decide about its program.
struct AttentionProblem {
    const TensorSpec* q = nullptr;
    const TensorSpec* k = nullptr;
    const TensorSpec* v = nullptr;     ///< k where values are the first `value_width` of its columns
    std::uint32_t value_width = 0;     ///< of a head's values
    const TensorSpec* mask = nullptr;  ///< null: none given
    const TensorSpec* sink = nullptr;
    const TensorSpec* page_table = nullptr;  ///< null: keys and values do not come in blocks
    bool start_in_tensor = false;            ///< the column where q begins
    DataType out_dtype = DataType::BFLOAT16;
    bool is_causal = true;
    bool windowed = false;
    bool windows = false;  ///< by cumulative lengths
    bool fp32_sums = false;
    CoreCoord grid;
    std::uint32_t q_chunk = 32;  ///< rows of q, and of k and v, at a time
    std::uint32_t k_chunk = 32;
};

ProgramPlan plan_attention(const AttentionProblem& problem, const DeviceDescription& device);

/// The program of attention over two sequences at once: `problem` is about the first, `rows` of the second follow.
ProgramPlan plan_joint_attention(const AttentionProblem& problem, std::uint32_t rows);

}  // namespace tilemeter
