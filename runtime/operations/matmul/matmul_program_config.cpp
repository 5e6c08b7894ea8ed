// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul_program_config.hpp"

#include <string_view>

#include "runtime/operations/core/attribute_text.hpp"

namespace tilemeter {

namespace {

/// Fields one after the other, as "name=value".
class Fields {
public:
    explicit Fields(std::string_view name) : text_(name) { text_ += "("; }

    template <typename T>
    Fields& add(std::string_view name, const T& value) {
        if (!first_) text_ += ",";
        first_ = false;
        text_ += name;
        text_ += "=";
        text_ += attribute_text(value);
        return *this;
    }
    Fields& add(std::string_view name, const std::optional<UnaryWithParam>& activation) {
        return add(name, activation ? std::string(compute::name_of(activation->op_type))
                                    : std::string("std::nullopt"));
    }
    template <typename Config>
    Fields& add_block(const Config& config) {
        return add("compute_with_storage_grid_size", config.compute_with_storage_grid_size)
            .add("in0_block_w", config.in0_block_w)
            .add("out_subblock_h", config.out_subblock_h)
            .add("out_subblock_w", config.out_subblock_w);
    }
    template <typename Config>
    Fields& add_share(const Config& config) {
        return add("out_block_h", config.out_block_h)
            .add("out_block_w", config.out_block_w)
            .add("per_core_M", config.per_core_M)
            .add("per_core_N", config.per_core_N);
    }
    std::string end() { return text_ + ")"; }

private:
    std::string text_;
    bool first_ = true;
};

struct Text {
    std::string operator()(const MatmulMultiCoreProgramConfig&) const {
        return Fields("MatmulMultiCoreProgramConfig").end();
    }
    std::string operator()(const MatmulMultiCoreReuseProgramConfig& config) const {
        return Fields("MatmulMultiCoreReuseProgramConfig")
            .add_block(config)
            .add("per_core_M", config.per_core_M)
            .add("per_core_N", config.per_core_N)
            .end();
    }
    std::string operator()(const MatmulMultiCoreReuseMultiCastProgramConfig& config) const {
        return Fields("MatmulMultiCoreReuseMultiCastProgramConfig")
            .add_block(config)
            .add_share(config)
            .add("transpose_mcast", config.transpose_mcast)
            .add("fused_activation", config.fused_activation)
            .add("fuse_batch", config.fuse_batch)
            .end();
    }
    std::string operator()(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) const {
        return Fields("MatmulMultiCoreReuseMultiCast1DProgramConfig")
            .add_block(config)
            .add_share(config)
            .add("fuse_batch", config.fuse_batch)
            .add("fused_activation", config.fused_activation)
            .add("mcast_in0", config.mcast_in0)
            .end();
    }
    std::string operator()(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) const {
        return Fields("MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig")
            .add("in0_block_w", config.in0_block_w)
            .add("per_core_M", config.per_core_M)
            .add("per_core_N", config.per_core_N)
            .add("fused_activation", config.fused_activation)
            .add("num_workers_per_dram_bank", config.num_workers_per_dram_bank)
            .end();
    }
    std::string operator()(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config) const {
        return Fields("MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig")
            .add("in0_block_w", config.in0_block_w)
            .add("per_core_M", config.per_core_M)
            .add("per_core_N", config.per_core_N)
            .add("fused_activation", config.fused_activation)
            .end();
    }
};

}  // namespace

std::string to_string(const MatmulProgramConfig& config) {
    return std::visit(Text{}, config);
}

}  // namespace tilemeter
