// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/ccl/token_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/device/buffer_geometry.hpp"
#include "runtime/device/device.hpp"
#include "runtime/operations/ccl/internal/rings.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/moreh/moreh_creation.hpp"
#include "runtime/operations/work/program_pieces.hpp"
#include "runtime/operations/work/tensor_pages.hpp"

namespace tilemeter {

namespace {

constexpr std::uint64_t kHeadersHeld = 2;  ///< of packets, in a program that dispatches
constexpr std::uint64_t kClientInterface =
    3280;  ///< bytes by which a program that combines speaks to the fabric
constexpr std::uint64_t kClientInterfaces = 3;

void require_rows(const char* operation, const char* name, const TensorSpec& spec, DataType dtype) {
    require(spec.layout == Layout::ROW_MAJOR && spec.dtype == dtype && spec.shape.rank() == 4, operation,
            ": ", name, ": expected ", name_of(dtype), " of four dimensions in ROW_MAJOR, got ",
            name_of(spec.dtype), " ", spec.shape, " in ", name_of(spec.layout));
}

// The only axis along which the chips exchange. Throws RuntimeError.
Rings ring_of_tokens(const Tensor& input, std::optional<int> cluster_axis) {
    const std::vector<Rings> rings = rings_of(input, cluster_axis);
    const Rings all = rings.size() == 1 ? rings[0] : Rings{input.device().mesh_shape(), std::nullopt};
    require(all.size() > 1, "No neighbors found");
    return all;
}

// Cores along the first row of the grid, of which each serves a link.
CoreRange senders(std::uint64_t tokens, std::uint32_t links) {
    const std::uint64_t of_each = ceil_div(tokens, links);
    const std::uint64_t cores = std::min<std::uint64_t>(links, ceil_div(tokens, of_each));
    return {{0, 0}, {static_cast<std::uint32_t>(cores - 1), 0}};
}

// One of each chip, with two semaphores.
ProgramPlan exchange_program(const ProgramFactory& factory, const std::vector<std::uint64_t>& sizes,
                             const CoreRange& cores, const Rings& rings, const DeviceDescription& device) {
    ProgramPlan plan{factory};
    plan.memory = circular_buffers(sizes, cores);
    plan.config_tensors.assign(2, semaphore_spec(device));
    plan.num_programs = rings.mesh.size();
    return plan;
}

// Copies a row of `bytes` bytes to another row of another array.
void copy_row(const HostArray& from, std::uint64_t from_row, HostArray& to, std::uint64_t to_row,
              std::uint64_t bytes) {
    std::memcpy(to.bytes().data() + to_row * bytes, from.bytes().data() + from_row * bytes, bytes);
}

// True if `expert` lies on that chip of the mesh.
bool has_expert(const std::vector<std::int64_t>& mapping, std::size_t chips, std::int64_t expert,
                std::size_t chip) {
    const std::uint64_t at = static_cast<std::uint64_t>(expert) * chips + chip;
    return expert >= 0 && at < mapping.size() && mapping[at] == 1;
}

struct DispatchOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr std::string_view kName = "AllToAllDispatchDeviceOperation";

    Rings rings;
    MemoryConfig memory_config;
    std::uint32_t links;
    bool page_by_page = false;  ///< there is no room for the experts of all tokens on each core
    std::uint32_t concat_dim;

    auto attributes() const {
        return std::make_tuple(memory_config, rings.axis, links, static_cast<int>(page_by_page), concat_dim);
    }

    void validate(SpecsView inputs) const {
        require_rows("all_to_all_dispatch", "input_tensor", inputs[0], inputs[0].dtype);
        require_rows("all_to_all_dispatch", "expert_indices_tensor", inputs[1], DataType::UINT16);
        require_rows("all_to_all_dispatch", "expert_mapping_tensor", inputs[2], DataType::UINT16);
        const Shape& tokens = inputs[0].shape;
        const Shape& indices = inputs[1].shape;
        require(
            num_rows(inputs[0]) == num_rows(inputs[1]) && tokens[0] == indices[0] && tokens[2] == indices[2],
            "all_to_all_dispatch: expert_indices_tensor: expected experts of the tokens ", tokens, ", got ",
            indices);
        require(inputs[2].shape[-1] == rings.mesh.size(),
                "all_to_all_dispatch: expert_mapping_tensor: expected a column for each of ",
                rings.mesh.size(), " chips, got ", inputs[2].shape);
        require(!memory_config.is_sharded(), "all_to_all_dispatch: memory_config: expected INTERLEAVED, got ",
                name_of(memory_config.memory_layout));
    }

