// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

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
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/internal/attention_program.hpp"
#include "runtime/operations/transformer/internal/paged_cache_values.hpp"
#include "runtime/operations/transformer/latent_attention.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter {

namespace {

constexpr std::uint32_t kMostChunk = 512;

struct DecodeParameters {
    bool is_causal = true;
    std::vector<std::int64_t> positions;  ///< empty: from a tensor, or all columns
    float scale = 1.0F;
    std::optional<std::uint32_t> window;
    std::optional<std::uint32_t> value_width;  ///< of latent attention: values are so many of k's columns
    bool has_values = true;                    ///< v follows q and k
    bool paged = false;                        ///< a page table follows q, k and v
    bool has_mask = false;                     ///< a mask follows these
    bool has_positions = false;                ///< a tensor of positions follows these
    bool has_sink = false;                     ///< a sink follows these
    MemoryConfig memory_config;
    OptionalSDPAProgramConfig program_config;
    DeviceComputeKernelConfig kernel_config;
};

/// The inputs by what they are; null: not there.
template <typename T>
struct DecodeInputs {
    DecodeInputs(std::span<const T> inputs, const DecodeParameters& parameters) {
        std::size_t next = parameters.has_values ? 3 : 2;
        values = &inputs[next - 1];
        if (parameters.paged) page_table = &inputs[next++];
        if (parameters.has_mask) mask = &inputs[next++];
        if (parameters.has_positions) positions = &inputs[next++];
        if (parameters.has_sink) sink = &inputs[next];
    }
    const T* values = nullptr;  ///< the keys where these have the values
    const T* page_table = nullptr;
    const T* mask = nullptr;
    const T* positions = nullptr;
    const T* sink = nullptr;
};

/// Keys at a time. The size for paged ones is chosen while the program runs: as many tiles as a core sums up
/// at once at most.
std::uint32_t chunk_of(const OptionalSDPAProgramConfig& config, std::uint32_t columns, bool paged,
                       bool fp32_sums) {
    if (config && config->k_chunk_size > 0) return config->k_chunk_size;
    if (paged) return (fp32_sums ? 4 : 8) * kTileHeight;
    std::uint32_t chunk = 1;
    while (chunk < kMostChunk && columns % (2 * chunk) == 0)
        chunk *= 2;
    return chunk;
}

struct SdpaDecode {
    static constexpr std::string_view kName = "SdpaDecodeDeviceOperation";
    static constexpr std::string_view kAttributesName = "SdpaDecodeParams";

    DecodeParameters parameters;

    auto attributes() const {
        const OptionalSDPAProgramConfig& config = parameters.program_config;
        return std::make_tuple(
            parameters.is_causal, parameters.paged, positions_text(), parameters.scale, parameters.window,
            parameters.memory_config,
            config ? "SDPAProgramConfig(" + attribute_text(config->compute_with_storage_grid_size) + ", " +
                         std::to_string(config->q_chunk_size) + ", " + std::to_string(config->k_chunk_size) +
                         ", " + attribute_text(config->exp_approx_mode) + ", " +
                         std::to_string(config->max_cores_per_head_batch) + ")"
                   : std::string("std::nullopt"),
            attribute_text(parameters.kernel_config), parameters.value_width, parameters.has_values,
            parameters.has_mask, parameters.has_positions, parameters.has_sink);
    }

