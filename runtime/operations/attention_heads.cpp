// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/attention_heads.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/compute/rearrange.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/launch.hpp"
#include "runtime/operations/operation_scope.hpp"
#include "runtime/operations/program_pieces.hpp"
#include "runtime/operations/upload.hpp"

namespace tilemeter {

namespace {

void require(bool holds, const std::string& otherwise) {
    if (!holds) throw RuntimeError(otherwise);
}

void require_heads_dtype_and_layout(const TensorSpec& input) {
    require(input.dtype == DataType::FLOAT32 || input.dtype == DataType::BFLOAT16 ||
                input.dtype == DataType::BFLOAT8_B,
            "Unsupported data format");
    require(input.layout == Layout::TILE,
            "Input tensor layout must be TILE but got Layout::" + std::string(name_of(input.layout)));
    require(!input.memory_config.is_sharded(),
            "Input tensor must be interleaved: sharded heads are not there");
}

std::uint64_t tile_rows_of_batch(const TensorSpec& spec) {
    const Shape padded = spec.padded_shape();
    return std::uint64_t{padded[0]} * (padded[2] / kTileHeight);
}

class NlpCreateHeads : public DeviceOperationWith<NlpCreateHeads> {
public:
    static constexpr std::string_view kName = "NlpCreateHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    NlpCreateHeads(std::uint32_t num_q_heads, std::uint32_t num_kv_heads, std::uint32_t head_dim,
                   bool transpose_k_heads, MemoryConfig memory_config)
        : num_q_heads_(num_q_heads),
          num_kv_heads_(num_kv_heads),
          head_dim_(head_dim),
          transpose_k_heads_(transpose_k_heads),
          memory_config_(std::move(memory_config)) {}

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(num_q_heads_, num_kv_heads_, head_dim_, transpose_k_heads_, false,
                               memory_config_, "std::nullopt"sv);
    }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        require_heads_dtype_and_layout(input);
        require(input.shape[1] == 1,
                "Unsupported input sequence length " + std::to_string(input.shape[1]) + " is not equal to 1");
        require(!memory_config_.is_sharded(), "Output memory config layout must be INTERLEAVED but got " +
                                                  std::string(name_of(memory_config_.memory_layout)));
        if (inputs.size() == 1) return;
        const TensorSpec& kv = inputs[1];
        require(kv.dtype == input.dtype, "KV tensor dtype must be same as Q tensor dtype!");
        require_heads_dtype_and_layout(kv);
        require(kv.shape[0] == input.shape[0], "KV tensor batch dim must be same as Q tensor batch!");
        require(kv.shape[2] == input.shape[2], "KV tensor seq_len dim must be same as Q tensor seq_len!");
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        const std::uint32_t batch = input.shape[0];
        const std::uint32_t length = input.shape[2];
        const auto heads = [&](const Shape& shape) {
            return TensorSpec{shape, input.dtype, Layout::TILE, memory_config_};
        };
        const Shape kv{batch, num_kv_heads_, length, head_dim_};
        const Shape key = transpose_k_heads_ ? Shape{batch, num_kv_heads_, head_dim_, length} : kv;
        return {heads({batch, num_q_heads_, length, head_dim_}), heads(key), heads(kv)};
    }

    // Whole rows of tiles, or, where no tile is transposed and all heads are in one tensor, the part of a
    // head in such a row. Four tiles in flight; whole parts of a head twice, where a power of two divides it.
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const override {
        constexpr std::uint64_t kTilesInFlight = 4;
        const std::uint64_t rows = tile_rows_of_batch(inputs[0]);
        const std::uint64_t heads = num_q_heads_ + 2 * std::uint64_t{num_kv_heads_};
        const bool by_heads = !transpose_k_heads_ && inputs.size() == 1;
        const CoreRangeSet cores =
            split_work(by_heads ? rows * heads : rows, device.compute_grid, CoreWalk::kDownColumns).cores;
        const std::uint64_t tile = tile_size(inputs[0].dtype);
        ProgramPlan plan{
            "ttnn::operations::experimental::transformer::NlpCreateHeadsDeviceOperation::Interleaved",
            0,
            {},
            {}};
        if (transpose_k_heads_) {
            plan.memory.assign(3, dataflow_buffer(kTilesInFlight * tile, cores));
            return plan;
        }
        const std::uint64_t width = head_dim_ / kTileWidth;
        std::uint64_t block = 8;
        while (width % block != 0)
            block /= 2;
        plan.memory = {dataflow_buffer(std::max(kTilesInFlight, 2 * block) * tile, cores)};
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec>) const override {
        const HostArray* kv = inputs.size() > 1 ? inputs[1] : inputs[0];
        const std::uint32_t first_key = inputs.size() > 1 ? 0 : num_q_heads_;
        return {split(*inputs[0], 0, num_q_heads_, false),
                split(*kv, first_key, num_kv_heads_, transpose_k_heads_),
                split(*kv, first_key + num_kv_heads_, num_kv_heads_, false)};
    }

