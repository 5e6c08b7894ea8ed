// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/eltwise/creation_like.hpp"

#include <tuple>
#include <vector>

#include "runtime/device/device.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/eltwise/unary.hpp"

namespace tilemeter {

namespace {

Tensor made_on_host(const TensorSpec& spec, float value) {
    return host_or_planned(spec, [spec, value] {
        return HostArray::from_floats(std::vector<float>(spec.shape.volume(), value), spec.dtype, spec.shape);
    });
}

// True if an element-wise program can overwrite it: a device makes a tensor like that itself.
bool device_can_fill(const Tensor& like, const TensorSpec& spec) {
    const bool floating =
        is_block_float(spec.dtype) || spec.dtype == DataType::BFLOAT16 || spec.dtype == DataType::FLOAT32;
    return like.storage_type() == StorageType::DEVICE && like.layout() == Layout::TILE && floating &&
           spec.layout == like.layout() && spec.dtype == like.dtype();
}

struct Likeness {
    TensorSpec spec;
    OptionalDevice device;
};

Likeness likeness_of(const LikeArguments& call) {
    const Tensor& like = call.tensor;
    const bool on_device = like.storage_type() == StorageType::DEVICE;
    return {TensorSpec{like.shape(), call.dtype.value_or(like.dtype()), call.layout.value_or(like.layout()),
                       call.memory_config.value_or(on_device ? like.memory_config() : DRAM_MEMORY_CONFIG)},
            call.device || !on_device ? call.device : like.shared_device()};
}

Tensor filled(const LikeArguments& call, float value, const OptionalTensor& into) {
    const Tensor& like = call.tensor;
    const auto [spec, place] = likeness_of(call);
    if (device_can_fill(like, spec) && place == like.shared_device())
        return unscoped::unary({UnaryOpType::FILL, {value}}, like, spec.memory_config, into);
    if (is_block_float(spec.dtype)) {  // TT-NN makes float32 first, and shows it
        static const record::TextId kConversion = record::intern("tt::tt_metal::to_dtype");
        in_scope(kConversion, std::tie(spec.dtype), [] {});
    }
    const Tensor host = made_on_host({spec.shape, spec.dtype, spec.layout, DRAM_MEMORY_CONFIG}, value);
    if (into) {
        overwrite(host, *into);
        return *into;
    }
    return place ? upload(host, place, spec.memory_config) : host;
}

}  // namespace

Tensor unscoped::full_like(const Tensor& like, float value, const OptionalMemoryConfig& memory_config) {
    return filled({.tensor = like, .memory_config = memory_config}, value, std::nullopt);
}

Tensor FilledLike::body() const {
    return filled(*this, row->value, optional_tensor);
}

Tensor FullLike::body() const {
    return filled(*this, fill_value, optional_tensor);
}

Tensor EmptyLike::body() const {
    const auto [spec, place] = likeness_of(*this);
    require(place != nullptr, "empty_like: expected a device, or a tensor on one");
    return create_device_tensor(spec, place);
}

}  // namespace tilemeter