    void validate(SpecsView inputs) const {
        require(!parameters.value_width || parameters.is_causal,
                "Multi-latent attention decode only tested for causal!");
        for (const TensorSpec& input : inputs.first(parameters.has_values ? 3 : 2)) {
            require(input.layout == Layout::TILE, "Inputs to SDPA decode must be tilized");
            require(is_attention_dtype(input.dtype),
                    "scaled_dot_product_attention_decode: expected BFLOAT16, BFLOAT8_B or BFLOAT4_B, got ",
                    name_of(input.dtype));
            require(input.shape.rank() == 4 && input.shape[3] % kTileWidth == 0,
                    "scaled_dot_product_attention_decode: expected 4 dimensions, the last of whole tiles, "
                    "got ",
                    input.shape);
        }
        validate_placement(inputs[0], inputs[1].shape[1]);
        const DecodeInputs<TensorSpec> optional(inputs, parameters);
        if (parameters.paged) validate_pages(inputs[0], inputs[1].shape, *optional.page_table, optional);
        validate_shapes(inputs[0].shape, inputs[1].shape, optional.values->shape);
        if (optional.mask != nullptr)
            validate_mask(*optional.mask, inputs[0].shape, columns_of(inputs[1].shape, optional.page_table));
        validate_positions(inputs[0].shape[1], optional.positions);
        if (optional.sink != nullptr) {
            const Shape& sink = optional.sink->shape;
            require(
                optional.sink->layout == Layout::TILE && sink.rank() == 2 && sink[0] == inputs[0].shape[2],
                [&] {
                    return "scaled_dot_product_attention_decode: attention_sink: expected tiles [" +
                           std::to_string(inputs[0].shape[2]) + ", 32], got " + sink.to_string();
                });
        }
    }

    void validate_program(SpecsView inputs, const DeviceDescription& device) const {
        const CoreCoord grid = grid_on(device);
        const std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        require(cores >= inputs[0].shape[1], "Cores available (", cores, ") must be >= batch size (",
                inputs[0].shape[1], ")");
        constexpr std::uint64_t kMostRounds = 6;
        const std::uint64_t sharing = cores_of_each_head(inputs, device);
        require(sharing <= std::uint64_t{1} << kMostRounds, "Tree reduction max ", kMostRounds, " rounds (",
                std::uint64_t{1} << kMostRounds, " cores/head), got ", sharing, " cores/head");
    }

    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        if (parameters.value_width) shape.set(3, *parameters.value_width);
        if (keeps_whole_tiles(inputs[0]))
            shape.set(2, static_cast<std::uint32_t>(round_up(shape[2], kTileHeight)));
        return {TensorSpec{shape, inputs[0].dtype, Layout::TILE, parameters.memory_config}};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& shape = inputs[0]->shape();
        const std::uint32_t users = shape[1];
        const std::uint32_t heads = shape[2];
        const DecodeInputs<const HostArray*> optional(inputs, parameters);
        HostArray keys = *inputs[1];
        HostArray values = **optional.values;
        if (parameters.paged) {
            keys = compute::without_pages(keys, **optional.page_table);
            values = compute::without_pages(values, **optional.page_table);
        }
        if (!parameters.has_values) values = first_columns(values);
        const std::uint32_t columns = keys.shape()[2];
        const std::vector<float> mask = mask_of(optional, users, heads, columns);
        const HostArray q = compute::converted(*inputs[0], DataType::FLOAT32);
        const HostArray k = compute::converted(keys, DataType::FLOAT32);
        const HostArray v = compute::converted(values, DataType::FLOAT32);
        std::vector<float> sink;
        if (optional.sink != nullptr) {
            const std::vector<float> stored = (*optional.sink)->to_floats();
            for (std::uint32_t head = 0; head < heads; ++head)
                sink.push_back(stored[head * std::uint64_t{(*optional.sink)->shape()[1]}]);
        }
        compute::AttentionRule rule;
        rule.scale = parameters.scale;
        const HostArray result = compute::attention(
            {q.floats(), {users, heads, 1, shape[3]}}, {k.floats(), keys.shape()},
            {v.floats(), values.shape()}, {mask, {users, heads, 1, columns}}, sink, rule, outputs[0].dtype);
        if (result.size() == outputs[0].shape.volume()) return {result.reshaped(outputs[0].shape)};
        HostArray padded(outputs[0].dtype, outputs[0].shape);  // one user's heads first
        std::ranges::copy(result.bytes(), padded.bytes().begin());
        return {std::move(padded)};
    }

private:
    /// The values that are a part of the keys.
    HostArray first_columns(const HostArray& keys) const {
        static constexpr std::array<std::uint32_t, 4> kFirst = {0, 0, 0, 0};
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        const Shape& shape = keys.shape();
        return compute::sliced(keys, kFirst, kEach,
                               {shape[0], shape[1], shape[2], parameters.value_width.value_or(shape[3])});
    }