private:
    /// Heads `first` to `first + count` of [b, 1, s, heads * d].
    HostArray split(const HostArray& rows, std::uint32_t first, std::uint32_t count, bool transposed) const {
        static constexpr std::array<std::uint32_t, 4> kHeadsFirst = {0, 2, 1, 3};
        static constexpr std::array<std::uint32_t, 4> kTransposed = {0, 2, 3, 1};
        static constexpr std::array<std::uint32_t, 4> kEach = {1, 1, 1, 1};
        const std::uint32_t batch = rows.shape()[0];
        const std::uint32_t length = rows.shape()[2];
        const HostArray heads = rows.reshaped({batch, length, rows.shape()[3] / head_dim_, head_dim_});
        const std::array<std::uint32_t, 4> begin = {0, 0, first, 0};
        return compute::permuted(compute::sliced(heads, begin, kEach, {batch, length, count, head_dim_}),
                                 transposed ? kTransposed : kHeadsFirst);
    }

    std::uint32_t num_q_heads_;
    std::uint32_t num_kv_heads_;
    std::uint32_t head_dim_;
    bool transpose_k_heads_;
    MemoryConfig memory_config_;
};

class NlpConcatHeads : public DeviceOperationWith<NlpConcatHeads> {
public:
    static constexpr std::string_view kName = "NLPConcatHeadsDeviceOperation";
    static constexpr std::string_view kAttributesName = "NlpConcatHeadsParams";

    explicit NlpConcatHeads(MemoryConfig memory_config) : memory_config_(std::move(memory_config)) {}

    auto attributes() const { return std::tie(memory_config_); }

    void validate(std::span<const TensorSpec> inputs) const override {
        const TensorSpec& input = inputs[0];
        require_heads_dtype_and_layout(input);
        require(input.shape.rank() == 4,
                "nlp_concat_heads: input: expected 4 dimensions, got " + input.shape.to_string());
        require(input.shape[3] % kTileWidth == 0,
                "nlp_concat_heads: input: expected a head size of whole "
                "tiles of 32, got " +
                    std::to_string(input.shape[3]));
    }

    TensorSpecs infer(std::span<const TensorSpec> inputs) const override {
        const Shape& shape = inputs[0].shape;
        return {TensorSpec{
            {shape[0], 1, shape[2], shape[1] * shape[3]}, inputs[0].dtype, Layout::TILE, memory_config_}};
    }

    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec>,
                     const DeviceDescription& device) const override {
        const Shape& shape = inputs[0].shape;
        const CoreRangeSet cores =
            split_work(tile_rows_of_batch(inputs[0]) * shape[1], device.compute_grid, CoreWalk::kDownColumns)
                .cores;
        const std::uint64_t row_tiles = std::uint64_t{shape[1]} * (shape[3] / kTileWidth);
        ProgramPlan plan{"ttnn::experimental::prim::NLPConcatHeadsProgramFactory", 0, {}, {}};
        plan.memory = {dataflow_buffer(2 * row_tiles * tile_size(inputs[0].dtype), cores)};
        return plan;
    }

    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override {
        static constexpr std::array<std::uint32_t, 4> kRowsFirst = {0, 2, 1, 3};
        return {compute::permuted(*inputs[0], kRowsFirst).reshaped(outputs[0].shape)};
    }