    TensorSpecs infer(SpecsView inputs) const { return {exchanged(inputs[0]), exchanged(inputs[1])}; }

    /// The sizes of the program's circular buffers where experts of all tokens have room.
    static std::array<std::uint64_t, 6> sizes(SpecsView inputs, const Rings& rings, std::uint32_t links,
                                              const DeviceDescription& device) {
        const auto page = [&](const TensorSpec& spec) {
            const std::uint64_t alignment = spec.memory_config.buffer_type == BufferType::L1
                                                ? device.l1_alignment
                                                : device.dram_alignment;
            return round_up(buffer_geometry(spec, device).page_size_bytes, alignment);
        };
        const std::uint64_t tokens = num_rows(inputs[0]);
        const std::uint64_t of_core = ceil_div(tokens, links);
        return {2 * page(inputs[0]),
                of_core * page(inputs[1]),
                num_rows(inputs[2]) * page(inputs[2]),
                kHeadersHeld * kPacketHeaderBytes,
                rings.mesh.size() * of_core,
                tokens * rings.size() * page(inputs[1])};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::array<std::uint64_t, 6> all = sizes(inputs, rings, links, device);
        const std::vector<std::uint64_t> needed(all.begin(), all.end() - (page_by_page ? 1 : 0));
        return exchange_program(
            {"ttnn::operations::ccl::AllToAllDispatchDeviceOperation::AllToAllDispatchSparse"}, needed,
            senders(num_rows(inputs[0]), links), rings, device);
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    // Token t of the chip at a place among n is token place * T + t of all n * T.
    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView inputs, SpecsView outputs) const {
        const std::size_t chips = rings.mesh.size();
        std::vector<HostArray> tokens(chips, HostArray(outputs[0].dtype, outputs[0].shape));
        std::vector<HostArray> experts(chips, HostArray(outputs[1].dtype, outputs[1].shape));
        const std::uint64_t selected = outputs[1].shape[-1], width = outputs[0].shape[-1];
        const std::uint64_t token_bytes = width * inputs[0]->stored_element_size();
        const std::uint64_t expert_bytes = selected * inputs[chips]->stored_element_size();
        const std::uint64_t of_chip = selected == 0 ? 0 : inputs[chips]->size() / selected;
        for (std::size_t ring = 0; ring < rings.count(); ++ring) {
            for (std::size_t place = 0; place < rings.size(); ++place) {
                const std::size_t from = rings.chip(ring, place);
                const std::vector<std::int64_t> indices = inputs[chips + from]->to_integers();
                const std::vector<std::int64_t> mapping = inputs[2 * chips + from]->to_integers();
                for (std::uint64_t t = 0; t < of_chip; ++t) {
                    const auto first = indices.begin() + static_cast<std::ptrdiff_t>(t * selected);
                    for (std::size_t to = 0; to < rings.size(); ++to) {
                        const std::size_t chip = rings.chip(ring, to);
                        const std::uint64_t row = place * of_chip + t;
                        copy_row(*inputs[chips + from], t, experts[chip], row, expert_bytes);
                        const bool is_wanted = std::any_of(
                            first, first + static_cast<std::ptrdiff_t>(selected),
                            [&](std::int64_t each) { return has_expert(mapping, chips, each, chip); });
                        if (is_wanted) copy_row(*inputs[from], t, tokens[chip], row, token_bytes);
                    }
                }
            }
        }
        return {std::move(tokens), std::move(experts)};
    }

private:
    TensorSpec exchanged(const TensorSpec& input) const {
        const Shape& shape = input.shape;
        const std::uint32_t chips = rings.size();
        TensorSpec out = input;
        out.shape = concat_dim == 1 ? Shape{1, shape[0] * chips, shape[2], shape[3]}
                                    : Shape{1, shape[0], shape[2] * chips, shape[3]};
        out.memory_config = memory_config;
        return out;
    }
};

/// The last input is the result, filled with zeros.
struct CombineOperation {
    static constexpr std::string_view kName = "AllToAllCombineDeviceOperation";