    /// True where latent attention leaves the heads of one user, in a shard, on one core: the result then has the rows of
    /// their padding, too.
    bool keeps_whole_tiles(const TensorSpec& q) const {
        const OptionalSDPAProgramConfig& config = parameters.program_config;
        return parameters.value_width && q.memory_config.is_sharded() && q.shape[1] == 1 && config &&
               config->max_cores_per_head_batch == 1;
    }

    CoreCoord grid_on(const DeviceDescription& device) const {
        const OptionalSDPAProgramConfig& config = parameters.program_config;
        return config ? config->compute_with_storage_grid_size : device.compute_grid;
    }

    // Cores that share a user's head.
    std::uint64_t cores_of_each_head(SpecsView inputs, const DeviceDescription& device) const {
        const std::uint64_t heads = std::uint64_t{inputs[0].shape[1]} * inputs[1].shape[1];
        const OptionalSDPAProgramConfig& config = parameters.program_config;
        const CoreCoord grid = grid_on(device);
        std::uint64_t cores = std::uint64_t{grid.x} * grid.y;
        if (config) cores = std::min(cores, config->max_cores_per_head_batch * heads);
        return std::max<std::uint64_t>(1, cores / heads);
    }

    std::string positions_text() const {
        std::string text = "{";
        for (const std::int64_t position : parameters.positions)
            text += (text.size() > 1 ? ", " : "") + std::to_string(position);
        return text + "}";
    }

    static void validate_placement(const TensorSpec& q, std::uint32_t kv_heads, const MemoryConfig& out) {
        require(q.memory_config.is_sharded() || q.memory_config.buffer_type == BufferType::DRAM,
                "Q tensor buffer type must be DRAM when not sharded but got BufferType::L1");
        if (kv_heads == 1) return;
        require(q.dtype == DataType::BFLOAT16,
                "GQA expects BFLOAT16 input tensor, but got DataType::", name_of(q.dtype));
        require(!out.is_sharded(), "Sharded output not supported for GQA");
    }
    void validate_placement(const TensorSpec& q, std::uint32_t kv_heads) const {
        validate_placement(q, kv_heads, parameters.memory_config);
    }

    void validate_shapes(const Shape& q, const Shape& k, const Shape& v) const {
        require(q[0] == 1, "scaled_dot_product_attention_decode: input_tensor_q: expected [1, b, h, d], got ",
                q);
        if (parameters.value_width) {
            validate_values(q, k, v);
        } else {
            require(k == v && (parameters.paged || k[0] == q[1]) && k[3] == q[3],
                    "scaled_dot_product_attention_decode: expected k and v [", q[1], ", kv, t, ", q[3],
                    "], got ", k, " and ", v);
        }
        require(k[1] > 0 && q[2] % k[1] == 0,
                "scaled_dot_product_attention_decode: expected heads of q in multiples of ", k[1], ", got ",
                q[2]);
        const std::uint32_t chunk = chunk_of(parameters.program_config, k[2], parameters.paged,
                                             parameters.kernel_config.fp32_dest_acc_en);
        require(chunk % kTileHeight == 0,
                "scaled_dot_product_attention_decode: k_chunk_size: expected a multiple of 32, got ", chunk);
        require(parameters.paged || k[2] % chunk == 0,
                "K sequence length must be multiple of chunk size, got: ", k[2], " and ", chunk);
    }