private:
    MemoryConfig memory_config_;
};

AttentionHeads in_order(std::vector<Tensor> heads) {
    return {std::move(heads.at(0)), std::move(heads.at(1)), std::move(heads.at(2))};
}

std::vector<Tensor> create_heads(const Tensor& input, const OptionalTensor& input_kv, std::uint32_t num_heads,
                                 std::uint32_t num_kv_heads, std::uint32_t head_dim, bool transpose,
                                 const OptionalMemoryConfig& memory_config) {
    std::vector<Tensor> inputs = {input};
    if (input_kv) inputs.push_back(*input_kv);
    return launch_all(NlpCreateHeads(num_heads, num_kv_heads, head_dim, transpose,
                                     memory_config.value_or(input.memory_config())),
                      std::move(inputs));
}

// The head size, from the width of the input that holds it.
std::uint32_t head_dim_of(const Tensor& input, const OptionalTensor& kv, std::uint32_t num_heads,
                          std::uint32_t num_kv_heads) {
    require(input.shape().rank() == 4,
            "nlp_create_qkv_heads: input: expected 4 dimensions, got " + input.shape().to_string());
    const std::uint32_t sections = kv ? num_heads : num_heads + 2 * num_kv_heads;
    const std::uint32_t width = input.shape()[3];
    require(sections > 0 && width % sections == 0, "Unsupported input shape");
    const std::uint32_t head_dim = width / sections;
    require(head_dim % kTileWidth == 0,
            "nlp_create_qkv_heads: input: expected a head size of whole tiles of "
            "32, got " +
                std::to_string(head_dim));
    if (kv) {
        require(kv->shape().rank() == 4,
                "nlp_create_qkv_heads: input_kv: expected 4 dimensions, got " + kv->shape().to_string());
        require(num_kv_heads > 0 && kv->shape()[3] == 2 * num_kv_heads * head_dim,
                "Head dims must be the same for Q and K, V");
    }
    return head_dim;
}

Tensor with_middle_one(const Tensor& tensor) {
    const Shape& shape = tensor.shape();
    return reshape_view(tensor, {shape[0], 1, shape[1], shape[2]});
}

// Head size of split_query_key_value_and_split_heads; TT-NN's own statements.
std::uint32_t split_head_dim(const Shape& shape, const OptionalTensor& kv, std::uint32_t num_heads,
                             std::uint32_t num_kv_heads) {
    if (kv) {
        const Shape& kv_shape = kv->shape();
        require(kv_shape.rank() == 3, "Invalid KV input tensor: expected 3 dimensions, but found " +
                                          std::to_string(kv_shape.rank()) + ".");
        require(kv_shape[0] == shape[0],
                "Dimension mismatch: KV tensor batch dimension (" + std::to_string(kv_shape[0]) +
                    ") must match Q tensor batch dimension (" + std::to_string(shape[0]) + ").");
        require(kv_shape[1] == shape[1],
                "Dimension mismatch: KV tensor sequence length (" + std::to_string(kv_shape[1]) +
                    ") must match Q tensor sequence length (" + std::to_string(shape[1]) + ").");
        require(kv_shape[2] == 2 * num_kv_heads * (shape[2] / num_heads),
                "Dimension mismatch: KV head size (" + std::to_string(kv_shape[2] / (2 * num_kv_heads)) +
                    ") must be equal to query");
    }
    const std::uint32_t head_dim = shape[2] / (kv ? num_heads : num_heads + 2 * num_kv_heads);
    require(head_dim > 0 && head_dim % kTileWidth == 0,
            "Invalid head size: " + std::to_string(head_dim) +
                ". The head size must be a multiple of the tile width (32).");
    return head_dim;
}

}  // namespace