    Rings rings;
    MemoryConfig memory_config;
    std::uint32_t links;
    bool locally_reduced;
    std::uint32_t shard_dim;

    auto attributes() const {
        return std::make_tuple(memory_config, rings.axis, links, locally_reduced, shard_dim);
    }

    void validate(SpecsView inputs) const {
        require(inputs[0].layout == Layout::ROW_MAJOR, "Input tensor must be in row major layout");
        require(inputs[0].dtype == DataType::BFLOAT16, "Input tensor must be bfloat16");
        require_rows("all_to_all_combine", "input_tensor", inputs[0], DataType::BFLOAT16);
        require_rows("all_to_all_combine", "expert_metadata_tensor", inputs[1], DataType::UINT16);
        require_rows("all_to_all_combine", "expert_mapping_tensor", inputs[2], DataType::UINT16);
        require(!memory_config.is_sharded(), "Output memory config must not be sharded");
        const Shape& input = inputs[0].shape;
        const Shape& metadata = inputs[1].shape;
        const Shape& mapping = inputs[2].shape;
        const std::uint32_t chips = rings.mesh.size();
        require(mapping[3] == chips && mapping[2] % chips == 0, "Number of experts ", mapping[2],
                " should be evenly divisible by devices: ", chips);
        const std::uint32_t experts = locally_reduced ? 1 : mapping[2] / chips;
        require(input[0] == experts && input[1] == metadata[1] && input[2] == metadata[2],
                "all_to_all_combine: input_tensor: expected [", experts, ", ", metadata[1], ", ", metadata[2],
                ", H], got ", input);
        require(metadata[static_cast<std::int64_t>(shard_dim)] % rings.size() == 0, "Batch ",
                metadata[static_cast<std::int64_t>(shard_dim)], " must be divisible by axis group");
    }

    TensorSpecs infer(SpecsView inputs) const { return {result_of(inputs)}; }

    TensorSpec result_of(SpecsView inputs) const {
        const Shape& metadata = inputs[1].shape;
        const std::uint32_t chips = rings.size();
        TensorSpec out = inputs[0];
        out.shape = shard_dim == 1 ? Shape{metadata[3], metadata[1] / chips, metadata[2], out.shape[3]}
                                   : Shape{metadata[3], metadata[1], metadata[2] / chips, out.shape[3]};
        out.memory_config = memory_config;
        return out;
    }

    ProgramPlan plan(SpecsView inputs, SpecsView, const DeviceDescription& device) const {
        const std::uint64_t experts = inputs[2].shape[2] / rings.mesh.size();
        const bool in_dram = inputs[0].memory_config.buffer_type == BufferType::DRAM;
        const std::uint64_t page =
            round_up(row_bytes(inputs[0]), in_dram ? device.dram_alignment : device.l1_alignment);
        const std::vector<std::uint64_t> sizes = {
            experts * page, round_up(row_bytes(inputs[2]), device.l1_alignment),
            round_up(experts * sizeof(std::uint16_t), device.l1_alignment),
            round_up(row_bytes(inputs[1]), device.l1_alignment), kClientInterfaces * kClientInterface};
        return exchange_program(
            {"ttnn::operations::ccl::AllToAllCombineDeviceOperation::AllToAllCombineFromSparse"}, sizes,
            senders(num_rows(inputs[1]), links), rings, device);
    }

    // On a mesh of several chips, as there is no other.
    std::vector<HostArray> compute(ArraysView, SpecsView) const { return {}; }