    void validate_values(const Shape& q, const Shape& k, const Shape& v) const {
        const std::uint32_t width = *parameters.value_width;
        require(k[3] == q[3], "Head dimension of Q must be equal to head dim of K, got ", q[3], " and ",
                k[3]);
        require(width <= q[3], "Head dimension of V must be less than or equal to head dim of Q, got ", width,
                " and ", q[3]);
        require((parameters.paged || k[0] == q[1]) && v[0] == k[0] && v[1] == k[1] && v[2] == k[2],
                "flash_multi_latent_attention_decode: expected keys and values of ", q[1], " users, got ", k,
                " and ", v);
    }

    template <typename Table>
    static std::uint32_t columns_of(const Shape& k, const Table* page_table) {
        return page_table == nullptr ? k[2] : k[2] * page_table->shape[1];
    }

    void validate_pages(const TensorSpec& q, const Shape& k, const TensorSpec& table,
                        const DecodeInputs<TensorSpec>& optional) const {
        require_integers(table, 2, "paged_scaled_dot_product_attention_decode: page_table_tensor");
        require(table.shape[0] == q.shape[1],
                "paged_scaled_dot_product_attention_decode: page_table_tensor: expected rows of ", q.shape[1],
                " users, got ", table.shape);
        require(k[2] % kTileHeight == 0,
                "paged_scaled_dot_product_attention_decode: expected blocks of whole tiles, got ", k);
        const bool chunk_given = parameters.program_config && parameters.program_config->k_chunk_size > 0;
        require(!parameters.is_causal || optional.positions != nullptr,
                "Must have cur_pos tensor for paged attention in causal mode");
        require(optional.mask == nullptr || chunk_given,
                "Must provide k_chunk_size if using attention mask!");
        require(parameters.is_causal || chunk_given, "Must provide k_chunk_size if paged and non-causal!");
    }

    void validate_mask(const TensorSpec& mask, const Shape& q, std::uint32_t columns) const {
        require(!parameters.is_causal,
                "scaled_dot_product_attention_decode: attn_mask: expected none with is_causal");
        const Shape& shape = mask.shape;
        const bool fits = shape.rank() == 4 && shape[2] == q[2] && shape[3] == columns &&
                          (shape[0] * shape[1] == q[1] || shape[0] * shape[1] == 1);
        require(mask.layout == Layout::TILE && fits,
                "scaled_dot_product_attention_decode: attn_mask: expected tiles [1, ", q[1], ", ", q[2], ", ",
                columns, "], got ", shape);
    }

    void validate_positions(std::uint32_t users, const TensorSpec* tensor) const {
        require(parameters.positions.empty() || parameters.positions.size() == users,
                "scaled_dot_product_attention_decode: cur_pos: expected ", users, " positions, got ",
                parameters.positions.size());
        if (tensor == nullptr) return;
        require(tensor->dtype == DataType::INT32 && tensor->layout == Layout::ROW_MAJOR &&
                    tensor->shape.volume() == users,
                "scaled_dot_product_attention_decode: cur_pos_tensor: expected ", users,
                " INT32 in ROW_MAJOR, got ", tensor->shape, " ", name_of(tensor->dtype));
    }

    /// The mask that is added to the scores [users, heads, 1, columns]: the mask, and nothing of what is not seen.
    std::vector<float> mask_of(const DecodeInputs<const HostArray*>& optional, std::uint32_t users,
                               std::uint32_t heads, std::uint32_t columns) const {
        constexpr float kUnseen = -std::numeric_limits<float>::infinity();
        std::vector<std::int64_t> last(users, std::int64_t{columns} - 1);
        if (parameters.is_causal && optional.positions != nullptr) {
            last = (*optional.positions)->to_integers();
        } else if (parameters.is_causal && !parameters.positions.empty()) {
            last = parameters.positions;
        }
        const std::vector<float> given =
            optional.mask != nullptr ? (*optional.mask)->to_floats() : std::vector<float>();
        std::vector<float> mask(std::uint64_t{users} * heads * columns);
        for (std::uint64_t i = 0; i < mask.size(); ++i) {
            const auto column = static_cast<std::int64_t>(i % columns);
            const std::int64_t position = last[i / columns / heads];
            bool seen = column <= position;
            if (parameters.window.value_or(0) > 0) {
                const std::int64_t window = *parameters.window;
                seen = seen && column > position - (parameters.is_causal ? window : window / 2 + 1);
            }
            mask[i] = !seen ? kUnseen : given.empty() ? 0.0F : given[i % given.size()];
        }
        return mask;
    }
};

