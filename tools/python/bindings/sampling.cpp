// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Choices at random, and of experts.

#include "runtime/operations/reduction/sampling.hpp"

#include <nanobind/stl/variant.h>

#include "runtime/operations/reduction/moe.hpp"
#include "tools/python/bindings/bind.hpp"
#include "tools/python/bindings/operation.hpp"

namespace tilemeter::python {

void bind_sampling(nb::module_& m) {
    operation(
        m, "sampling",
        [](const Tensor& values, const Tensor& indices, const Tensor& k, const Tensor& p, const Tensor& temp,
           std::optional<std::uint32_t> seed, const OptionalCores& sub_core_grids,
           const OptionalTensor& output) {
            return sampling(values, indices, k, p, temp, seed, sub_core_grids, output);
        },
        "input_values_tensor"_a, "input_indices_tensor"_a, "k"_a, "p"_a, "temp"_a, nb::kw_only(),
        "seed"_a = nb::none(), "sub_core_grids"_a = nb::none(), "output_tensor"_a = nb::none(),
        "One index of each of 32 rows, drawn with the probabilities softmax(values * temp): from the k most "
        "probable, of those from as many as come to p. values: [1, 1, 32, W], bfloat16, TILE; indices: "
        "uint32 or int32, ROW_MAJOR; k, p, temp (1/T): 32 each. Result: [1, 1, 1, 32], uint32. seed 0 or "
        "None: another one each time.");
    operation(
        m, "manual_seed",
        [](const SeedOrTensor& seeds, const std::shared_ptr<Device>& device,
           const std::optional<SeedOrTensor>& user_ids, const OptionalCores& sub_core_grids) {
            return manual_seed(seeds, device, user_ids, sub_core_grids);
        },
        "seeds"_a = 0, nb::kw_only(), "device"_a = nb::none(), "user_ids"_a = nb::none(),
        "sub_core_grids"_a = nb::none(),
        "The program that seeds the device's generators; values drawn here take their seed from each call.");
    operation(
        m, "moe",
        [](const Tensor& input, const Tensor& expert_mask, const Tensor& topk_mask, std::uint32_t k,
           const OptionalMemoryConfig& memory_config, const OptionalTensor& output) {
            return moe(input, expert_mask, topk_mask, k, memory_config, output);
        },
        "input_tensor"_a, "expert_mask_tensor"_a, "topk_mask_tensor"_a, "k"_a = 32, nb::kw_only(),
        "memory_config"_a = nb::none(), "output_tensor"_a = nb::none(),
        "The weight of the first expert: of each row the softmax of the k largest of input + expert_mask, + "
        "topk_mask, as far as they are element 0. [N, C, H, W] to [N, C, H, 1], TILE, k 32.");
}

}  // namespace tilemeter::python
