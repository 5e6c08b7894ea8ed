// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include <client.hpp>

namespace ttnn {  // clients open it
inline std::shared_ptr<MeshDevice> the_device() {
    static thread_local std::shared_ptr<MeshDevice> device = MeshDevice::create_unit_mesh(0);
    return device;
}
}  // namespace ttnn

int main() {
    const ttnn::Tensor ones = ttnn::ones(ttnn::Shape({2, 32}), ttnn::DataType::BFLOAT16, ttnn::Layout::TILE,
                                         *ttnn::the_device(), std::nullopt);
    std::cout << doubled(ones).to_vector<float>()[63] << '\n';
    return 0;
}
