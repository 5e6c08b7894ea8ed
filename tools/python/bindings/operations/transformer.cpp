// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters of attention.

#include <string>

#include "runtime/operations/transformer/attention.hpp"
#include "runtime/operations/transformer/indexer_score.hpp"
#include "tools/python/bindings/base/bind.hpp"
#include "tools/python/bindings/base/operation.hpp"

namespace tilemeter::python {

namespace {

void bind_attention_config(nb::module_& m) {
    nb::class_<IndexerScoreProgramConfig>(
        m, "IndexerScoreProgramConfig",
        "The spread of indexer_score_dsa: rows of q and of k at a time, heads at once (0: all).")
        .def(nb::init<std::uint32_t, std::uint32_t, std::uint32_t>(), nb::kw_only(),
             nb::arg("q_chunk_size") = 32, nb::arg("k_chunk_size") = 32, nb::arg("head_group_size") = 1)
        .def_rw("q_chunk_size", &IndexerScoreProgramConfig::q_chunk_size)
        .def_rw("k_chunk_size", &IndexerScoreProgramConfig::k_chunk_size)
        .def_rw("head_group_size", &IndexerScoreProgramConfig::head_group_size)
        .def("__repr__", [](const IndexerScoreProgramConfig& self) {
            return "IndexerScoreProgramConfig(q_chunk_size=" + std::to_string(self.q_chunk_size) +
                   ", k_chunk_size=" + std::to_string(self.k_chunk_size) +
                   ", head_group_size=" + std::to_string(self.head_group_size) + ")";
        });
    nb::class_<SDPAProgramConfig>(m, "SDPAProgramConfig",
                                  "How attention is spread over cores; chunks in rows.")
        .def(
            "__init__",
            [](SDPAProgramConfig* self, CoreCoord grid, nb::handle, std::uint32_t q_chunk_size,
               std::uint32_t k_chunk_size, std::optional<bool> exp_approx_mode,
               std::uint32_t max_cores_per_head_batch, std::uint32_t, nb::handle, bool) {
                new (self) SDPAProgramConfig{grid, q_chunk_size, k_chunk_size, exp_approx_mode,
                                             max_cores_per_head_batch};
            },
            nb::kw_only(), "compute_with_storage_grid_size"_a, "sub_core_grids"_a = nb::none(),
            "q_chunk_size"_a, "k_chunk_size"_a, "exp_approx_mode"_a = nb::none(),
            "max_cores_per_head_batch"_a = 16, "max_k_splits"_a = 1, "matmul_math_fidelity"_a = nb::none(),
            "segmented_accumulation"_a = false)
        .def_rw("compute_with_storage_grid_size", &SDPAProgramConfig::compute_with_storage_grid_size)
        .def_rw("q_chunk_size", &SDPAProgramConfig::q_chunk_size)
        .def_rw("k_chunk_size", &SDPAProgramConfig::k_chunk_size)
        .def_rw("exp_approx_mode", &SDPAProgramConfig::exp_approx_mode, nb::arg().none())
        .def_rw("max_cores_per_head_batch", &SDPAProgramConfig::max_cores_per_head_batch)
        .def("__repr__", [](const SDPAProgramConfig& self) {
            const CoreCoord grid = self.compute_with_storage_grid_size;
            return "SDPAProgramConfig(compute_with_storage_grid_size=" + std::to_string(grid.x) + "-" +
                   std::to_string(grid.y) +
                   ", sub_core_grids=std::nullopt, q_chunk_size=" + std::to_string(self.q_chunk_size) +
                   ", k_chunk_size=" + std::to_string(self.k_chunk_size) + ", exp_approx_mode=" +
                   (self.exp_approx_mode ? (*self.exp_approx_mode ? "true" : "false") : "std::nullopt") +
                   ", max_cores_per_head_batch=" + std::to_string(self.max_cores_per_head_batch) +
                   ", max_k_splits=1, matmul_math_fidelity=std::nullopt, segmented_accumulation=false)";
        });
}

}  // namespace

void bind_transformer_types(nb::module_& module) {
    bind_attention_config(module);
}

}  // namespace tilemeter::python
