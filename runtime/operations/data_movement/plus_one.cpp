// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/data_movement/plus_one.hpp"

#include <tuple>
#include <vector>

#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/work/tensor_pages.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

namespace {

struct PlusOneOperation {
    static constexpr std::string_view kName = "PlusOneDeviceOperation";
    static constexpr std::string_view kAttributesName = "PlusoneParams";

    OptionalCores sub_core_grids;
    bool skip_negative_entries;

    auto attributes() const { return std::tie(sub_core_grids, skip_negative_entries); }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const TensorSpec& input = inputs[0];
        require(input.dtype == DataType::INT32 || input.dtype == DataType::UINT32,
                "Only INT32 and UINT32 is supported for inputs!");
        require(input.layout == Layout::ROW_MAJOR, "plus_one: input_tensor: expected ROW_MAJOR layout, got ",
                name_of(input.layout));
        require_on_grid(sub_core_grids, device.compute_grid, "PlusOne");
    }
    TensorSpecs infer(SpecsView inputs) const { return {inputs[0]}; }
    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription&) const {
        constexpr std::uint64_t kAlignment = 32;
        const CoreCoord core = sub_core_grids ? sub_core_grids->ranges().front().start : CoreCoord{0, 0};
        return {{"ttnn::experimental::prim::PlusOneProgramFactory", 0},
                {dataflow_buffer(round_up(row_bytes(inputs[0]), kAlignment), CoreRange{core, core})}};
    }
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        std::vector<std::int64_t> values = inputs[0]->to_integers();
        for (std::int64_t& value : values) {
            if (value >= 0 || !skip_negative_entries) ++value;
        }
        return {HostArray::from_integers(values, outputs[0].dtype, outputs[0].shape)};
    }
};

}  // namespace

Tensor PlusOne::body() const {
    require_on_device(input_tensor, "plus_one", "input_tensor");
    return launch_into(PlusOneOperation{sub_core_grids, skip_negative_entries}, {input_tensor}, input_tensor);
}

}  // namespace tilemeter
