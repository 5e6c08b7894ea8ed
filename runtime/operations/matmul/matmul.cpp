// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/matmul/matmul.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "runtime/compute/blocks.hpp"
#include "runtime/compute/broadcast.hpp"
#include "runtime/compute/elementwise.hpp"
#include "runtime/compute/matmul.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/operations/core/free_l1.hpp"
#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/core/tensor_views.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/eltwise/binary.hpp"
#include "runtime/operations/matmul/internal/matmul_problem.hpp"
#include "runtime/operations/matmul/matmul_config_choice.hpp"
#include "runtime/operations/matmul/matmul_program.hpp"
#include "runtime/types/tile_text.hpp"

namespace tilemeter {

namespace {

/// The requests of a caller, beside the operands.
struct MatmulRequest {
    bool transpose_a = false;
    bool transpose_b = false;
    MemoryConfig memory_config;
    DataType dtype = DataType::BFLOAT16;
    OptionalProgramConfig program_config;
    std::optional<UnaryWithParam> activation;
    DeviceComputeKernelConfig kernels;  ///< the caller's, or TT-NN's default for such a product
    OptionalCoreGrid core_grid;
    bool run_batched = false;
    std::optional<Tile> output_tile{};
};

MatmulProblem problem_of(const MatmulRequest& request, SpecsView inputs) {
    MatmulProblem problem;
    problem.a = inputs[0];
    problem.b = inputs[1];
    if (inputs.size() > 2) problem.bias = inputs[2];
    problem.transpose_a = request.transpose_a;
    problem.transpose_b = request.transpose_b;
    problem.output_memory_config = request.memory_config;
    problem.output_dtype = request.dtype;
    problem.accumulates_in_fp32 = request.kernels.fp32_dest_acc_en;
    problem.packs_into_l1 = request.kernels.packer_l1_acc;
    return problem;
}

// TT-NN's words.
void require_fusible(const std::optional<UnaryWithParam>& activation) {
    if (!activation) return;
    switch (activation->op_type) {
        case UnaryOpType::RELU:
        case UnaryOpType::RELU6:
        case UnaryOpType::GELU:
        case UnaryOpType::GELU_TANH:
        case UnaryOpType::SILU:
        case UnaryOpType::SIGMOID:
        case UnaryOpType::HARDSIGMOID:
        case UnaryOpType::HARDTANH:
        case UnaryOpType::SELU:
        case UnaryOpType::SOFTPLUS:
        case UnaryOpType::TANH:
            return;
        default:
            refuse_with("Unsupported UnaryOpType for fused activation: UnaryOpType::",
                        compute::name_of(activation->op_type));
    }
}

// The activation that the program applies: its config says so.
std::optional<UnaryWithParam> fused_activation(const MatmulProgramConfig& config) {
    if (const auto* two = std::get_if<MatmulMultiCoreReuseMultiCastProgramConfig>(&config)) {
        return two->fused_activation;
    }
    if (const auto* one = std::get_if<MatmulMultiCoreReuseMultiCast1DProgramConfig>(&config)) {
        return one->fused_activation;
    }
    if (const auto* dram = std::get_if<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>(&config)) {
        return dram->fused_activation;
    }
    if (const auto* batched =
            std::get_if<MatmulMultiCoreReuseMultiCastBatchedDRAMShardedProgramConfig>(&config)) {
        return batched->fused_activation;
    }
    return std::nullopt;
}

struct MatmulDeviceOperation {
    static constexpr std::string_view kName = "MatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "MatmulParams";

    /// `config`: what the request prescribes, or what was chosen for it.
    MatmulRequest request;
    MatmulProgramConfig config;

    Tile output_tile{};

    bool takes_small_tiles(SpecsView) const { return true; }

    auto attributes() const {
        using std::string_view_literals::operator""sv;
        return std::make_tuple(to_string(config), !request.run_batched, request.memory_config, request.dtype,
                               attribute_text(request.kernels), false, core_grid_text(), activation_text(),
                               request.run_batched, request.transpose_a, request.transpose_b,
                               to_string(output_tile), "std::nullopt"sv, "std::nullopt"sv, "{}"sv,
                               "std::nullopt"sv);
    }

