// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/answers/query_config.hpp"

#include <variant>

#include <nanobind/stl/variant.h>

#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/normalization/normalization.hpp"
#include "runtime/operations/normalization/softmax.hpp"
#include "runtime/operations/sliding_window/conv2d_config.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

namespace {

nb::object made(const char* type, const nb::dict& fields) {
    nb::module_ configs = nb::module_::import_("tilemeter._src.types.program_configs");
    return configs.attr(type)(**fields);
}

}  // namespace

nb::object config_object(const std::any& config) {
    if (const auto* matmul = std::any_cast<MatmulProgramConfig>(&config))
        return std::visit([](const auto& each) { return nb::cast(each); }, *matmul);
    if (const auto* conv = std::any_cast<Conv2dConfig>(&config)) return nb::cast(*conv);
    using LayerNormConfig =
        std::variant<LayerNormDefaultProgramConfig, LayerNormShardedMultiCoreProgramConfig>;
    if (const auto* norm = std::any_cast<LayerNormConfig>(&config)) {
        nb::dict fields;
        if (const auto* shards = std::get_if<LayerNormShardedMultiCoreProgramConfig>(norm)) {
            fields["compute_with_storage_grid_size"] = nb::cast(shards->compute_with_storage_grid_size);
            fields["subblock_w"] = shards->subblock_w;
            fields["block_h"] = shards->block_h;
            fields["block_w"] = shards->block_w;
            fields["inplace"] = shards->inplace;
            fields["use_welford"] = shards->use_welford;
            return made("LayerNormShardedMultiCoreProgramConfig", fields);
        }
        fields["use_welford"] = std::get<LayerNormDefaultProgramConfig>(*norm).use_welford;
        return made("LayerNormDefaultProgramConfig", fields);
    }
    if (const auto* softmax = std::any_cast<OptionalSoftmaxProgramConfig>(&config)) {
        nb::dict fields;
        if (!*softmax) return made("SoftmaxDefaultProgramConfig", fields);
        fields["compute_with_storage_grid_size"] = nb::cast((*softmax)->compute_with_storage_grid_size);
        fields["subblock_w"] = (*softmax)->subblock_w;
        fields["block_h"] = (*softmax)->block_h;
        fields["block_w"] = (*softmax)->block_w;
        return made("SoftmaxShardedMultiCoreProgramConfig", fields);
    }
    return nb::none();
}

}  // namespace tilemeter::python
