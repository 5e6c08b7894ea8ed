// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/transformer/attention.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/attention.hpp"
#include "runtime/compute/blocks.hpp"
#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/transformer/internal/attention_program.hpp"
#include "runtime/operations/transformer/internal/paged_cache_values.hpp"
#include "runtime/operations/transformer/latent_attention.hpp"

namespace tilemeter {

namespace {

struct AttentionParameters {
    float scale = 1.0F;
    bool is_causal = true;
    std::optional<std::uint32_t> window;
    std::optional<std::uint32_t> value_width;  ///< of latent attention: values are so many of k's columns
    bool has_values = true;                    ///< v follows q and k
    bool in_pages = false;                     ///< a page table follows q, k and v
    std::optional<std::uint32_t> chunk_start;  ///< the beginning of q, of keys in pages
    bool has_start = false;                    ///< or a tensor with it follows these
    bool has_mask = false;                     ///< a mask follows these
    bool has_sink = false;                     ///< a sink follows these
    bool has_windows = false;                  ///< cumulative lengths of windows follow these
    MemoryConfig memory_config;
    OptionalSDPAProgramConfig program_config;
    DeviceComputeKernelConfig kernel_config;
    bool concat_heads = false;
};

/// The mask that is added to the scores [s, t] so that rows see the columns between the same two of `bounds` only.
std::vector<float> mask_of_windows(const std::vector<std::int64_t>& bounds, std::uint32_t rows,
                                   std::uint32_t columns) {
    std::vector<float> mask(std::uint64_t{rows} * columns, -std::numeric_limits<float>::infinity());
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        for (std::int64_t row = std::max<std::int64_t>(bounds[i - 1], 0); row < bounds[i] && row < rows;
             ++row) {
            for (std::int64_t column = std::max<std::int64_t>(bounds[i - 1], 0);
                 column < bounds[i] && column < columns; ++column)
                mask[static_cast<std::size_t>(row * columns + column)] = 0.0F;
        }
    }
    return mask;
}

struct SdpaOperation {
    static constexpr std::string_view kName = "SDPAOperation";
    static constexpr std::string_view kAttributesName = "SDPAParams";

    AttentionParameters parameters;

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(
            parameters.scale, parameters.memory_config, attribute_text(parameters.program_config),
            parameters.is_causal, parameters.chunk_start, "std::nullopt"sv,
            attribute_text(parameters.kernel_config), parameters.value_width.has_value(),
            parameters.value_width, parameters.window,
            parameters.has_windows ? "WindowedMode::Bidirectional"sv : "WindowedMode::None"sv, 0,
            "PagedCacheGeometryOverride(0, 0)"sv, parameters.concat_heads, parameters.has_mask,
            parameters.has_sink);
    }

    void validate(SpecsView inputs) const {
        for (const TensorSpec& input : inputs.first(operands())) {
            require(input.layout == Layout::TILE, "Inputs to SDPA must be tilized");
            require(is_attention_dtype(input.dtype),
                    "Data type of input tensor must be BFLOAT16, BFLOAT8_B, or BFLOAT4_B and is DataType::",
                    name_of(input.dtype));
            require(!input.memory_config.is_sharded(), "Operands to SDPA need to be DRAM/L1 interleaved");
            require(input.shape.rank() == 4, "scaled_dot_product_attention: expected 4 dimensions, got ",
                    input.shape);
            require(input.shape[3] % kTileWidth == 0, "Padding is not supported on the head_dim dimension");
        }
        require(!parameters.is_causal || !parameters.has_mask,
                "is_causal and attn_mask cannot both be present. Got is_causal: true, attn_mask: true");
        require(!parameters.window || *parameters.window == 0 || !parameters.has_mask,
                "sliding_window_size and attn_mask cannot both be present");
        if (parameters.in_pages) {
            validate_chunk(inputs);
        } else {
            validate_shapes(inputs[0].shape, inputs[1].shape, values_of(inputs).shape);
        }
        if (const TensorSpec* mask = mask_of(inputs)) validate_mask(*mask, inputs[0].shape, inputs[1].shape);
        if (const TensorSpec* sink = sink_of(inputs)) validate_sink(*sink, inputs[0].shape);
        if (parameters.has_windows) {
            const TensorSpec& windows = inputs.back();
            require(!parameters.is_causal && !parameters.has_mask && parameters.window.value_or(0) == 0,
                    "scaled_dot_product_attention: cu_window_seqlens: expected neither is_causal nor "
                    "attn_mask nor sliding_window_size");
            require((windows.dtype == DataType::INT32 || windows.dtype == DataType::UINT32) &&
                        windows.layout == Layout::ROW_MAJOR && windows.shape.rank() == 1,
                    "scaled_dot_product_attention: cu_window_seqlens: expected INT32 or UINT32 of one "
                    "dimension in ROW_MAJOR, got ",
                    windows.shape, " ", name_of(windows.dtype));
        }
        validate_config();
    }