// All cores of the grid; those that share a user's head exchange what they have. A causal program for few
// heads works on tiles of half the height.
ProgramPlan SdpaDecode::plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
    const TensorSpec& q = inputs[0];
    const std::uint64_t users = q.shape[1];
    const OptionalSDPAProgramConfig& config = parameters.program_config;
    const CoreCoord grid = grid_on(device);
    const std::uint64_t sharing = cores_of_each_head(inputs, device);

    const std::uint64_t rows = ceil_div(q.shape[2], kTileHeight);
    const std::uint64_t width = q.shape[3] / kTileWidth;
    const std::uint64_t value_width = outputs[0].shape[3] / kTileWidth;
    const std::uint64_t chunk =
        chunk_of(config, inputs[1].shape[2], parameters.paged, parameters.kernel_config.fp32_dest_acc_en) /
        kTileHeight;
    const bool half = parameters.is_causal && q.shape[2] <= kTileHeight / 2 &&
                      q.dtype == DataType::BFLOAT16 && !keeps_whole_tiles(q);
    const std::uint64_t full_tile = tile_size(DataType::BFLOAT16);
    const std::uint64_t tile = full_tile / (half ? 2 : 1);
    const std::uint64_t q_bytes = rows * width * tile_size(q.dtype) / (half ? 2 : 1);
    const std::uint64_t out = rows * value_width * tile;
    const std::uint64_t statistic = rows * tile;

    const DecodeInputs<TensorSpec> optional(inputs, parameters);
    const std::uint64_t mask =
        rows * chunk * (optional.mask != nullptr ? tile_size(optional.mask->dtype) : tile);
    std::vector<std::uint64_t> sizes = {q_bytes, 2 * chunk * width * tile_size(inputs[1].dtype),
                                        2 * chunk * value_width * tile_size(optional.values->dtype), mask};
    if (optional.sink != nullptr) sizes.push_back(statistic);
    sizes.insert(sizes.end(), {tile, statistic, statistic});
    if (optional.positions != nullptr)
        sizes.insert(sizes.end(), 2, round_up(users * sizeof(std::int32_t), device.dram_alignment));
    if (optional.page_table != nullptr) {
        const std::uint64_t blocks = optional.page_table->shape[1];
        sizes.push_back(round_up(blocks * sizeof(std::int32_t), device.dram_alignment));
    }
    sizes.insert(sizes.end(), {q_bytes, full_tile, tile});
    if (parameters.window.value_or(0) > 0) sizes.push_back(mask);
    sizes.insert(sizes.end(), {rows * chunk * tile, out, out});
    sizes.insert(sizes.end(), 7, statistic);
    sizes.insert(sizes.end(), {out, out, statistic, statistic});
    if (sharing > 1) sizes.push_back((out + 2 * statistic) * (sharing - 1));

    ProgramPlan plan{
        {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::prim::SdpaDecodeDeviceOperation>::"
         "DirectDescriptorFactory",
         0}};
    const CoreRangeSet all = whole_grid(grid);
    plan.memory = circular_buffers(sizes, all);
    if (keeps_whole_tiles(q)) plan.memory.front().shared_with = 0;  // the heads stay in their shard
    ProgramMemory result = circular_buffer(rows * value_width * tile_size(outputs[0].dtype), all);
    if (outputs[0].memory_config.is_sharded()) result.shared_with = static_cast<int>(inputs.size());
    plan.memory.push_back(result);
    return plan;
}

