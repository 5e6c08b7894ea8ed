// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/moreh_clip_grad_norm.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/creation/creation.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/moreh/internal/moreh_program.hpp"
#include "runtime/operations/work/column_cores.hpp"

namespace tilemeter {

namespace {

void require_gradients(SpecsView specs, const std::string& what) {
    for (const TensorSpec& each : specs)
        require_moreh_dtype(each, what, {DataType::BFLOAT16});
}

/// The sums of powers of several gradients, a tile for each, among those of others.
struct SumsOfPowers {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehClipGradNormStep1Operation";

    float norm_type;
    std::uint32_t first;  ///< the place of their sums
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    TensorSpec sums;

    auto attributes() const { return std::tie(norm_type, first, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_gradients(inputs.first(inputs.size() - 1), "moreh_clip_grad_norm_step1 input");
        require_gradients(inputs.last(1), "moreh_clip_grad_norm_step1 tmp_pow_sum");
    }
    void validate_program(SpecsView inputs, const DeviceDescription&) const {
        for (const TensorSpec& each : inputs.first(inputs.size() - 1)) {
            const std::size_t rank = each.shape.rank(), read = std::max<std::size_t>(rank, 2);
            require(rank > 3, "ShapeBase[] index out of range. ", read, " not in [-4, ", rank, ")");
        }
    }
    TensorSpecs infer(SpecsView) const { return {sums}; }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        std::vector<std::uint64_t> sizes(11, tile_size(outputs[0].dtype));
        sizes[3] *= 2;
        return {
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_clip_grad_norm_step1::"
             "MorehClipGradNormStep1Operation>::DirectDescriptorFactory",
             0},
            circular_buffers(sizes, whole_columns_and_rest(inputs.size() - 1, device))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<float> made = inputs[inputs.size() - 1]->to_floats();
        for (std::size_t i = 0; i + 1 < inputs.size(); ++i) {
            double sum = 0.0;
            for (const float each : inputs[i]->to_floats())
                sum += std::pow(std::abs(static_cast<double>(each)), norm_type);
            made[first + i] = static_cast<float>(sum);
        }
        return {HostArray::from_floats(made, outputs[0].dtype, outputs[0].shape)};
    }
};

/// The root of their sum.
struct RootOfSums {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehClipGradNormStep2Operation";

    float norm_type;
    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;
    std::optional<TensorSpec> total_norm;

    auto attributes() const { return std::tie(norm_type, memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_gradients(inputs, "moreh_clip_grad_norm_step2 tmp_pow_sum");
        if (total_norm)
            require_gradients(SpecsView(&*total_norm, 1), "moreh_clip_grad_norm_step2 total_norm");
    }
    TensorSpecs infer(SpecsView inputs) const {
        return {total_norm.value_or(TensorSpec{Shape{1, 1}, inputs[0].dtype, Layout::TILE, memory_config})};
    }
    ProgramPlan plan(SpecsView, SpecsView outputs, const DeviceDescription& device) const {
        constexpr std::size_t kBuffers = 7;
        return {
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_clip_grad_norm_step2::"
             "MorehClipGradNormStep2Operation>::DirectDescriptorFactory",
             0},
            circular_buffers(std::vector<std::uint64_t>(kBuffers, tile_size(outputs[0].dtype)),
                             whole_columns_and_rest(1, device))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        double sum = 0.0;
        for (const float each : inputs[0]->to_floats())
            sum += each;
        std::vector<float> made(outputs[0].shape.volume());
        if (!made.empty()) made[0] = static_cast<float>(std::pow(sum, 1.0 / norm_type));
        return {HostArray::from_floats(made, outputs[0].dtype, outputs[0].shape)};
    }
};

/// Gradients times one number, in place.
struct Shortening {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "MorehClipGradNormStep3Operation";

    MemoryConfig memory_config;
    DeviceComputeKernelConfig kernels;

    auto attributes() const { return std::tie(memory_config, kernels); }