    void validate_program(SpecsView inputs, const DeviceDescription& device) const {
        constexpr std::uint32_t kRowAlignment = 8;  // INT32 of 32 bytes
        require(!parameters.has_start || inputs[operands()].shape[1] % kRowAlignment == 0,
                "page table stick size must be a multiple of 32");
        if (!parameters.program_config) return;
        const CoreCoord grid = parameters.program_config->compute_with_storage_grid_size;
        require(grid.x <= device.compute_grid.x && grid.y <= device.compute_grid.y,
                "Provided grid must not contain more cores than the device. Got ", grid.x * grid.y,
                " cores, expected at most ", device.compute_grid.x * device.compute_grid.y, " c");
    }

    TensorSpecs infer(SpecsView inputs) const {
        const Shape& q = inputs[0].shape;
        const Shape shape = parameters.concat_heads
                                ? Shape{q[0], 1, q[2], q[1] * q[3]}
                                : Shape{q[0], q[1], q[2], parameters.value_width.value_or(q[3])};
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, parameters.memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        AttentionProblem problem;
        problem.q = &inputs[0];
        problem.k = &inputs[1];
        problem.v = &values_of(inputs);
        problem.value_width = parameters.value_width.value_or(inputs[0].shape[3]);
        problem.page_table = parameters.in_pages ? &inputs[operands()] : nullptr;
        problem.start_in_tensor = parameters.has_start;
        problem.mask = mask_of(inputs);
        problem.sink = sink_of(inputs);
        problem.out_dtype = outputs[0].dtype;
        problem.windows = parameters.has_windows;
        problem.is_causal = parameters.is_causal;
        problem.windowed = parameters.window.value_or(0) > 0;
        problem.fp32_sums = parameters.kernel_config.fp32_dest_acc_en;
        problem.grid = device.compute_grid;
        if (const OptionalSDPAProgramConfig& config = parameters.program_config) {
            problem.grid = config->compute_with_storage_grid_size;
            problem.q_chunk = config->q_chunk_size;
            problem.k_chunk = config->k_chunk_size;
        }
        return plan_attention(problem, device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        static constexpr std::array<std::uint32_t, 4> kRowsFirst = {0, 2, 1, 3};
        std::vector<HostArray> arrays;
        for (const HostArray* input : inputs)
            arrays.push_back(*input);
        if (parameters.in_pages) {
            const HostArray table = arrays[operands()];
            const std::uint32_t seen = start_of(arrays) + inputs[0]->shape()[2];
            for (std::size_t i = 1; i < operands(); ++i)
                arrays[i] = seen_of_pages(arrays[i], table, seen);
        }
        if (!parameters.has_values) arrays.insert(arrays.begin() + 2, first_columns(arrays[1]));
        std::vector<HostArray> floats;
        for (const HostArray& array : arrays)
            floats.push_back(compute::converted(array, DataType::FLOAT32));
        const auto operand = [&](std::size_t i) {
            return compute::AttentionOperand{std::as_const(floats[i]).floats(), floats[i].shape()};
        };
        compute::AttentionOperand mask;
        if (parameters.has_mask) {
            // It comes divided by the scale.
            for (float& value : floats[3].floats())
                value *= parameters.scale;
            mask = operand(3);
        }
        std::vector<float> windows;
        if (parameters.has_windows) {
            const std::uint32_t rows = arrays[0].shape()[2];
            const std::uint32_t columns = arrays[1].shape()[2];
            windows = mask_of_windows(arrays.back().to_integers(), rows, columns);
            mask = {windows, {1, 1, rows, columns}};
        }
        const std::size_t sink_of_arrays = sink_place() + (parameters.has_values ? 0 : 1);
        const compute::AttentionRule rule{
            parameters.scale, parameters.is_causal,
            parameters.window.value_or(0) > 0 ? parameters.window : std::nullopt};
        const HostArray heads = compute::attention(
            operand(0), operand(1), operand(2), mask,
            parameters.has_sink ? operand(sink_of_arrays).values : std::span<const float>(), rule,
            outputs[0].dtype);
        if (!parameters.concat_heads) return {heads};
        return {compute::permuted(heads, kRowsFirst).reshaped(outputs[0].shape)};
    }

private:
    /// How many inputs there are before the page table, the mask and others: q, k and, unless it is a part of k, v.
    std::size_t operands() const { return parameters.has_values ? 3 : 2; }
    const TensorSpec& values_of(SpecsView inputs) const { return inputs[operands() - 1]; }

    std::uint32_t start_of(const std::vector<HostArray>& arrays) const {
        if (!parameters.has_start) return *parameters.chunk_start;
        const std::int64_t start = arrays[operands() + 1].to_integers().at(0);
        const std::int64_t columns =
            std::int64_t{arrays[1].shape()[2]} * arrays[operands()].shape()[1] - arrays[0].shape()[2];
        require(start >= 0 && start <= columns,
                "chunked_scaled_dot_product_attention: chunk_start_idx_tensor: expected 0 to ", columns,
                ", got ", start);
        return static_cast<std::uint32_t>(start);
    }

    /// The first `columns` of keys or values in pages.
    static HostArray seen_of_pages(const HostArray& blocks, const HostArray& page_table,
                                   std::uint32_t columns) {
        static constexpr std::array<std::uint32_t, 4> kFirst = {0, 0, 0, 0};
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        const HostArray all = compute::without_pages(blocks, page_table);
        const Shape& shape = all.shape();
        return compute::sliced(all, kFirst, kEach, {shape[0], shape[1], columns, shape[3]});
    }

    /// The values that are a part of the keys.
    HostArray first_columns(const HostArray& keys) const {
        static constexpr std::array<std::uint32_t, 4> kFirst = {0, 0, 0, 0};
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        const Shape& shape = keys.shape();
        return compute::sliced(keys, kFirst, kEach,
                               {shape[0], shape[1], shape[2], parameters.value_width.value_or(shape[3])});
    }

    void validate_chunk(SpecsView inputs) const {
        const Shape& q = inputs[0].shape;
        const Shape& k = inputs[1].shape;
        const TensorSpec& table = inputs[operands()];
        require_integers(table, 2, "chunked_scaled_dot_product_attention: page_table_tensor");
        require(
            k == values_of(inputs).shape && k[3] == q[3] && k[2] % kTileHeight == 0,
            "chunked_scaled_dot_product_attention: expected k and v alike, in blocks of whole tiles, got ", k,
            " and ", values_of(inputs).shape);
        if (parameters.value_width) validate_value_width(q, k);
        require(k[1] > 0 && q[1] % k[1] == 0,
                "Q num_heads must be >= K num_heads and divisible by K num_heads, and K num_heads must be "
                "greater than 0. Got Q: ",
                q[1], ", K: ", k[1]);
        require(table.shape[0] == q[0],
                "chunked_scaled_dot_product_attention: page_table_tensor: expected rows of ", q[0],
                " users, got ", table.shape);
        const std::uint32_t columns = k[2] * table.shape[1];
        if (parameters.has_start) return validate_start(inputs[operands() + 1], q, columns);
        const std::uint32_t start = *parameters.chunk_start;
        if (const OptionalSDPAProgramConfig& config = parameters.program_config) {
            const auto multiple = [start](std::uint32_t chunk, const std::string& name) {
                require(chunk == 0 || start % chunk == 0, "chunk_start_idx must be a multiple of ", name,
                        ". Got chunk_start_idx: ", start, ", ", name, ": ", chunk);
            };
            multiple(config->q_chunk_size, "q_chunk_size");
            multiple(config->k_chunk_size, "k_chunk_size");
        }
        require(columns >= q[2] + start,
                "K's sequence length must be >= Q's sequence length + chunk_start_idx. Got K: ", columns,
                ", Q: ", q[2], ", chunk_start_idx: ", start);
    }

    static void validate_start(const TensorSpec& start, const Shape& q, std::uint32_t columns) {
        require(start.dtype == DataType::INT32,
                "chunk_start_idx tensor must be int32. Got DataType::", name_of(start.dtype));
        require(start.shape == Shape{1}, "chunk_start_idx tensor must have shape [1]. Got ", start.shape);
        require(columns >= q[2], "K's sequence length must be >= Q's sequence length. Got K: ", columns,
                ", Q: ", q[2]);
    }

    void validate_value_width(const Shape& q, const Shape& k) const {
        const auto least = [width = *parameters.value_width](std::uint32_t head, const char* of) {
            require(width <= head, "Head dimension of V must be less than or equal to head dim of ", of,
                    ", got ", width, " and ", head);
        };
        least(q[3], "Q");
        least(k[3], "K");
    }

    const TensorSpec* mask_of(SpecsView inputs) const {
        return parameters.has_mask ? &inputs[operands()] : nullptr;
    }
    const TensorSpec* sink_of(SpecsView inputs) const {
        return parameters.has_sink ? &inputs[sink_place()] : nullptr;
    }
    std::size_t sink_place() const {
        return operands() + (parameters.in_pages ? 1 : 0) + (parameters.has_start ? 1 : 0) +
               (parameters.has_mask ? 1 : 0);
    }

    void validate_shapes(const Shape& q, const Shape& k, const Shape& v) const {
        const auto both = [](std::uint32_t of_k, std::uint32_t of_v) {
            return " must match. Got K: " + std::to_string(of_k) + ", V: " + std::to_string(of_v);
        };
        if (parameters.is_causal) {
            require(q[2] == k[2],
                    "Causal SDPA requires Q and K to have the same sequence length. Got Q: ", q[2],
                    ", K: ", k[2]);
        }
        if (parameters.value_width) {
            validate_value_width(q, k);
            // TT-NN takes any, and reads beyond a smaller one.
            require(k[0] == q[0] && k[3] == q[3] && v[0] == k[0] && v[1] == k[1] && v[2] == k[2],
                    "flash_mla_prefill: expected keys and values of the batch and the heads of q ", q,
                    ", got ", k, " and ", v);
        } else {
            require(k[0] == q[0] && v[0] == q[0], [&] { return "K and V batch" + both(k[0], v[0]); });
            require(v[2] == k[2], [&] { return "K and V sequence length" + both(k[2], v[2]); });
            require(k[3] == q[3] && v[3] == q[3], [&] { return "K and V hidden dim" + both(k[3], v[3]); });
            require(k[1] == v[1], [&] { return "K and V num_heads" + both(k[1], v[1]); });
        }
        require(k[1] > 0 && q[1] >= k[1] && q[1] % k[1] == 0,
                "Q num_heads must be >= K num_heads and divisible by K num_heads, and K num_heads must be "
                "greater than 0. Got Q: ",
                q[1], ", K: ", k[1]);
    }

    static void validate_mask(const TensorSpec& mask, const Shape& q, const Shape& k) {
        require(mask.layout == Layout::TILE && !mask.memory_config.is_sharded(),
                "When mask is provided to SDPA, it must be tilized");
        require(is_attention_dtype(mask.dtype),
                "When mask is provided to SDPA, it must be in BF16, BFP8, or BFP4 dataformat");
        const Shape& shape = mask.shape;
        require(
            shape.rank() == 4 && (shape[0] == 1 || shape[0] == q[0]) && (shape[1] == 1 || shape[1] == q[1]),
            "scaled_dot_product_attention: attn_mask: expected [1 or b, 1 or h, s, t], got ", shape);
        require(shape[2] == q[2], "Mask sequence length must match Q sequence length");
        require(shape[3] == k[2], "Mask sequence length must match K sequence length");
    }

    static void validate_sink(const TensorSpec& sink, const Shape& q) {
        require(is_attention_dtype(sink.dtype) && sink.layout == Layout::TILE,
                "Attention sink must be in BF16, BFP8, or BFP4 dataf");
        require(sink.shape.rank() == 4 && sink.shape[0] == 1 && sink.shape[2] == 1 && sink.shape[3] == 1,
                "scaled_dot_product_attention: attention_sink: expected [1, h, 1, 1], got ", sink.shape);
        require(sink.shape[1] == q[1],
                "Attention sink num_heads must match Q num_heads. Got sink: ", sink.shape[1], ", Q: ", q[1]);
    }

    void validate_config() const {
        if (!parameters.program_config) return;
        const auto chunk = [](std::uint32_t size, const char* name) {
            require(size > 0 && size % kTileHeight == 0, name,
                    " must be a positive multiple of TILE_SIZE. Got ", name, ": ", size, ", TILE_SIZE: 32");
        };
        chunk(parameters.program_config->q_chunk_size, "q_chunk_size");
        chunk(parameters.program_config->k_chunk_size, "k_chunk_size");
        const CoreCoord grid = parameters.program_config->compute_with_storage_grid_size;
        require(grid.x > 0 && grid.y > 0,
                "scaled_dot_product_attention: program_config: expected a grid of cores, got none");
    }
};

/// What all forms have.
AttentionParameters parameters_of(const Tensor& q, const std::optional<float>& scale,
                                  const OptionalMemoryConfig& memory_config,
                                  const OptionalSDPAProgramConfig& program_config,
                                  const OptionalComputeKernelConfig& compute_kernel_config) {
    AttentionParameters parameters;
    parameters.scale = attention_scale(scale, q);
    parameters.memory_config = memory_config.value_or(DRAM_MEMORY_CONFIG);
    parameters.program_config = program_config;
    parameters.kernel_config = compute_kernel_config.value_or(kAttentionKernelConfig);
    return parameters;
}

}  // namespace

