// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/attn_matmul.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/program_pieces.hpp"

namespace tilemeter::experimental {

namespace {

/// A user's matrix: its rows and columns, and whether it lies transposed.
struct Cached {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    bool transposed = false;
};

// One token of each user and head times the user's matrix.
std::vector<float> products(const HostArray& tokens, const HostArray& cache, const Cached& matrix) {
    const Shape &a = tokens.shape(), &b = cache.shape();
    const std::vector<float> left = tokens.to_floats(), right = cache.to_floats();
    const std::uint64_t heads = a[1], users = a[2], share = heads / b[1], width = b[-1];
    std::vector<float> result;
    result.reserve(heads * users * matrix.columns);
    for (std::uint64_t head = 0; head < heads; ++head) {
        for (std::uint64_t user = 0; user < users; ++user) {
            const float* const token = left.data() + (head * users + user) * matrix.rows;
            const float* const values = right.data() + (user * b[1] + head / share) * b[-2] * width;
            for (std::uint64_t column = 0; column < matrix.columns; ++column) {
                double sum = 0;
                for (std::uint64_t row = 0; row < matrix.rows; ++row)
                    sum += double{token[row]} *
                           values[matrix.transposed ? column * width + row : row * width + column];
                result.push_back(static_cast<float>(sum));
            }
        }
    }
    return result;
}

void require_product(const TensorSpec& a, const TensorSpec& b, const std::string& name, std::uint64_t rows) {
    for (const TensorSpec* each : {&a, &b}) {
        if (each->layout == Layout::TILE && each->shape.rank() == 4) continue;
        refuse_with(name, ": expected four dimensions in TILE layout, got ", each->shape, " in ",
                    name_of(each->layout));
    }
    require(a.shape[0] == 1, "Input q_len must be 1!");
    require(a.shape[2] == b.shape[0] && a.shape[3] == rows && a.shape[1] % b.shape[1] == 0, name,
            ": expected [1, heads, users, K] and [users, kv heads, K, N], got ", a.shape, " and ", b.shape);
}

struct AttnMatmulOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "AttnMatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "AttnMatmulParams";

    std::optional<std::uint32_t> num_tokens;
    bool transpose;
    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::tie(num_tokens, transpose, memory_config, dtype); }

    void validate(SpecsView inputs) const {
        require_product(inputs[0], inputs[1], "attn_matmul", cached(inputs[1].shape).rows);
        require(inputs[1].shape[1] == 1, "attn_matmul: input_tensor_b: expected one head, got ",
                inputs[1].shape);
        require(!num_tokens || *num_tokens <= inputs[1].shape[2], [&] {
            return "attn_matmul_from_cache: num_tokens: expected at most " +
                   std::to_string(inputs[1].shape[2]) + ", got " + std::to_string(*num_tokens);
        });
    }
    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, cached(inputs[1].shape).columns);
        return {TensorSpec{shape, dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const std::uint64_t sums = tile_size(DataType::BFLOAT16);
        return {{"ttnn::experimental::prim::AttnMatmulProgramFactory", 0},
                circular_buffers(
                    {inputs[0].tile_columns() * tile_size(inputs[0].dtype), 2 * tile_size(inputs[1].dtype),
                     sums, sums, sums, 2 * tile_size(outputs[0].dtype)},
                    cores)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        return {HostArray::from_floats(products(*inputs[0], *inputs[1], cached(inputs[1]->shape())),
                                       outputs[0].dtype, outputs[0].shape)};
    }

private:
    Cached cached(const Shape& b) const {
        const std::uint32_t rows = num_tokens.value_or(b[2]);
        return transpose ? Cached{b[3], rows, true} : Cached{rows, b[3], false};
    }
};

struct GroupAttnMatmulOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "GroupAttnMatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "GroupAttnMatmulParams";

    MemoryConfig memory_config;
    DataType dtype;

    auto attributes() const { return std::tie(memory_config, dtype); }

    void validate(SpecsView inputs) const {
        constexpr std::uint32_t kUsers = 32;
        require_product(inputs[0], inputs[1], "group_attn_matmul", inputs[1].shape[2]);
        require(inputs[1].shape[0] == kUsers, "Only batch 32 is supported for group attention matmul!");
    }
    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, inputs[1].shape[-1]);
        return {TensorSpec{shape, dtype, Layout::TILE, memory_config}};
    }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        const CoreRangeSet cores = whole_grid(device.compute_grid);
        const std::uint64_t k = inputs[0].tile_columns(), n = inputs[1].tile_columns();
        const std::uint64_t sums = tile_size(DataType::BFLOAT16);
        const std::uint64_t block = std::min<std::uint64_t>(n, 8);  // columns of tiles at a time
        return {{"ttnn::experimental::prim::GroupAttnMatmulProgramFactory", 0},
                circular_buffers({k * tile_size(inputs[0].dtype),
                                  2 * inputs[1].shape[1] * k * block * tile_size(inputs[1].dtype),
                                  2 * block * sums, n * sums, n * tile_size(outputs[0].dtype)},
                                 cores)};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const Shape& b = inputs[1]->shape();
        return {HostArray::from_floats(products(*inputs[0], *inputs[1], {b[2], b[3], false}),
                                       outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor AttnMatmul::body() const {
    require_on_device(input_tensor_a, "attn_matmul", "input_tensor_a");
    return launch(
        AttnMatmulOperation{std::nullopt, false, memory_config.value_or(input_tensor_a.memory_config()),
                            dtype.value_or(input_tensor_a.dtype())},
        {input_tensor_a, input_tensor_b}, output_tensor);
}

Tensor AttnMatmulFromCache::body() const {
    require_on_device(input_tensor_a, "attn_matmul_from_cache", "input_tensor_a");
    return launch(
        AttnMatmulOperation{num_tokens, transpose_hw, memory_config.value_or(input_tensor_a.memory_config()),
                            dtype.value_or(input_tensor_a.dtype())},
        {input_tensor_a, input_tensor_b}, output_tensor);
}

Tensor GroupAttnMatmul::body() const {
    require_on_device(input_tensor_a, "group_attn_matmul", "input_tensor_a");
    return launch(GroupAttnMatmulOperation{memory_config.value_or(input_tensor_a.memory_config()),
                                           dtype.value_or(input_tensor_a.dtype())},
                  {input_tensor_a, input_tensor_b}, optional_output_tensor);
}

}  // namespace tilemeter::experimental