    void validate(SpecsView inputs) const {
        require_gradients(inputs.first(inputs.size() - 1), "moreh_clip_grad_norm_step3 input");
        require_gradients(inputs.last(1), "moreh_clip_grad_norm_step3 clip_coef_clamped");
    }
    TensorSpecs infer(SpecsView inputs) const { return {inputs.begin(), inputs.end() - 1}; }
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        return {
            {"ttnn::device_operation::MeshDeviceOperationAdapter<ttnn::operations::moreh::moreh_clip_grad_norm_step3::"
             "MorehClipGradNormStep3Operation>::DirectDescriptorFactory",
             0},
            circular_buffers(std::vector<std::uint64_t>(3, tile_size(outputs[0].dtype)),
                             whole_columns_and_rest(inputs.size() - 1, device))};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        const float factor = inputs[inputs.size() - 1]->to_floats().at(0);
        std::vector<HostArray> made;
        for (const TensorSpec& output : outputs) {
            std::vector<float> values = inputs[made.size()]->to_floats();
            for (float& each : values)
                each *= factor;
            made.push_back(HostArray::from_floats(values, output.dtype, output.shape));
        }
        return made;
    }
};

[[noreturn]] void refuse_norm(float norm_type) {
    refuse_with(
        "The total norm of order ", attribute_text(norm_type),
        " for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the "
        "gradients by the non-finite norm anyway, set `error_if_nonfinite=False`");
}

Tensor number(float value, const Tensor& like) {
    Full full;
    full.shape = Shape{1};
    full.fill_value = value;
    full.dtype = like.dtype();
    full.layout = Layout::TILE;
    full.device = like.shared_device();
    return full.body();
}

}  // namespace

Tensor MorehClipGradNorm::body() const {
    if (error_if_nonfinite && std::isnan(norm_type)) refuse_norm(norm_type);
    require(!inputs.empty(), "vector::_M_range_check: __n (which is 0) >= this->size() (which is 0)");
    const Tensor& like = inputs[0];
    require_on_device(like, "moreh_clip_grad_norm", "input");
    const DeviceComputeKernelConfig kernels = compute_kernel_config.value_or(kMorehKernels);
    const MemoryConfig config = memory_config.value_or(like.memory_config());
    const auto count = static_cast<std::uint32_t>(inputs.size());
    const ScopedTensor sums(create_device_tensor(
        TensorSpec{Shape{count, 1, 1}, like.dtype(), Layout::TILE, config}, like.shared_device()));

    // As many at once as there are cores.
    const std::size_t most = like.device().description().num_compute_cores();
    const auto for_each_part = [&](const Tensor& last, const auto& launch_part) {
        for (std::size_t first = 0; first < count; first += most) {
            const std::span<const Tensor> part =
                std::span(inputs).subspan(first, std::min(most, count - first));
            std::vector<Tensor> tensors(part.begin(), part.end());
            tensors.push_back(last);
            launch_part(first, tensors);
        }
    };
    for_each_part(*sums, [&](std::size_t first, const std::vector<Tensor>& tensors) {
        launch_into(SumsOfPowers{norm_type, static_cast<std::uint32_t>(first), config, kernels, sums->spec()},
                    tensors, *sums);
    });
    const RootOfSums root{norm_type, memory_config.value_or(sums->memory_config()), kernels,
                          spec_of(total_norm)};
    Tensor norm = launch(root, {*sums}, total_norm);
    if (error_if_nonfinite) {
        const Tensor on_host = download(norm);
        if (on_host.has_values() && !std::isfinite(on_host.to_vector<float>().at(0))) refuse_norm(norm_type);
    }

    ScopedTensor longest(number(max_norm, like));
    const ScopedTensor norm_and_little(unscoped::binary(BinaryKind::kAdd, norm, Scalar(1e-6F)));
    const ScopedTensor factor(unscoped::binary(BinaryKind::kDivide, *longest, *norm_and_little));
    ScopedTensor one(number(1.0F, like));
    const ScopedTensor clamped(unscoped::binary(BinaryKind::kMinimum, *factor, *one));
    one.take().deallocate();
    longest.take().deallocate();
    for_each_part(*clamped, [&](std::size_t, const std::vector<Tensor>& tensors) {
        launch_all(Shortening{config, kernels}, tensors, {tensors.begin(), tensors.end() - 1});
    });
    return norm;
}

}  // namespace tilemeter