namespace transformer {

Tensor ScaledDotProductAttention::body() const {
    require_on_device(input_tensor_q, "scaled_dot_product_attention", "input_tensor_q");
    AttentionParameters parameters =
        parameters_of(input_tensor_q, scale, memory_config, program_config, compute_kernel_config);
    parameters.is_causal = is_causal;
    parameters.window = sliding_window_size;
    parameters.has_mask = attn_mask.has_value();
    parameters.has_sink = attention_sink.has_value();
    parameters.has_windows = cu_window_seqlens.has_value();
    parameters.concat_heads = output_concat_heads;
    // The device scales scores and mask together: what is added is divided by the scale first.
    const bool divides = attn_mask && parameters.scale != 1.0F && !is_causal;
    const ScopedTensor divided(divides ? unscoped::multiply(*attn_mask, 1.0F / parameters.scale) : Tensor());
    std::vector<Tensor> inputs = {input_tensor_q, input_tensor_k, input_tensor_v};
    if (attn_mask) inputs.push_back(divides ? *divided : *attn_mask);
    if (attention_sink) inputs.push_back(*attention_sink);
    if (cu_window_seqlens) inputs.push_back(*cu_window_seqlens);
    return launch(SdpaOperation{std::move(parameters)}, inputs);
}

Tensor ChunkedScaledDotProductAttention::call() const {
    require(chunk_start_idx || chunk_start_idx_tensor,
            "chunk_start_idx (int) is required for legacy chunked SDPA. For flexible path use "
            "chunk_start_idx_tensor=...");
    return in_operation(*this, [&] {
        require_on_device(input_tensor_q, "chunked_scaled_dot_product_attention", "input_tensor_q");
        AttentionParameters parameters =
            parameters_of(input_tensor_q, scale, memory_config, program_config, compute_kernel_config);
        parameters.in_pages = true;
        parameters.has_start = chunk_start_idx_tensor.has_value();
        if (!parameters.has_start) parameters.chunk_start = chunk_start_idx;
        parameters.window = sliding_window_size;
        parameters.has_sink = attention_sink.has_value();
        std::vector<Tensor> inputs = {input_tensor_q, input_tensor_k, input_tensor_v, page_table_tensor};
        if (chunk_start_idx_tensor) inputs.push_back(*chunk_start_idx_tensor);
        if (attention_sink) inputs.push_back(*attention_sink);
        return launch(SdpaOperation{std::move(parameters)}, inputs);
    });
}

namespace {

/// Of values of their own, or, without, of the first `columns` columns of the keys.
template <typename Prefill>
Tensor latent_prefill(const Prefill& call, const OptionalTensor& values, std::uint32_t columns) {
    require_on_device(call.input_tensor_q, "flash_mla_prefill", "input_tensor_q");
    AttentionParameters parameters = parameters_of(call.input_tensor_q, call.scale, call.memory_config,
                                                   call.program_config, call.compute_kernel_config);
    parameters.is_causal = call.is_causal;
    parameters.value_width = columns;
    if (values) parameters.value_width = values->shape().rank() > 0 ? values->shape()[-1] : 1;
    parameters.has_values = values.has_value();
    parameters.has_mask = call.attn_mask.has_value();
    std::vector<Tensor> inputs = {call.input_tensor_q, call.input_tensor_k};
    if (values) inputs.push_back(*values);
    if (call.attn_mask) inputs.push_back(*call.attn_mask);
    return launch(SdpaOperation{std::move(parameters)}, inputs);
}

}  // namespace

Tensor FlashMlaPrefill::body() const {
    return latent_prefill(*this, std::nullopt, head_dim_v);
}

Tensor FlashMlaPrefillOfValues::body() const {
    return latent_prefill(*this, input_tensor_v, 0);
}

Tensor ChunkedFlashMlaPrefill::body() const {
    require_on_device(input_tensor_q, "chunked_flash_mla_prefill", "input_tensor_q");
    AttentionParameters parameters =
        parameters_of(input_tensor_q, scale, memory_config, program_config, compute_kernel_config);
    parameters.value_width = head_dim_v;
    parameters.has_values = false;
    parameters.in_pages = true;
    parameters.chunk_start = chunk_start_idx;
    return launch(SdpaOperation{std::move(parameters)}, {input_tensor_q, input_tensor_k, page_table_tensor});
}

}  // namespace transformer

}  // namespace tilemeter
