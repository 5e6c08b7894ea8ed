// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/matmul.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "runtime/compute/onednn.hpp"
#include "runtime/compute/parallel.hpp"
#include "runtime/types/dtype.hpp"
#include "runtime/types/number_formats.hpp"

namespace tilemeter::compute {

namespace {

using Dims = dnnl::memory::dims;
using DataType = dnnl::memory::data_type;

// A matrix, or a batch of them, as oneDNN sees it: transposition by strides.
struct Described {
    const void* data = nullptr;
    std::size_t element_size = sizeof(float);
    DataType type = DataType::f32;
    Dims dims{};
    Dims strides{};

    dnnl::memory::desc desc() const { return {dims, type, strides}; }
    dnnl::memory memory() const {
        return {desc(), engine(), const_cast<void*>(data)};  // NOLINT: oneDNN has no read-only memory
    }

    // Indices [begin, end) of a dimension; all where it is repeated.
    Described part(std::size_t dimension, dnnl::memory::dim begin, dnnl::memory::dim end,
                   dnnl::memory::dim of_all) const {
        if (dims[dimension] != of_all) return *this;
        Described made = *this;
        made.dims[dimension] = end - begin;
        made.data = static_cast<const std::byte*>(data) +
                    static_cast<std::size_t>(begin * strides[dimension]) * element_size;
        return made;
    }
};

Described described(const Shape& shape, bool transpose) {
    Described made;
    made.dims.assign(shape.dimensions().begin(), shape.dimensions().end());
    made.strides.resize(made.dims.size());
    dnnl::memory::dim stride = 1;
    for (std::size_t i = made.dims.size(); i-- > 0;) {
        made.strides[i] = stride;
        stride *= made.dims[i];
    }
    if (transpose) {
        const std::size_t last = made.dims.size() - 1;
        std::swap(made.dims[last], made.dims[last - 1]);
        std::swap(made.strides[last], made.strides[last - 1]);
    }
    return made;
}

struct Operands {
    Described left;
    Described right;
    Described out;
    const float* bias = nullptr;  ///< added to each row of the result
};

std::size_t rank_of(const MatrixOperand& a, const MatrixOperand& b) {
    return std::max<std::size_t>({a.shape.rank(), b.shape.rank(), 2});
}

Operands operands_of(const MatrixOperand& a, const MatrixOperand& b) {
    const std::size_t rank = rank_of(a, b);
    const Shape right = b.shape.rank() == 1 ? Shape{b.shape[0], 1} : b.shape;
    Operands made{described(a.shape.to_rank(rank), a.transpose && a.shape.rank() > 1),
                  described(right.to_rank(rank), b.transpose && b.shape.rank() > 1),
                  {}};
    Shape out;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        out.push_back(static_cast<std::uint32_t>(std::max(made.left.dims[i], made.right.dims[i])));
    out.push_back(static_cast<std::uint32_t>(made.left.dims[rank - 2]));
    out.push_back(static_cast<std::uint32_t>(made.right.dims[rank - 1]));
    made.out = described(out, false);
    return made;
}

// Many matrices times one are one matrix of more rows.
void join_rows(Operands& operands, bool transposes) {
    const std::size_t rank = operands.out.dims.size();
    if (transposes || rank == 2) return;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if (operands.right.dims[i] != 1) return;
    for (Described* each : {&operands.left, &operands.out}) {
        const dnnl::memory::dim columns = each->dims[rank - 1];
        dnnl::memory::dim rows = 1;
        for (std::size_t i = 0; i + 1 < rank; ++i)
            rows *= each->dims[i];
        each->dims = {rows, columns};
        each->strides = {columns, 1};
    }
    operands.right.dims.erase(operands.right.dims.begin(), operands.right.dims.end() - 2);
    operands.right.strides.erase(operands.right.strides.begin(), operands.right.strides.end() - 2);
}

// A row that stands for all rows of the result.
Described described_bias(const Operands& operands) {
    Described made;
    made.data = operands.bias;
    made.dims.assign(operands.out.dims.size(), 1);
    made.dims.back() = operands.out.dims.back();
    made.strides.assign(made.dims.size(), made.dims.back());
    made.strides.back() = 1;
    return made;
}

void multiply(const Operands& operands) {
    const OneThread one_thread;
    std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, operands.left.memory()},
                                                       {DNNL_ARG_WEIGHTS, operands.right.memory()},
                                                       {DNNL_ARG_DST, operands.out.memory()}};
    if (operands.bias == nullptr) {
        const auto desc =
            described_as<dnnl::matmul>({}, operands.left.desc(), operands.right.desc(), operands.out.desc());
        run("matmul", dnnl::matmul(desc), arguments);
        return;
    }
    const Described bias = described_bias(operands);
    arguments.emplace(DNNL_ARG_BIAS, bias.memory());
    const auto desc = described_as<dnnl::matmul>({}, operands.left.desc(), operands.right.desc(), bias.desc(),
                                                 operands.out.desc());
    run("matmul", dnnl::matmul(desc), arguments);
}

