// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/compat/programs.hpp"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "operations/conv/conv2d/conv2d.hpp"
#include "operations/core/core.hpp"
#include "operations/creation/creation.hpp"
#include "operations/data_movement/concat/concat.hpp"
#include "operations/data_movement/permute/permute.hpp"
#include "operations/data_movement/reshape_view/reshape.hpp"
#include "operations/data_movement/slice/slice.hpp"
#include "operations/data_movement/transpose/transpose.hpp"
#include "operations/eltwise/binary/binary.hpp"
#include "operations/eltwise/unary/unary.hpp"
#include "operations/matmul/matmul.hpp"
#include "operations/normalization/layernorm/layernorm.hpp"
#include "operations/normalization/softmax/softmax.hpp"
#include "operations/pool/generic/generic_pools.hpp"
#include "operations/reduction/generic/generic_reductions.hpp"
#include "ttnn/operations/copy/typecast/typecast.hpp"
#include "ttnn/operations/experimental/paged_cache/paged_cache.hpp"
#include "ttnn/operations/reduction/topk/topk.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/sdpa/sdpa.hpp"
#include "ttnn/operations/transformer/sdpa_decode/sdpa_decode.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"

namespace ttnn {  // as generated programs do
inline ::ttnn::MemoryConfig in_dram() {
    return ::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::DRAM,
                                ::std::nullopt};
}
inline ::ttnn::MemoryConfig in_l1() {
    return ::ttnn::MemoryConfig{::ttnn::TensorMemoryLayout::INTERLEAVED, ::ttnn::BufferType::L1,
                                ::std::nullopt};
}
}  // namespace ttnn