    auto key_attributes() const {
        return std::tie(config, request.memory_config, request.dtype, request.kernels, request.core_grid,
                        request.activation, request.transpose_a, request.transpose_b, request.run_batched);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const {
        const MatmulProblem problem = problem_of(request, inputs);
        require_valid(problem);
        // TT-NN makes the result first.
        if (request.memory_config.is_sharded()) page_geometry(output_spec(problem, config, device));
        require_fitting(problem, config, device);
    }

    TensorSpecs outputs_when_refused(SpecsView inputs, const DeviceDescription& device) const {
        const bool matrices = inputs[0].shape.rank() > 1 && inputs[1].shape.rank() > 1;
        if (!matrices) return {};
        const TensorSpecs made = infer(inputs, device);
        page_geometry(made[0]);  // none where its shards can't be
        return made;
    }

    TensorSpecs infer(SpecsView inputs, const DeviceDescription& device) const {
        return {output_spec(problem_of(request, inputs), config, device)};
    }

    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const {
        require_fusible(fused_activation(config));
        return plan_matmul(problem_of(request, inputs), config, outputs[0], device);
    }

    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const {
        FloatBuffer left_room(0), right_room(0);
        const TensorSpec& out = outputs[0];
        HostArray result = HostArray::unwritten(out.dtype, out.shape);
        const compute::MatrixOperand left =
            compute::matrix_operand(*inputs[0], request.transpose_a, left_room);
        const compute::MatrixOperand right =
            compute::matrix_operand(*inputs[1], request.transpose_b, right_room);
        const std::vector<float> bias = inputs.size() > 2 ? inputs[2]->to_floats() : std::vector<float>();
        const auto activation = fused_activation(config);
        const std::uint64_t row = out.shape.rank() == 0 ? 1 : out.shape[-1];
        if (out.dtype == DataType::BFLOAT16 && !activation && (bias.empty() || bias.size() == row)) {
            const std::span<std::uint16_t> rounded(reinterpret_cast<std::uint16_t*>(result.bytes().data()),
                                                   result.size());
            if (compute::matmul_to_bfloat16(left, right, bias, rounded)) return {std::move(result)};
        }
        // Float32 is computed where it stays.
        const std::span<float> in_place = result.floats();
        FloatBuffer room(in_place.empty() ? out.shape.volume() : 0);
        const std::span<float> product = in_place.empty() ? room.values() : in_place;
        compute::matmul(left, right, product);
        if (!in_place.empty() && bias.empty() && !activation) return {std::move(result)};
        const std::uint64_t steps = 1 + (activation ? compute::steps_of(activation->op_type) : 0);
        compute::parallel_blocks(product.size(), row, steps, [&](std::uint64_t first, std::size_t count) {
            const std::span<float> block = product.subspan(first, count);
            for (std::size_t at = 0; !bias.empty() && at < block.size(); at += row) {
                const std::span<float> of_row = block.subspan(at, row);
                const float* const added = bias.data() + (first + at) % bias.size();
                compute::binary_each(compute::BinaryKind::kAdd, of_row.data(), added, of_row);
            }
            if (activation) compute::unary_in_place(activation->op_type, activation->parameters, block);
            if (in_place.empty()) result.write_floats(first, block);
        });
        return {std::move(result)};
    }

private:
    std::string core_grid_text() const {
        return request.core_grid ? attribute_text(CoreCoord{request.core_grid->x, request.core_grid->y})
                                 : "std::nullopt";
    }
    std::string activation_text() const {
        return request.activation ? std::string(compute::name_of(request.activation->op_type))
                                  : "std::nullopt";
    }
};

std::vector<Tensor> operands(const Tensor& a, const Tensor& b, const OptionalTensor& bias) {
    std::vector<Tensor> tensors = {a, b};
    if (bias) tensors.push_back(*bias);
    return tensors;
}

MatmulProgramConfig choose_config(const std::vector<Tensor>& inputs, const MatmulRequest& request,
                                  std::uint64_t l1_space_bytes) {
    std::vector<TensorSpec> specs;
    for (const Tensor& input : inputs)
        specs.push_back(input.spec());
    const MatmulProblem problem = problem_of(request, specs);
    if (request.program_config) return *request.program_config;
    try {
        require_valid(problem);  // the choice of a program relies on it
    } catch (const RuntimeError&) {
        if (request.core_grid && !inputs[0].is_sharded()) throw;
        return MatmulMultiCoreProgramConfig{};  // the operation itself refuses such operands
    }
    return choose_matmul_program_config(problem,
                                        {request.core_grid, request.activation, request.run_batched,
                                         inputs[0].device().description().compute_grid, l1_space_bytes});
}

// A model asks for the same few products over and over: what was chosen lately is kept.
MatmulProgramConfig found_config(const std::vector<Tensor>& inputs, const MatmulRequest& request) {
    constexpr std::size_t kKept = 1024;
    require_on_device(inputs[0], "matmul", "input_tensor_a");
    require_on_device(inputs[1], "matmul", "input_tensor_b");
    Device& device = inputs[0].device();
    const std::uint64_t space = free_l1_below_tensors(device);
    ProgramKey key;
    for (const Tensor& input : inputs)
        key.append(input.record_spec_id());
    key.append(request.transpose_a);
    key.append(request.transpose_b);
    key.append(request.memory_config);
    key.append(request.dtype);
    key.append(request.program_config);
    key.append(request.activation);
    key.append(request.kernels);
    key.append(request.core_grid);
    key.append(request.run_batched);
    key.append(device.description().compute_grid);
    key.append(space);
    // Behind a pointer: what threads have of their own lies in a room that libraries loaded late share.
    thread_local const auto chosen_by_thread =
        std::make_unique<std::unordered_map<std::string, MatmulProgramConfig>>();
    auto& chosen = *chosen_by_thread;
    if (const auto found = chosen.find(key.bytes()); found != chosen.end()) return found->second;
    MatmulProgramConfig config = choose_config(inputs, request, space);
    if (chosen.size() == kKept) chosen.clear();
    chosen.emplace(key.take(), config);
    return config;
}

MatmulProgramConfig config_of(const std::vector<Tensor>& inputs, const MatmulRequest& request) {
    MatmulProgramConfig config = found_config(inputs, request);
    if (QueryShadow* const query = QueryShadow::current()) query->note_config(config);
    return config;
}

/// A product that can't be: says why where TT-NN does, in the scope of the device operation.
class RefusedMatmul {
public:
    static constexpr std::string_view kName = "MatmulDeviceOperation";
    static constexpr std::string_view kAttributesName = "MatmulParams";