namespace experimental {

AttentionHeads nlp_create_qkv_heads(const Tensor& input, const OptionalTensor& input_kv,
                                    std::uint32_t num_heads, std::optional<std::uint32_t> num_kv_heads,
                                    bool transpose_k_heads, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("experimental::nlp_create_qkv_heads");
    return in_order(in_operation(
        kName, std::tie(input, input_kv, num_heads, num_kv_heads, transpose_k_heads, memory_config), [&] {
            require_on_device(input, "nlp_create_qkv_heads", "input");
            const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
            return create_heads(input, input_kv, num_heads, kv_heads,
                                head_dim_of(input, input_kv, num_heads, kv_heads), transpose_k_heads,
                                memory_config);
        }));
}

Tensor nlp_concat_heads(const Tensor& input, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("experimental::nlp_concat_heads");
    return in_operation(kName, std::tie(input, memory_config), [&] {
        require_on_device(input, "nlp_concat_heads", "input");
        return launch(NlpConcatHeads(memory_config.value_or(input.memory_config())), {input});
    });
}

}  // namespace experimental

namespace transformer {

AttentionHeads split_query_key_value_and_split_heads(const Tensor& input_tensor,
                                                     const OptionalTensor& kv_input_tensor,
                                                     std::uint32_t num_heads,
                                                     std::optional<std::uint32_t> num_kv_heads,
                                                     bool transpose_key,
                                                     const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("transformer::split_query_key_value_and_split_heads");
    return in_order(in_operation(
        kName, std::tie(input_tensor, kv_input_tensor, num_heads, num_kv_heads, transpose_key, memory_config),
        [&] {
            require_on_device(input_tensor, "split_query_key_value_and_split_heads", "input_tensor");
            const Shape& shape = input_tensor.shape();
            require(shape.rank() == 3, "Invalid input tensor: expected 3 dimensions, but found " +
                                           std::to_string(shape.rank()) + ".");
            require(input_tensor.layout() == Layout::TILE,
                    "Invalid layout: input tensor must use TILE_LAYOUT");
            const std::uint32_t kv_heads = num_kv_heads.value_or(num_heads);
            require(num_heads > 0 && kv_heads > 0,
                    "split_query_key_value_and_split_heads: num_heads, "
                    "num_kv_heads: expected at least 1");
            const std::uint32_t head_dim = split_head_dim(shape, kv_input_tensor, num_heads, kv_heads);
            const Tensor input = with_middle_one(input_tensor);
            const OptionalTensor kv =
                kv_input_tensor ? OptionalTensor(with_middle_one(*kv_input_tensor)) : std::nullopt;
            std::vector<Tensor> heads = create_heads(input, kv, num_heads, kv_heads, head_dim, transpose_key,
                                                     memory_config.value_or(input_tensor.memory_config()));
            // TT-NN splits with padding and takes it away again.
            if (shape[1] % kTileHeight != 0) {
                for (Tensor& each : heads)
                    each = reshape_view(each, each.shape());
            }
            return heads;
        }));
}

Tensor concatenate_heads(const Tensor& input_tensor, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("transformer::concatenate_heads");
    return in_operation(kName, std::tie(input_tensor, memory_config), [&] {
        require_on_device(input_tensor, "concatenate_heads", "input_tensor");
        const Shape& shape = input_tensor.shape();
        require(shape.rank() == 4, "Input tensor must have rank 4. Shape: " + shape.to_string());
        require(shape[3] % kTileWidth == 0,
                "Head size must be a multiple of 32 but was found to be " + std::to_string(shape[3]) + ".");
        const Tensor rows =
            launch(NlpConcatHeads(memory_config.value_or(input_tensor.memory_config())), {input_tensor});
        return reshape_view(rows, {shape[0], shape[2], shape[1] * shape[3]});
    });
}

}  // namespace transformer

}  // namespace tilemeter