namespace tilemeter::programs {

namespace {

::ttnn::Tensor input(::ttnn::MeshDevice* device, const ::ttnn::Shape& shape,
                     ::ttnn::Layout layout = ::ttnn::Layout::TILE,
                     ::ttnn::DataType dtype = ::ttnn::DataType::BFLOAT16) {
    ::ttnn::Tensor host = ::ttnn::ones(shape, dtype, layout, ::std::nullopt, ::ttnn::in_dram());
    return ::ttnn::to_device(host, device, ::ttnn::in_dram());
}

::ttnn::Tensor projected(const ::ttnn::Tensor& x, const ::ttnn::Tensor& weight, const ::ttnn::Tensor& bias,
                         const std::optional<std::string>& activation) {
    namespace unary = ::ttnn::operations::unary;
    using Activation = std::variant<std::string, unary::BasicUnaryWithParam<float>>;
    return ::ttnn::linear(x, weight, bias, false, false, ::ttnn::in_l1(), ::ttnn::DataType::BFLOAT16,
                          ::std::nullopt,
                          activation ? std::optional<const Activation>(*activation) : std::nullopt,
                          ::std::nullopt, ::std::nullopt, ::std::nullopt, ::std::nullopt);
}

}  // namespace

::ttnn::Tensor attention(::ttnn::MeshDevice* device) {
    ::ttnn::Tensor x = input(device, ::ttnn::Shape({1, 64, 128}));
    ::ttnn::Tensor to_heads = input(device, ::ttnn::Shape({128, 384})),
                   heads_bias = input(device, ::ttnn::Shape({1, 384}));
    ::ttnn::Tensor up = input(device, ::ttnn::Shape({128, 512})),
                   up_bias = input(device, ::ttnn::Shape({1, 512}));
    ::ttnn::Tensor down = input(device, ::ttnn::Shape({512, 128})),
                   down_bias = input(device, ::ttnn::Shape({1, 128}));
    ::ttnn::Tensor scale = input(device, ::ttnn::Shape({1, 128})),
                   shift = input(device, ::ttnn::Shape({1, 128}));

    ::ttnn::Tensor v0 = ::ttnn::layer_norm(x, 1e-5F, scale, shift, ::std::nullopt, ::ttnn::in_dram(),
                                           ::std::nullopt, ::std::nullopt);
    ::ttnn::Tensor v1 = projected(v0, to_heads, heads_bias, std::nullopt);
    ::ttnn::deallocate(v0, false);
    ::std::tuple<::ttnn::Tensor, ::ttnn::Tensor, ::ttnn::Tensor> v2 =
        ::ttnn::transformer::split_query_key_value_and_split_heads(v1, ::std::nullopt, 4, ::std::nullopt,
                                                                   false, ::ttnn::in_dram());
    ::ttnn::deallocate(v1, false);
    auto [q, k, v] = v2;
    ::ttnn::Tensor v3 = ::ttnn::transformer::scaled_dot_product_attention(
        q, k, v, ::std::nullopt, true, ::std::nullopt, ::std::nullopt, ::ttnn::in_dram());
    ::ttnn::deallocate(q, true);
    ::ttnn::deallocate(k, true);
    ::ttnn::deallocate(v, true);
    ::ttnn::Tensor v4 = ::ttnn::transformer::concatenate_heads(v3, ::ttnn::in_l1());
    ::ttnn::deallocate(v3, false);
    ::ttnn::Tensor v5 = ::ttnn::add(v4, x, ::std::nullopt, ::ttnn::in_l1());
    ::ttnn::deallocate(v4, false);
    ::ttnn::Tensor v6 = projected(v5, up, up_bias, "gelu");
    ::ttnn::Tensor v7 = projected(v6, down, down_bias, std::nullopt);
    ::ttnn::deallocate(v6, false);
    ::ttnn::Tensor v8 = ::ttnn::add(v7, v5, ::std::nullopt, ::ttnn::in_dram());
    ::ttnn::deallocate(v7, false);
    ::ttnn::deallocate(v5, false);
    return v8;
}

::ttnn::Tensor convolution(::ttnn::MeshDevice* device) {
    ::ttnn::Tensor x = input(device, ::ttnn::Shape({1, 1, 256, 32}), ::ttnn::Layout::ROW_MAJOR);
    ::ttnn::Tensor weight =
        ::ttnn::ones(::ttnn::Shape({64, 32, 3, 3}), ::ttnn::DataType::BFLOAT16, ::ttnn::Layout::ROW_MAJOR);
    ::ttnn::Conv2dConfig config;
    config.weights_dtype = ::ttnn::DataType::BFLOAT16;
    ::ttnn::Conv2dResultWithOptions result = ::ttnn::conv2d(
        x, weight, device, 32, 64, 1, 16, 16, ::std::array<uint32_t, 2>{3, 3},
        ::std::array<uint32_t, 2>{1, 1}, ::std::array<uint32_t, 2>{1, 1}, ::std::array<uint32_t, 2>{1, 1}, 1,
        ::ttnn::DataType::BFLOAT16, ::std::nullopt, config, ::std::nullopt, ::ttnn::in_dram());
    ::ttnn::Tensor v0 = ::std::get<0>(result);
    ::ttnn::deallocate(x, false);
    ::ttnn::Tensor v1 = ::ttnn::max_pool2d(v0, 1, 16, 16, 64, ::std::array<uint32_t, 2>{2, 2},
                                           ::std::array<uint32_t, 2>{2, 2}, ::std::array<uint32_t, 2>{0, 0},
                                           ::std::array<uint32_t, 2>{1, 1}, false)[0];
    v1 = ::ttnn::to_memory_config(v1, ::ttnn::in_dram(), ::std::nullopt);
    ::ttnn::Tensor v2 = ::ttnn::to_layout(v1, ::ttnn::Layout::TILE, ::std::nullopt, ::ttnn::in_dram());
    ::ttnn::Tensor v3 = ::ttnn::mean(v2, ::ttnn::SmallVector<int>{2}, true, ::ttnn::in_dram());
    ::ttnn::Tensor v4 = ::ttnn::softmax(v3, 3, ::ttnn::in_dram(), ::std::nullopt, true);
    return ::ttnn::topk(v4, 32, -1, true, true, ::ttnn::in_dram())[0];
}

::ttnn::Tensor movement(::ttnn::MeshDevice* device) {
    ::ttnn::Tensor x = input(device, ::ttnn::Shape({2, 3, 64, 96}));
    ::ttnn::Tensor v0 = ::ttnn::permute(x, ::ttnn::SmallVector<int64_t>{0, 2, 1, 3}, ::ttnn::in_dram(), 0.0F);
    ::ttnn::Tensor v1 = ::ttnn::reshape(v0, ::std::vector<int32_t>{2, 192, 96}, ::ttnn::in_dram());
    ::ttnn::Tensor v2 =
        ::ttnn::slice(v1, ::ttnn::SmallVector<int32_t>{0, 0, 0}, ::ttnn::SmallVector<int32_t>{2, 64, 96},
                      ::ttnn::SmallVector<int32_t>{1, 1, 1}, ::ttnn::in_l1());
    ::ttnn::Tensor v3 = ::ttnn::transpose(v2, 1, 2, ::ttnn::in_l1());
    ::ttnn::Tensor v4 = ::ttnn::typecast(v3, ::ttnn::DataType::FLOAT32, ::ttnn::in_dram());
    ::ttnn::Tensor v5 = ::ttnn::concat(::std::vector<::ttnn::Tensor>{v4, v4}, 1, ::ttnn::in_dram());
    ::ttnn::Tensor v6 = ::ttnn::sum(v5, ::ttnn::SmallVector<int>{1, 2}, true, ::ttnn::in_dram());
    ::ttnn::Tensor v7 = ::ttnn::multiply(v6, 0.5F, ::std::nullopt, ::ttnn::in_dram());
    return ::ttnn::sqrt(v7, false, ::ttnn::in_dram());
}

::ttnn::Tensor decoding(::ttnn::MeshDevice* device) {
    namespace experimental = ::ttnn::experimental;
    ::ttnn::Tensor x = input(device, ::ttnn::Shape({1, 1, 32, 128}));
    ::ttnn::Tensor weight = input(device, ::ttnn::Shape({128, 128}));
    ::ttnn::Tensor keys = input(device, ::ttnn::Shape({8, 2, 32, 64}));
    ::ttnn::Tensor values = input(device, ::ttnn::Shape({8, 2, 32, 64}));
    ::ttnn::Tensor pages =
        input(device, ::ttnn::Shape({2, 4}), ::ttnn::Layout::ROW_MAJOR, ::ttnn::DataType::INT32);
    ::ttnn::Tensor positions =
        input(device, ::ttnn::Shape({2}), ::ttnn::Layout::ROW_MAJOR, ::ttnn::DataType::INT32);
    ::ttnn::MemoryConfig rows{
        ::ttnn::TensorMemoryLayout::HEIGHT_SHARDED, ::ttnn::BufferType::L1,
        ::ttnn::ShardSpec{::ttnn::CoreRangeSet{std::set<::ttnn::CoreRange>{
                              ::ttnn::CoreRange{::ttnn::CoreCoord{0, 0}, ::ttnn::CoreCoord{1, 0}}}},
                          {32, 64},
                          ::ttnn::ShardOrientation::ROW_MAJOR}};
    ::ttnn::Tensor latest =
        ::ttnn::to_memory_config(input(device, ::ttnn::Shape({1, 2, 2, 64})), rows, ::std::nullopt);
    experimental::paged_update_cache(keys, latest, std::vector<uint32_t>{}, positions, ::std::nullopt, pages,
                                     0, ::std::nullopt, ::std::nullopt, ::std::nullopt, ::std::nullopt,
                                     ::std::nullopt);
    experimental::paged_update_cache(values, latest, std::vector<uint32_t>{}, positions, ::std::nullopt,
                                     pages, 0, ::std::nullopt, ::std::nullopt, ::std::nullopt, ::std::nullopt,
                                     ::std::nullopt);
    ::ttnn::deallocate(latest, false);
    ::ttnn::Tensor query =
        ::ttnn::linear(x, weight, ::std::nullopt, false, false, ::ttnn::in_l1(), ::ttnn::DataType::BFLOAT16);
    ::ttnn::Tensor heads = ::ttnn::reshape(query, std::vector<int32_t>{1, 2, 32, 64}, ::ttnn::in_dram());
    ::ttnn::deallocate(query, false);
    ::ttnn::Tensor seen = ::ttnn::transformer::paged_scaled_dot_product_attention_decode(
        heads, keys, values, pages, true, ::std::nullopt, positions, ::std::nullopt, 0.125F, ::std::nullopt,
        ::ttnn::in_dram(), ::std::nullopt, ::std::nullopt);
    ::ttnn::deallocate(heads, false);
    ::ttnn::Tensor joined = ::ttnn::reshape(seen, std::vector<int32_t>{1, 1, 32, 128}, ::ttnn::in_l1());
    ::ttnn::deallocate(seen, false);
    ::ttnn::Tensor result = ::ttnn::linear(joined, weight, ::std::nullopt, false, false, ::ttnn::in_dram(),
                                           ::ttnn::DataType::BFLOAT16);
    ::ttnn::deallocate(joined, false);
    return result;
}

}  // namespace tilemeter::programs