void multiply_in_parts(const Operands& operands) {
    const std::size_t rank = operands.out.dims.size();
    std::uint64_t steps = static_cast<std::uint64_t>(operands.left.dims[rank - 1]);
    for (const dnnl::memory::dim each : operands.out.dims)
        steps *= static_cast<std::uint64_t>(each);
    steps /= products_per_step(operands.left.type);
    // Along the first dimension that has an index for each thread; else along the longest.
    const std::size_t threads = thread_count(steps);
    std::size_t split = 0;
    for (std::size_t i = 1; i + 1 < rank; ++i) {
        if (operands.out.dims[split] >= static_cast<dnnl::memory::dim>(threads)) break;
        if (operands.out.dims[i] > operands.out.dims[split]) split = i;
    }
    const dnnl::memory::dim size = operands.out.dims[split];
    // More parts than threads, so that who comes late takes fewer of them; but not so many that the right operand is
    // read more often than it pays.
    constexpr dnnl::memory::dim kPartsOfThread = 2, kLeastRows = 64;
    const auto parts_of_threads = static_cast<dnnl::memory::dim>(threads);
    const dnnl::memory::dim parts =
        std::min(size, threads == 1 ? 1
                                    : std::clamp(split + 2 < rank ? size : size / kLeastRows,
                                                 parts_of_threads, kPartsOfThread * parts_of_threads));
    parallel_for(static_cast<std::size_t>(parts), steps, [&](std::size_t i) {
        const auto part = static_cast<dnnl::memory::dim>(i);
        const dnnl::memory::dim begin = size * part / parts;
        const dnnl::memory::dim end = size * (part + 1) / parts;
        Operands of_part{operands.left.part(split, begin, end, size), operands.right,
                         operands.out.part(split, begin, end, size), operands.bias};
        if (split + 2 < rank) of_part.right = operands.right.part(split, begin, end, size);
        multiply(of_part);
    });
}

// True if this processor multiplies bfloat16.
bool multiplies_bfloat16() {
    static const bool kDoes = [] {
        try {
            const dnnl::memory::desc in({1, 1}, DataType::bf16, Dims{1, 1});
            const dnnl::memory::desc out({1, 1}, DataType::f32, Dims{1, 1});
            described_as<dnnl::matmul>({}, in, in, out);
            return true;
        } catch (const dnnl::error&) {
            return false;
        }
    }();
    return kDoes;
}

void take_bfloat16(Described& matrix, const std::uint16_t* data) {
    matrix.data = data;
    matrix.type = DataType::bf16;
    matrix.element_size = sizeof(std::uint16_t);
}

bool are_multiplied_as_bfloat16(const MatrixOperand& a, const MatrixOperand& b) {
    return !a.bfloat16.empty() && !b.bfloat16.empty() && multiplies_bfloat16();
}

// The operands with their data; those that are converted, in the rooms.
Operands with_data(const MatrixOperand& a, const MatrixOperand& b, std::span<float> to,
                   FloatBuffer& left_room, FloatBuffer& right_room) {
    Operands operands = operands_of(a, b);
    if (are_multiplied_as_bfloat16(a, b)) {
        take_bfloat16(operands.left, a.bfloat16.data());
        take_bfloat16(operands.right, b.bfloat16.data());
    } else {
        operands.left.data = floats_of(a, left_room).data();
        operands.right.data = floats_of(b, right_room).data();
    }
    operands.out.data = to.data();
    join_rows(operands, a.transpose && a.shape.rank() > 1);
    return operands;
}

}  // namespace

MatrixOperand matrix_operand(const HostArray& array, bool transpose, FloatBuffer& room) {
    if (is_floating_point(array.dtype()) && array.dtype() != tilemeter::DataType::FLOAT32) {
        return {{},
                array.shape(),
                transpose,
                {reinterpret_cast<const std::uint16_t*>(array.bytes().data()), array.size()}};
    }
    if (array.dtype() == tilemeter::DataType::FLOAT32) return {array.floats(), array.shape(), transpose};
    room = FloatBuffer(array.size());
    array.read_floats(0, room.values());
    return {room.values(), array.shape(), transpose};
}

std::span<const float> floats_of(const MatrixOperand& operand, FloatBuffer& room) {
    if (operand.bfloat16.empty()) return operand.values;
    room = FloatBuffer(operand.bfloat16.size());
    from_bfloat16(operand.bfloat16.data(), room.values());
    return room.values();
}

Shape matmul_shape(const MatrixOperand& a, const MatrixOperand& b) {
    Shape shape;
    for (const dnnl::memory::dim each : operands_of(a, b).out.dims)
        shape.push_back(static_cast<std::uint32_t>(each));
    return shape;
}

void matmul(const MatrixOperand& a, const MatrixOperand& b, std::span<float> to) {
    if (to.empty()) return;
    FloatBuffer left_room(0), right_room(0);
    multiply_in_parts(with_data(a, b, to, left_room, right_room));
}

bool matmul_to_bfloat16(const MatrixOperand& a, const MatrixOperand& b, std::span<const float> bias,
                        std::span<std::uint16_t> to) {
    if (!are_multiplied_as_bfloat16(a, b)) return false;
    if (to.empty()) return true;
    Operands operands = operands_of(a, b);
    take_bfloat16(operands.left, a.bfloat16.data());
    take_bfloat16(operands.right, b.bfloat16.data());
    take_bfloat16(operands.out, to.data());
    if (!bias.empty()) operands.bias = bias.data();
    join_rows(operands, a.transpose && a.shape.rank() > 1);
    multiply_in_parts(operands);
    return true;
}

void matmul_in_thread(const MatrixOperand& a, const MatrixOperand& b, std::span<float> to) {
    if (to.empty()) return;
    FloatBuffer left_room(0), right_room(0);
    multiply(with_data(a, b, to, left_room, right_room));
}

std::vector<float> matmul(const MatrixOperand& a, const MatrixOperand& b) {
    std::vector<float> result(matmul_shape(a, b).volume());
    matmul(a, b, result);
    return result;
}

}  // namespace tilemeter::compute