    std::vector<std::vector<HostArray>> compute_on_all_chips(ArraysView inputs, SpecsView outputs) const {
        const std::size_t chips = rings.mesh.size();
        std::vector<HostArray> results;
        for (std::size_t chip = 0; chip < chips; ++chip)
            results.push_back(*inputs[3 * chips + chip]);
        for (std::size_t ring = 0; ring < rings.count(); ++ring) {
            for (std::size_t place = 0; place < rings.size(); ++place)
                send_from(rings.chip(ring, place), ring, inputs, outputs[0], results);
        }
        return {std::move(results)};
    }

private:
    // What the experts of one chip made.
    void send_from(std::size_t from, std::size_t ring, ArraysView inputs, const TensorSpec& output,
                   std::vector<HostArray>& results) const {
        const std::size_t chips = rings.mesh.size();
        const std::vector<std::int64_t> metadata = inputs[chips + from]->to_integers();
        const std::vector<std::int64_t> mapping = inputs[2 * chips + from]->to_integers();
        const std::uint64_t selected = output.shape[0],
                            row_bytes = output.shape[3] * inputs[from]->stored_element_size();
        const std::uint64_t tokens = selected == 0 ? 0 : metadata.size() / selected;
        const std::uint64_t of_chip = tokens / rings.size();
        std::uint64_t local = 0;  // the expert's place among those of the chip
        const std::uint64_t experts = mapping.size() / chips;
        std::vector<bool> is_done(tokens, false);
        for (std::uint64_t expert = 0; expert < experts; ++expert) {
            const auto number = static_cast<std::int64_t>(expert);
            if (!has_expert(mapping, chips, number, from)) continue;
            for (std::uint64_t t = 0; t < tokens; ++t) {
                const auto first = metadata.begin() + static_cast<std::ptrdiff_t>(t * selected);
                const auto last = first + static_cast<std::ptrdiff_t>(selected);
                const auto found = std::find(first, last, number);
                if (found == last || (locally_reduced && is_done[t])) continue;
                is_done[t] = true;
                const auto k = static_cast<std::uint64_t>(found - first);
                copy_row(*inputs[from], (locally_reduced ? 0 : local * tokens) + t,
                         results[rings.chip(ring, t / of_chip)], k * of_chip + t % of_chip, row_bytes);
            }
            ++local;
        }
    }
};

}  // namespace

std::vector<Tensor> AllToAllDispatch::body() const {
    require_on_device(input_tensor, "all_to_all_dispatch", "input_tensor");
    const std::uint32_t dim = output_concat_dim.value_or(1);
    require(dim == 1 || dim == 2, "Output concat dimension must be 1 or 2, got ", dim);
    require(!output_tensors || output_tensors->size() == 2,
            "all_to_all_dispatch: output_tensors: expected two tensors");
    Device& device = input_tensor.device();
    DispatchOperation operation{ring_of_tokens(input_tensor, cluster_axis),
                                memory_config.value_or(input_tensor.memory_config()), num_links.value_or(1),
                                false, dim};
    require(operation.links > 0, "Number of links must be greater than 0, got ", operation.links);
    const std::vector<Tensor> inputs = {input_tensor, expert_indices_tensor, expert_mapping_tensor};
    const std::vector<TensorSpec> specs = {input_tensor.spec(), expert_indices_tensor.spec(),
                                           expert_mapping_tensor.spec()};
    operation.validate(specs);
    const auto sizes =
        DispatchOperation::sizes(specs, operation.rings, operation.links, device.description());
    std::uint64_t needed = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    for (const TensorSpec& each : operation.infer(specs)) {
        if (each.memory_config.buffer_type == BufferType::L1)
            needed += buffer_geometry(each, device.description()).size_per_bank_bytes;
    }
    operation.page_by_page = largest_free_l1(device) < needed;
    return launch_all(operation, inputs, output_tensors.value_or(std::vector<Tensor>()));
}

Tensor AllToAllCombine::body() const {
    require_on_device(input_tensor, "all_to_all_combine", "input_tensor");
    require(cluster_axis.has_value(), "Axis must be specified at the moment");
    const std::uint32_t dim = output_shard_dim.value_or(1);
    require(dim == 1 || dim == 2, "all_to_all_combine: output_shard_dim: expected 1 or 2, got ", dim);
    Device& device = input_tensor.device();
    const CombineOperation operation{ring_of_tokens(input_tensor, cluster_axis),
                                     memory_config.value_or(input_tensor.memory_config()),
                                     num_links.value_or(device.description().mesh.links), local_reduce, dim};
    require(operation.links > 0, "Number of links must be greater than 0, got ", operation.links);
    std::vector<Tensor> inputs = {input_tensor, expert_metadata_tensor, expert_mapping_tensor};
    const std::vector<TensorSpec> specs = {input_tensor.spec(), expert_metadata_tensor.spec(),
                                           expert_mapping_tensor.spec()};
    operation.validate(specs);
    inputs.push_back(output_tensor ? *output_tensor
                                   : unscoped::moreh_full(operation.result_of(specs), 0.0F, inputs[0]));
    return launch_into(operation, inputs, inputs.back());
}

}  // namespace tilemeter
