// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Program configs, activations and core grids: what callers prescribe to operations.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "runtime/operations/core/attribute_text.hpp"
#include "runtime/operations/matmul/matmul_program_config.hpp"
#include "runtime/operations/work/compute_kernel_config.hpp"
#include "tools/python/bindings/base/bind.hpp"

namespace tilemeter::python {

using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace {

std::string text_of(const UnaryWithParam& activation) {
    std::string text =
        "UnaryWithParam(op_type=UnaryOpType::" + std::string(compute::name_of(activation.op_type));
    // The type says how many there are; those that were not given are 0.
    if (activation.parameters[0] != 0)
        text += ", params=[" + attribute_text(activation.parameters[0]) +
                (activation.parameters[1] != 0 ? ", " + attribute_text(activation.parameters[1]) : "") + "]";
    return text + ")";
}

void bind_activations(nb::module_& m) {
    nb::enum_<UnaryOpType> type(m, "UnaryOpType", "A function of one element.");
    for (int value = 0; value < static_cast<int>(compute::kNumUnaryKinds); ++value) {
        const auto kind = static_cast<UnaryOpType>(value);
        type.value(std::string(compute::name_of(kind)).c_str(), kind);
    }
    nb::enum_<GeluVariant>(m, "GeluVariant", "How gelu is computed.")
        .value("Accurate", GeluVariant::Accurate)
        .value("FastLut", GeluVariant::FastLut)
        .value("Tanh", GeluVariant::Tanh);
    nb::class_<UnaryWithParam>(m, "UnaryWithParam", "A function of one element with its parameters.")
        .def(
            "__init__",
            [](UnaryWithParam* self, UnaryOpType op_type, float first, float second) {
                new (self) UnaryWithParam{op_type, {first, second}};
            },
            "op_type"_a, "param"_a = 0.0F, "second"_a = 0.0F)
        .def("__init__",
             [](UnaryWithParam* self, const std::pair<UnaryOpType, float>& both) {
                 new (self) UnaryWithParam{both.first, {both.second, 0.0F}};
             })
        .def_ro("op_type", &UnaryWithParam::op_type)
        .def_prop_ro(
            "params",
            [](const UnaryWithParam& self) {
                std::vector<float> given(self.parameters.begin(), self.parameters.end());
                while (!given.empty() && given.back() == 0)
                    given.pop_back();
                return given;
            },
            "Its parameters without zeros at the end.")
        .def("__repr__", [](const UnaryWithParam& self) { return text_of(self); })
        .def(
            "__eq__", [](const UnaryWithParam& a, const UnaryWithParam& b) { return a == b; },
            nb::is_operator())
        .def("__hash__", [](const UnaryWithParam& self) { return static_cast<int>(self.op_type); });
    nb::implicitly_convertible<UnaryOpType, UnaryWithParam>();
    nb::implicitly_convertible<nb::tuple, UnaryWithParam>();
    nb::implicitly_convertible<nb::list, UnaryWithParam>();
}

void bind_kernel_config(nb::module_& m) {
    nb::enum_<MathFidelity>(m, "MathFidelity", "How many passes a device's multiplication takes.")
        .value("LoFi", MathFidelity::LoFi)
        .value("HiFi2", MathFidelity::HiFi2)
        .value("HiFi3", MathFidelity::HiFi3)
        .value("HiFi4", MathFidelity::HiFi4);
    using Config = DeviceComputeKernelConfig;
    // throttle_level is kept on the object in Python (types.py): it slows products down and occupies nothing.
    nb::class_<Config>(m, "WormholeComputeKernelConfig", nb::dynamic_attr(), "How kernels compute.")
        .def(
            "__init__",
            [](nb::pointer_and_handle<Config> self, MathFidelity fidelity, bool approximate, bool fp32_dest,
               bool packer_l1, bool full_sync, nb::handle throttle_level) {
                new (self.p) Config{fidelity, approximate, fp32_dest, packer_l1, full_sync};
                if (!throttle_level.is_none()) self.h.attr("throttle_level") = throttle_level;
            },
            nb::kw_only(), "math_fidelity"_a = MathFidelity::LoFi, "math_approx_mode"_a = true,
            "fp32_dest_acc_en"_a = false, "packer_l1_acc"_a = false, "dst_full_sync_en"_a = false,
            "throttle_level"_a = nb::none())
        .def_rw("math_fidelity", &Config::math_fidelity)
        .def_rw("math_approx_mode", &Config::math_approx_mode)
        .def_rw("fp32_dest_acc_en", &Config::fp32_dest_acc_en)
        .def_rw("packer_l1_acc", &Config::packer_l1_acc)
        .def_rw("dst_full_sync_en", &Config::dst_full_sync_en)
        .def("__repr__", [](const Config& self) { return attribute_text(self); });
}

/// "Name(a=1,b=2)": a config in TT-NN's words.
class ConfigText {
public:
    explicit ConfigText(const char* name) : text_(name) { text_ += '('; }
    ConfigText& add(const char* key, const std::string& value) {
        if (text_.back() != '(') text_ += ',';
        text_ += std::string(key) + '=' + value;
        return *this;
    }
    ConfigText& add(const char* key, std::uint64_t value) { return add(key, std::to_string(value)); }
    ConfigText& add(const char* key, CoreCoord cores) {
        return add(key, std::to_string(cores.x) + "-" + std::to_string(cores.y));
    }
    ConfigText& add(const char* key, const std::optional<UnaryWithParam>& activation) {
        return add(key, activation ? text_of(*activation) : "std::nullopt");
    }
    std::string text() const { return text_ + ')'; }

private:
    std::string text_;
};

/// The common fields of all but the plain config.
template <typename Config>
ConfigText begun(const char* name, const Config& config) {
    ConfigText text(name);
    text.add("compute_with_storage_grid_size", config.compute_with_storage_grid_size)
        .add("in0_block_w", config.in0_block_w)
        .add("out_subblock_h", config.out_subblock_h)
        .add("out_subblock_w", config.out_subblock_w);
    return text;
}

template <typename Config>
void add_blocks(ConfigText& text, const Config& config) {
    text.add("out_block_h", config.out_block_h != 0 ? config.out_block_h : config.per_core_M)
        .add("out_block_w", config.out_block_w != 0 ? config.out_block_w : config.per_core_N);
}

std::string text_of(const MatmulMultiCoreProgramConfig&) {
    return "MatmulMultiCoreProgramConfig()";
}
std::string text_of(const MatmulMultiCoreReuseProgramConfig& config) {
    return begun("MatmulMultiCoreReuseProgramConfig", config)
        .add("per_core_M", config.per_core_M)
        .add("per_core_N", config.per_core_N)
        .add("allowed_worker_cores", "std::nullopt")
        .text();
}
std::string text_of(const MatmulMultiCoreReuseMultiCastProgramConfig& config) {
    ConfigText text = begun("MatmulMultiCoreReuseMultiCastProgramConfig", config);
    add_blocks(text, config);
    return text.add("per_core_M", config.per_core_M)
        .add("per_core_N", config.per_core_N)
        .add("transpose_mcast", std::uint64_t{config.transpose_mcast})
        .add("fused_activation", config.fused_activation)
        .add("fuse_batch", std::uint64_t{config.fuse_batch})
        .add("allowed_worker_cores", "std::nullopt")
        .text();
}
std::string text_of(const MatmulMultiCoreReuseMultiCast1DProgramConfig& config) {
    ConfigText text = begun("MatmulMultiCoreReuseMultiCast1DProgramConfig", config);
    add_blocks(text, config);
    return text.add("per_core_M", config.per_core_M)
        .add("per_core_N", config.per_core_N)
        .add("fuse_batch", std::uint64_t{config.fuse_batch})
        .add("fused_activation", config.fused_activation)
        .add("mcast_in0", std::uint64_t{config.mcast_in0})
        .add("gather_in0", std::uint64_t{0})
        .add("hop_cores", "{}")
        .add("num_global_cb_receivers", std::uint64_t{1})
        .add("untilize_out", std::uint64_t{0})
        .add("allowed_worker_cores", "std::nullopt")
        .add("stream_in1", std::uint64_t{0})
        .text();
}

std::string text_of(const MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig& config) {
    return ConfigText("MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig")
        .add("in0_block_w", config.in0_block_w)
        .add("per_core_M", config.per_core_M)
        .add("per_core_N", config.per_core_N)
        .add("fused_activation", config.fused_activation)
        .add("num_workers_per_dram_bank", config.num_workers_per_dram_bank)
        .text();
}

std::string text_of(const MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig& config) {
    return ConfigText("MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig")
        .add("in0_block_w", config.in0_block_w)
        .add("per_core_M", config.per_core_M)
        .add("per_core_N", config.per_core_N)
        .add("fused_activation", config.fused_activation)
        .text();
}

template <typename Config>
void with_text(nb::class_<Config>& bound) {
    bound.def("__repr__", [](const Config& self) { return text_of(self); });
}

/// Taken for TT-NN's sake; what it changes is not modelled.
void refuse_worker_cores(nb::handle allowed_worker_cores) {
    if (!allowed_worker_cores.is_none())
        throw std::runtime_error(
            "allowed_worker_cores: expected None, other choices of cores are not modelled");
}

/// A ring of cores that pass in0 on, or read in1 from a global buffer, has other programs than the ones planned here.
void refuse_ring(bool gather_in0, nb::handle hop_cores, std::uint64_t global_receivers, bool untilize_out,
                 bool stream_in1) {
    const auto refuse = [](const char* name) {
        throw std::runtime_error("MatmulMultiCoreReuseMultiCast1DProgramConfig: " + std::string(name) +
                                 ": products in a ring of cores are not modelled");
    };
    if (gather_in0) refuse("gather_in0");
    if (!hop_cores.is_none() && nb::cast<CoreRangeSet>(hop_cores).num_cores() > 0) refuse("hop_cores");
    if (global_receivers > 1) refuse("num_global_cb_receivers");
    if (untilize_out) refuse("untilize_out");
    if (stream_in1) refuse("stream_in1");
}

/// The fields that all but the plain config have; they can be changed, as TT-NN's.
template <typename Config>
void with_sizes(nb::class_<Config>& bound) {
    bound.def_rw("compute_with_storage_grid_size", &Config::compute_with_storage_grid_size)
        .def_rw("in0_block_w", &Config::in0_block_w)
        .def_rw("out_subblock_h", &Config::out_subblock_h)
        .def_rw("out_subblock_w", &Config::out_subblock_w)
        .def_rw("per_core_M", &Config::per_core_M)
        .def_rw("per_core_N", &Config::per_core_N);
}

/// Blocks are those of a core unless they were given.
template <typename Config>
void with_blocks(nb::class_<Config>& bound) {
    bound
        .def_prop_rw(
            "out_block_h",
            [](const Config& self) { return self.out_block_h != 0 ? self.out_block_h : self.per_core_M; },
            [](Config& self, std::uint64_t tiles) { self.out_block_h = tiles; })
        .def_prop_rw(
            "out_block_w",
            [](const Config& self) { return self.out_block_w != 0 ? self.out_block_w : self.per_core_N; },
            [](Config& self, std::uint64_t tiles) { self.out_block_w = tiles; })
        .def_rw("fuse_batch", &Config::fuse_batch)
        .def_prop_rw(
            "fused_activation", [](const Config& self) { return self.fused_activation; },
            [](Config& self, const std::optional<UnaryWithParam>& activation) {
                self.fused_activation = activation;
            },
            nb::arg("activation").none());
}

void bind_matmul_configs(nb::module_& m) {
    using Reuse = MatmulMultiCoreReuseProgramConfig;
    using TwoDimensional = MatmulMultiCoreReuseMultiCastProgramConfig;
    using OneDimensional = MatmulMultiCoreReuseMultiCast1DProgramConfig;
    using Size = std::optional<std::uint64_t>;
    using Activation = std::optional<UnaryWithParam>;

    nb::class_<MatmulMultiCoreProgramConfig> plain(m, "MatmulMultiCoreProgramConfig",
                                                   "One tile of the result at a time, on any core.");
    plain.def(nb::init<>());
    with_text(plain);
    nb::class_<Reuse> reuse(m, "MatmulMultiCoreReuseProgramConfig",
                            "Each core makes whole products. Sizes in tiles.");
    reuse.def(
        "__init__",
        [](Reuse* self, CoreCoord grid, std::uint64_t in0_block_w, std::uint64_t out_subblock_h,
           std::uint64_t out_subblock_w, std::uint64_t per_core_m, std::uint64_t per_core_n,
           nb::handle allowed_worker_cores) {
            refuse_worker_cores(allowed_worker_cores);
            new (self) Reuse{grid, in0_block_w, out_subblock_h, out_subblock_w, per_core_m, per_core_n};
        },
        nb::kw_only(), "compute_with_storage_grid_size"_a, "in0_block_w"_a, "out_subblock_h"_a,
        "out_subblock_w"_a, "per_core_M"_a, "per_core_N"_a, "allowed_worker_cores"_a = nb::none());
    with_text(reuse);
    with_sizes(reuse);
    nb::class_<TwoDimensional> two(m, "MatmulMultiCoreReuseMultiCastProgramConfig",
                                   "Rows and columns of cores share operands. Sizes in tiles.");
    two.def(
        "__init__",
        [](TwoDimensional* self, CoreCoord grid, std::uint64_t in0_block_w, std::uint64_t out_subblock_h,
           std::uint64_t out_subblock_w, Size out_block_h, Size out_block_w, std::uint64_t per_core_m,
           std::uint64_t per_core_n, bool transpose_mcast, const Activation& fused_activation,
           bool fuse_batch, nb::handle allowed_worker_cores) {
            refuse_worker_cores(allowed_worker_cores);
            new (self) TwoDimensional{grid,
                                      in0_block_w,
                                      out_subblock_h,
                                      out_subblock_w,
                                      out_block_h.value_or(0),
                                      out_block_w.value_or(0),
                                      per_core_m,
                                      per_core_n,
                                      transpose_mcast,
                                      fused_activation,
                                      fuse_batch};
        },
        nb::kw_only(), "compute_with_storage_grid_size"_a, "in0_block_w"_a, "out_subblock_h"_a,
        "out_subblock_w"_a, "out_block_h"_a = nb::none(), "out_block_w"_a = nb::none(), "per_core_M"_a,
        "per_core_N"_a, "transpose_mcast"_a, "fused_activation"_a = nb::none(), "fuse_batch"_a = true,
        "allowed_worker_cores"_a = nb::none());
    with_text(two);
    with_sizes(two);
    with_blocks(two);
    two.def_rw("transpose_mcast", &TwoDimensional::transpose_mcast);
    nb::class_<OneDimensional> one(m, "MatmulMultiCoreReuseMultiCast1DProgramConfig",
                                   "All cores share one operand. Sizes in tiles.");
    one.def(
        "__init__",
        [](OneDimensional* self, CoreCoord grid, std::uint64_t in0_block_w, std::uint64_t out_subblock_h,
           std::uint64_t out_subblock_w, Size out_block_h, Size out_block_w, std::uint64_t per_core_m,
           std::uint64_t per_core_n, bool fuse_batch, const Activation& fused_activation, bool mcast_in0,
           bool gather_in0, nb::handle hop_cores, std::uint64_t global_receivers, bool untilize_out,
           nb::handle allowed_worker_cores, bool stream_in1) {
            refuse_worker_cores(allowed_worker_cores);
            refuse_ring(gather_in0, hop_cores, global_receivers, untilize_out, stream_in1);
            new (self) OneDimensional{grid,
                                      in0_block_w,
                                      out_subblock_h,
                                      out_subblock_w,
                                      out_block_h.value_or(0),
                                      out_block_w.value_or(0),
                                      per_core_m,
                                      per_core_n,
                                      fuse_batch,
                                      fused_activation,
                                      mcast_in0};
        },
        nb::kw_only(), "compute_with_storage_grid_size"_a, "in0_block_w"_a, "out_subblock_h"_a,
        "out_subblock_w"_a, "out_block_h"_a = nb::none(), "out_block_w"_a = nb::none(), "per_core_M"_a,
        "per_core_N"_a, "fuse_batch"_a, "fused_activation"_a = nb::none(), "mcast_in0"_a,
        "gather_in0"_a = false, "hop_cores"_a = nb::none(), "num_global_cb_receivers"_a = 1,
        "untilize_out"_a = false, "allowed_worker_cores"_a = nb::none(), "stream_in1"_a = false);
    with_text(one);
    with_sizes(one);
    with_blocks(one);
    one.def_rw("mcast_in0", &OneDimensional::mcast_in0);
    using DramSharded = MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig;
    nb::class_<DramSharded> dram(
        m, "MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig",
        "One row of tiles times weights in shards in DRAM, each read by the core next to "
        "its bank. Sizes in tiles.");
    dram.def(
            "__init__",
            [](DramSharded* self, std::uint64_t in0_block_w, std::uint64_t per_core_m,
               std::uint64_t per_core_n, const Activation& fused_activation, std::uint64_t workers) {
                new (self) DramSharded{in0_block_w, per_core_m, per_core_n, fused_activation, workers};
            },
            nb::kw_only(), "in0_block_w"_a, "per_core_M"_a, "per_core_N"_a, "fused_activation"_a = nb::none(),
            "num_workers_per_dram_bank"_a = 1)
        .def_rw("in0_block_w", &DramSharded::in0_block_w)
        .def_rw("per_core_M", &DramSharded::per_core_M)
        .def_rw("per_core_N", &DramSharded::per_core_N)
        .def_rw("fused_activation", &DramSharded::fused_activation, nb::arg().none())
        .def_rw("num_workers_per_dram_bank", &DramSharded::num_workers_per_dram_bank);
    with_text(dram);
    using Batched = MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig;
    nb::class_<Batched> batched(
        m, "MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig",
        "Batches in height shards, those of the weights in DRAM, each read by the core next to its bank. Sizes in "
        "tiles, of a batch.");
    batched
        .def(
            "__init__",
            [](Batched* self, std::uint64_t in0_block_w, std::uint64_t per_core_m, std::uint64_t per_core_n,
               const Activation& fused_activation) {
                new (self) Batched{in0_block_w, per_core_m, per_core_n, fused_activation};
            },
            nb::kw_only(), "in0_block_w"_a, "per_core_M"_a, "per_core_N"_a, "fused_activation"_a = nb::none())
        .def_rw("in0_block_w", &Batched::in0_block_w)
        .def_rw("per_core_M", &Batched::per_core_M)
        .def_rw("per_core_N", &Batched::per_core_N)
        .def_rw("fused_activation", &Batched::fused_activation, nb::arg().none());
    with_text(batched);
}

}  // namespace

void bind_configs(nb::module_& module) {
    nb::class_<CoreGrid>(module, "CoreGrid", "A number of columns and rows of cores.")
        .def(
            "__init__",
            [](CoreGrid* self, std::uint32_t x, std::uint32_t y) {
                new (self) CoreGrid{x, y};
            },
            nb::kw_only(), "x"_a, "y"_a)
        .def_ro("x", &CoreGrid::x)
        .def_ro("y", &CoreGrid::y)
        .def_prop_ro("num_cores", [](const CoreGrid& self) { return self.x * self.y; })
        .def(
            "__eq__", [](const CoreGrid& a, const CoreGrid& b) { return a == b; }, nb::is_operator())
        .def("__hash__", [](const CoreGrid& self) { return self.y * 4096 + self.x; })
        .def("__repr__", [](const CoreGrid& self) {
            return "ttnn.CoreGrid(x=" + std::to_string(self.x) + ", y=" + std::to_string(self.y) + ")";
        });
    bind_activations(module);
    bind_kernel_config(module);
    bind_matmul_configs(module);
}

}  // namespace tilemeter::python