/// The common part of both definitions.
template <typename Attention>
DecodeParameters parameters_of(const Attention& attention) {
    DecodeParameters parameters;
    parameters.is_causal = attention.is_causal;
    parameters.scale = attention_scale(attention.scale, attention.input_tensor_q);
    parameters.window = attention.sliding_window_size;
    parameters.has_mask = attention.attn_mask.has_value();
    parameters.has_positions = attention.cur_pos_tensor.has_value();
    parameters.has_sink = attention.attention_sink.has_value();
    parameters.memory_config = attention.memory_config.value_or(DRAM_MEMORY_CONFIG);
    parameters.program_config = attention.program_config;
    parameters.kernel_config = attention.compute_kernel_config.value_or(kAttentionKernelConfig);
    return parameters;
}

template <typename Attention>
Tensor launch_decode(const Attention& attention, DecodeParameters parameters, std::vector<Tensor> inputs) {
    for (const OptionalTensor* optional :
         {&attention.attn_mask, &attention.cur_pos_tensor, &attention.attention_sink}) {
        if (*optional) inputs.push_back(**optional);
    }
    return launch(SdpaDecode{std::move(parameters)}, std::move(inputs));
}

/// The same of multi-latent attention.
template <typename Attention>
DecodeParameters latent_parameters_of(const Attention& attention, const char* operation) {
    require_on_device(attention.input_tensor_q, operation, "input_tensor_q");
    if (const OptionalTensor& values = attention.input_tensor_v) {
        const Shape shape = values->padded_shape();
        const std::uint32_t width = shape.rank() > 0 ? shape[-1] : 1;
        require(width == attention.head_dim_v,
                "Head dimension of the V tensor must be equal to head_dim_v parameter value, got ", width,
                " and ", attention.head_dim_v);
    }
    DecodeParameters parameters = parameters_of(attention);
    parameters.value_width = attention.head_dim_v;
    parameters.has_values = attention.input_tensor_v.has_value();
    return parameters;
}

template <typename Attention>
std::vector<Tensor> latent_inputs_of(const Attention& attention) {
    std::vector<Tensor> inputs = {attention.input_tensor_q, attention.input_tensor_k};
    if (attention.input_tensor_v) inputs.push_back(*attention.input_tensor_v);
    return inputs;
}

}  // namespace

namespace transformer {

Tensor ScaledDotProductAttentionDecode::body() const {
    require_on_device(input_tensor_q, "scaled_dot_product_attention_decode", "input_tensor_q");
    DecodeParameters parameters = parameters_of(*this);
    parameters.positions = cur_pos;
    return launch_decode(*this, std::move(parameters), {input_tensor_q, input_tensor_k, input_tensor_v});
}

Tensor PagedScaledDotProductAttentionDecode::body() const {
    require_on_device(input_tensor_q, "paged_scaled_dot_product_attention_decode", "input_tensor_q");
    DecodeParameters parameters = parameters_of(*this);
    parameters.paged = true;
    // Without a config each user's head has a core of its own.
    if (!program_config) {
        parameters.program_config = SDPAProgramConfig{input_tensor_q.device().description().compute_grid,
                                                      kTileHeight, kTileHeight, std::nullopt, 1};
    }
    return launch_decode(*this, std::move(parameters),
                         {input_tensor_q, input_tensor_k, input_tensor_v, page_table_tensor});
}

Tensor FlashMultiLatentAttentionDecode::body() const {
    DecodeParameters parameters = latent_parameters_of(*this, "flash_multi_latent_attention_decode");
    parameters.positions = cur_pos;
    return launch_decode(*this, std::move(parameters), latent_inputs_of(*this));
}

Tensor PagedFlashMultiLatentAttentionDecode::body() const {
    DecodeParameters parameters = latent_parameters_of(*this, "paged_flash_multi_latent_attention_decode");
    parameters.paged = true;
    std::vector<Tensor> inputs = latent_inputs_of(*this);
    inputs.push_back(page_table_tensor);
    return launch_decode(*this, std::move(parameters), std::move(inputs));
}

}  // namespace transformer

}  // namespace tilemeter
