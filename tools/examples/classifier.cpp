// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A classifier of two layers in the form that compilers write for TT-NN: every memory config is said, and a tensor is freed
// after its last use. It knows nothing of tilemeter: tilemeter run-cpp classifier.cpp [BATCH]

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ttnn/device.hpp"
#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/creation/creation.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace {

const ttnn::MemoryConfig kDram{ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::DRAM, std::nullopt};
const ttnn::MemoryConfig kL1{ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1, std::nullopt};

ttnn::MeshDevice* device() {
    static thread_local std::shared_ptr<ttnn::MeshDevice> opened =
        ttnn::MeshDevice::create_unit_mesh(0, 1 << 16, 0);
    return opened.get();
}

ttnn::Tensor input(const ttnn::Shape& shape) {
    const ttnn::Tensor host =
        ttnn::ones(shape, ttnn::DataType::BFLOAT16, ttnn::Layout::TILE, std::nullopt, kDram);
    return ttnn::to_device(host, device(), kDram);
}

ttnn::Tensor product(const ttnn::Tensor& a, const ttnn::Tensor& b) {
    return ttnn::matmul(a, b, false, false, kL1, std::nullopt, std::nullopt, std::nullopt, std::nullopt,
                        std::nullopt);
}

ttnn::Tensor classify(const ttnn::Tensor& images, const ttnn::Tensor& w1, const ttnn::Tensor& b1,
                      const ttnn::Tensor& w2, const ttnn::Tensor& b2) {
    ttnn::Tensor v1 = product(images, w1);
    ttnn::Tensor v2 = ttnn::add(v1, b1, std::nullopt, kL1);
    ttnn::deallocate(v1, false);
    ttnn::Tensor v3 = ttnn::relu(v2, kL1);
    ttnn::deallocate(v2, false);
    ttnn::Tensor v4 = product(v3, w2);
    ttnn::deallocate(v3, false);
    ttnn::Tensor v5 = ttnn::add(v4, b2, std::nullopt, kDram);
    ttnn::deallocate(v4, false);
    ttnn::Tensor v6 = ttnn::softmax(v5, 1, kDram, std::nullopt, true);
    ttnn::deallocate(v5, false);
    return v6;
}

}  // namespace

int main(int count, char** arguments) {
    const auto batch = static_cast<std::uint32_t>(count > 1 ? std::stoul(arguments[1]) : 256);
    const ttnn::Tensor images = input(ttnn::Shape({batch, 784}));
    const ttnn::Tensor w1 = input(ttnn::Shape({784, 1024})), b1 = input(ttnn::Shape({1, 1024}));
    const ttnn::Tensor w2 = input(ttnn::Shape({1024, 10})), b2 = input(ttnn::Shape({1, 10}));
    return classify(images, w1, b1, w2, b2).logical_shape()[0] == batch ? 0 : 1;
}