    RefusedMatmul(const MatmulRequest& request, std::string reason)
        : memory_config_(request.memory_config), dtype_(request.dtype), reason_(std::move(reason)) {}
    bool takes_small_tiles(SpecsView) const { return true; }
    auto attributes() const { return std::tie(memory_config_, dtype_, reason_); }

    void validate(SpecsView) const { throw RuntimeError(reason_); }
    TensorSpecs infer(SpecsView inputs) const {
        Shape shape = inputs[0].shape;
        shape.set(-1, inputs[1].shape[-1]);
        return {TensorSpec{shape, dtype_, Layout::TILE, memory_config_}};
    }
    ProgramPlan plan(SpecsView, SpecsView, const DeviceDescription&) const { throw RuntimeError(reason_); }
    std::vector<HostArray> compute(ArraysView, SpecsView) const { throw RuntimeError(reason_); }

private:
    MemoryConfig memory_config_;
    DataType dtype_;
    std::string reason_;
};

// The tile of a result is that of its operands. TT-NN's words.
std::string refusal_of(Tile given, Tile tile) {
    const bool high = given.height != tile.height;
    return std::string("the override output tile ") + (high ? "height (" : "width (") +
           std::to_string(high ? given.height : given.width) + ") must equal to the " +
           (high ? "in0 tile height (" : "in1 tile width (") +
           std::to_string(high ? tile.height : tile.width) + ")";
}

MatmulProgramConfig config_or_refusal(const std::vector<Tensor>& inputs, const MatmulRequest& request) {
    try {
        return config_of(inputs, request);
    } catch (const RuntimeError& error) {
        // No program for such shards: TT-NN says so before the device operation begins.
        if (inputs[0].is_sharded()) throw;
        launch(RefusedMatmul(request, error.what()), inputs);
        throw;
    }
}

Tensor launch_matmul(const Tensor& a, const Tensor& b, const OptionalTensor& bias,
                     const MatmulRequest& request, const OptionalTensor& output) {
    std::vector<Tensor> inputs = operands(a, b, bias);
    const MatmulProgramConfig config = config_or_refusal(inputs, request);
    const Tile tile{(request.transpose_a ? a.spec().tile.width : a.spec().tile.height),
                    (request.transpose_b ? b.spec().tile.height : b.spec().tile.width)};
    const MatmulDeviceOperation operation{request, config, tile};
    const Tile given = output ? output->spec().tile : request.output_tile.value_or(tile);
    if (given != tile) launch(RefusedMatmul(request, refusal_of(given, tile)), inputs);
    // Memory that was given with more dimensions, of 1, is written as the product lies; TT-NN makes no view of it.
    if (output && output->shape().rank() > a.shape().rank()) {
        TensorSpec spec = output->spec();
        TensorSpecs specs;
        for (const Tensor& input : inputs)
            specs.push_back(input.spec());
        const Shape made = operation.infer(specs, a.device().description()).front().shape;
        if (made.rank() < spec.shape.rank() && made.to_rank(spec.shape.rank()) == spec.shape) {
            spec.shape = made;
            launch(operation, inputs, Tensor::on_device(spec, output->shared_buffer(), true));
            return *output;
        }
    }
    return launch(operation, inputs, output);
}

// The program that makes one tile at a time reads its operands as they lie.
bool transposes_apart(const Tensor& a, const Tensor& b, const OptionalTensor& bias,
                      const MatmulRequest& request) {
    return (request.transpose_a || request.transpose_b) &&
           std::holds_alternative<MatmulMultiCoreProgramConfig>(config_of(operands(a, b, bias), request));
}

Tensor transposed_or_none(const Tensor& tensor, bool transpose) {
    return transpose ? unscoped::transpose(tensor, -1, -2) : Tensor();
}

bool is_dram_interleaved(const MemoryConfig& config) {
    return config.buffer_type == BufferType::DRAM && !config.is_sharded();
}

// True if the bias is added by a program of its own: where the product's program may be one that can't.
bool adds_bias_afterwards(const Tensor& a, const Tensor& b, const OptionalTensor& bias,
                          const MatmulRequest& request) {
    if (!bias) return false;
    const Shape& added = bias->shape();
    const Shape &left = a.shape(), &right = b.shape();
    const std::uint32_t width = right.rank() < 2 ? 1 : request.transpose_b ? right[-2] : right[-1];
    const std::uint32_t height = left.rank() < 2 ? 1 : request.transpose_a ? left[-1] : left[-2];
    if (added.rank() == 0 || added[-1] != width || request.run_batched) return true;
    // One row for all, or a row for each: of a matrix that is one row of tiles.
    if (added.volume() != width && (added.volume() != std::uint64_t{height} * width || added[-2] != height))
        return true;
    if (bias->layout() == Layout::TILE && bias->padded_shape()[-2] != a.spec().tile.height) return true;
    if (request.program_config) {
        return std::holds_alternative<MatmulMultiCoreProgramConfig>(*request.program_config) ||
               std::holds_alternative<MatmulMultiCoreReuseProgramConfig>(*request.program_config);
    }
    if (request.core_grid) return false;
    if (request.memory_config.buffer_type != BufferType::DRAM) return true;
    if (a.memory_config().is_sharded()) return false;
    return !is_dram_interleaved(a.memory_config()) || !is_dram_interleaved(b.memory_config()) ||
           request.memory_config.is_sharded();
}

// TT-NN finds the shape of a product with a bias as if operands that it has transposed already were still to
// be: it refuses what does not fit then.
void require_shape_with_bias(const Tensor& a, const Tensor& b, bool a_apart, bool b_apart) {
    const std::uint32_t inner = b.shape()[b_apart ? -1 : -2];
    const std::uint32_t rows = a.shape()[a_apart ? -1 : -2];
    const std::uint32_t columns = b.shape()[b_apart ? -2 : -1];
    require(!b_apart || inner == columns || inner == 1 || columns == 1, "Broadcast error: Invalid dimension");
    require(!a_apart || inner <= kTileHeight * ((rows + kTileHeight - 1) / kTileHeight),
            "MeshBuffer must be large enough to hold the tensor.");
}

// The product of two matrices at least: transposes apart if the program can't.
Tensor product(const Tensor& a, const Tensor& b, const OptionalTensor& bias, MatmulRequest request,
               const OptionalTensor& output) {
    // Without a grid the product knows nothing of it: all activations share its program.
    const std::optional<UnaryWithParam> activation_afterwards =
        request.core_grid ? std::nullopt : std::exchange(request.activation, std::nullopt);
    const bool bias_afterwards = adds_bias_afterwards(a, b, bias, request);
    const OptionalTensor fused_bias = bias_afterwards ? std::nullopt : bias;
    const bool apart = transposes_apart(a, b, fused_bias, request);
    const bool a_apart = apart && request.transpose_a;
    const bool b_apart = apart && request.transpose_b;
    const ScopedTensor transposed_a(transposed_or_none(a, a_apart));
    const ScopedTensor transposed_b(transposed_or_none(b, b_apart));
    request.transpose_a = request.transpose_a && !apart;
    request.transpose_b = request.transpose_b && !apart;
    Tensor result =
        launch_matmul(a_apart ? *transposed_a : a, b_apart ? *transposed_b : b, fused_bias, request, output);
    if (bias_afterwards) {
        try {
            // In the shards that the product has, whichever were asked for.
            const MemoryConfig& place = result.is_sharded() ? result.memory_config() : request.memory_config;
            result = unscoped::binary(BinaryKind::kAdd, result, *bias,
                                      {.memory_config = place, .output_tensor = output});
        } catch (...) {
            if (!output) result.deallocate();
            throw;
        }
    }
    if (bias) require_shape_with_bias(a, b, a_apart, b_apart);
    // The shape that the bias has widened, or of what was given; TT-NN leaves the view out only where that is the
    // program's own and all tiles are full.
    if (bias || output) {
        Shape shape = result.shape();
        if (!output && shape.rank() < bias->shape().rank()) shape = shape.to_rank(bias->shape().rank());
        if (result.padded_shape() != shape) result = reshape_view(result, shape);
    }
    if (activation_afterwards)
        result = unscoped::unary(*activation_afterwards, result, request.memory_config, output);
    return result;
}

// TT-NN's own statement.
void require_activation_fits(const Tensor& a, const Tensor& b,
                             const std::optional<UnaryWithParam>& activation) {
    require(!activation || !(a.is_sharded() || b.is_sharded()), [&] {
        return "Sharded matmul run with UnaryOpType::" + std::string(compute::name_of(activation->op_type)) +
               " activation: this should be placed in the program config's fused_activation field";
    });
}

// The product of an operand without elements: zeros that the host makes, in the first operand's layout, and the bias;
// TT-NN compares no widths then and applies no activation.
Tensor product_of_nothing(const Tensor& a, const Tensor& b, const OptionalTensor& bias,
                          const MatmulRequest& request) {
    const auto operand = [](Shape shape, bool transpose) {
        if (!transpose || shape.rank() < 2) return shape;
        const std::uint32_t last = shape[-1];
        shape.set(-1, shape[-2]);
        shape.set(-2, last);
        return shape;
    };
    const Shape rows = operand(a.shape(), request.transpose_a);
    const Shape columns = operand(b.shape(), request.transpose_b);
    Shape shape = columns.rank() > rows.rank() ? rows.to_rank(columns.rank()) : rows;
    for (std::size_t i = 0; i + 2 < columns.rank(); ++i) {
        const auto at = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(columns.rank());
        if (shape[at] == 1) shape.set(at, columns[at]);
    }
    if (columns.rank() > 1) {
        shape.set(-1, columns[-1]);
    } else {
        shape = Shape(shape.dimensions().first(shape.rank() - 1));
    }
    const TensorSpec spec{shape, request.dtype, a.layout(), request.memory_config};
    const Tensor zeros = upload_filled(spec, 0.0F, a.shared_device());
    if (!bias) return zeros;
    return unscoped::binary(BinaryKind::kAdd, zeros, *bias, {.memory_config = request.memory_config});
}

Tensor run(const Tensor& a, const Tensor& b, const OptionalTensor& bias, const MatmulRequest& request,
           const OptionalTensor& output) {
    const bool nothing = a.shape().volume() == 0 || b.shape().volume() == 0;
    if (nothing && !output && a.shape().rank() > 1 && a.storage_type() == StorageType::DEVICE)
        return product_of_nothing(a, b, bias, request);
    require_activation_fits(a, b, request.activation);
    if (b.shape().rank() != 1) return product(a, b, bias, request, output);
    const ScopedTensor column(unscoped::reshape(b, Shape{b.shape()[-1], 1}));
    // Memory that was given for [rows] is written as a column; TT-NN makes no view of it.
    if (output && a.shape().rank() > 1) {
        Shape rows(a.shape().dimensions().first(a.shape().rank() - 1));
        if (request.transpose_a) rows.set(-1, a.shape()[-1]);
        TensorSpec spec = output->spec();
        if (spec.shape == rows) {
            std::vector<std::uint32_t> extents(rows.dimensions().begin(), rows.dimensions().end());
            extents.push_back(1);
            spec.shape = Shape(extents);
        }
        product(a, *column, bias, request, Tensor::on_device(spec, output->shared_buffer(), true));
        return unscoped::reshape(*output, rows);
    }
    const Tensor result = product(a, *column, bias, request, output);
    return unscoped::reshape(result, Shape(result.shape().dimensions().first(result.shape().rank() - 1)));
}

bool has_batches(const Shape& shape) {
    for (std::size_t i = 0; i + 2 < shape.rank(); ++i) {
        if (shape.dimensions()[i] > 1) return true;
    }
    return false;
}

// The default settings of kernels. `prescribed`: how the program runs is the caller's choice.
DeviceComputeKernelConfig default_kernels(DataType output, bool prescribed) {
    const bool fp32 = output == DataType::FLOAT32;
    return {.math_fidelity = prescribed ? MathFidelity::LoFi
                             : fp32     ? MathFidelity::HiFi3
                                        : MathFidelity::HiFi2,
            .math_approx_mode = false,
            .fp32_dest_acc_en = fp32,
            .packer_l1_acc = !fp32};
}

MatmulRequest request_of(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b,
                         const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
                         const OptionalProgramConfig& program_config,
                         const std::optional<std::string>& activation,
                         const OptionalComputeKernelConfig& kernels, const OptionalCoreGrid& core_grid) {
    MatmulRequest request;
    request.transpose_a = transpose_a;
    request.transpose_b = transpose_b;
    request.memory_config = memory_config.value_or(DRAM_MEMORY_CONFIG);
    request.dtype = dtype.value_or(a.dtype());
    request.program_config = program_config;
    if (activation) request.activation = string_to_unary_with_param(*activation);
    request.kernels = kernels.value_or(default_kernels(request.dtype, program_config || core_grid));
    request.core_grid = core_grid;
    request.run_batched = has_batches(b.shape());
    return request;
}

MatmulRequest with_tile(const OutputTile& output_tile, MatmulRequest request) {
    request.output_tile = output_tile.tile;
    return request;
}

}  // namespace

Tensor Matmul::call() const {
    require_default(global_cb, "global_cb");
    require_default(prefetcher_pipes, "prefetcher_pipes");
    return in_operation(*this, [&] {
        return run(input_tensor_a, input_tensor_b, std::nullopt,
                   with_tile(output_tile, request_of(input_tensor_a, input_tensor_b, transpose_a, transpose_b,
                                                     memory_config, dtype, program_config, activation,
                                                     compute_kernel_config, core_grid)),
                   optional_output_tensor);
    });
}

Tensor Linear::call() const {
    require_default(global_cb, "global_cb");
    require_default(prefetcher_pipes, "prefetcher_pipes");
    require_default(in0_column_offset, "in0_column_offset");
    return in_operation(*this, [&] {
        return run(input_tensor_a, input_tensor_b, bias,
                   with_tile(output_tile, request_of(input_tensor_a, input_tensor_b, transpose_a, transpose_b,
                                                     memory_config, dtype, program_config, activation,
                                                     compute_kernel_config, core_grid)),
                   optional_output_tensor);
    });
}

Tensor unscoped::linear(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                        const OptionalTensor& bias, const OptionalMemoryConfig& memory_config, DataType dtype,
                        const OptionalProgramConfig& program_config,
                        const std::optional<UnaryWithParam>& activation,
                        const DeviceComputeKernelConfig& compute) {
    MatmulRequest request = request_of(input_tensor_a, input_tensor_b, false, false, memory_config, dtype,
                                       program_config, std::nullopt, std::nullopt, std::nullopt);
    request.activation = activation;
    request.kernels = compute;
    return run(input_tensor_a, input_tensor_b, bias, request, std::nullopt);
}

Tensor unscoped::matmul(const Tensor& input_tensor_a, const Tensor& input_tensor_b,
                        const OptionalMemoryConfig& memory_config, const OptionalDataType& dtype,
                        const OptionalProgramConfig& program_config,
                        const OptionalComputeKernelConfig& compute_kernel_config,
                        const OptionalCoreGrid& core_grid, const OptionalTensor& output) {
    return run(input_tensor_a, input_tensor_b, std::nullopt,
               request_of(input_tensor_a, input_tensor_b, false, false, memory_config, dtype, program_config,
                          std::nullopt, compute_kernel_config, core_grid),
               output);
}

}  // namespace tilemeter
