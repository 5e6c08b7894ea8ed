// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/compute/blocks.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "runtime/compute/parallel.hpp"
#include "runtime/types/reused_memory.hpp"

namespace tilemeter::compute {

namespace {

constexpr std::size_t kRooms = 4;
constexpr std::size_t kResultRoom = 3;  // by_blocks() itself

}  // namespace

std::span<float> block_room(std::size_t number, std::size_t count) {
    // Behind a pointer: what threads have of their own lies in a room that libraries loaded late share.
    thread_local const auto rooms = std::make_unique<std::array<FloatBuffer, kRooms>>(
        std::array{FloatBuffer(0), FloatBuffer(0), FloatBuffer(0), FloatBuffer(0)});
    FloatBuffer& room = rooms->at(number);
    if (room.values().size() < count) room = FloatBuffer(std::max(count, kBlockElements));
    return room.values().first(count);
}

void parallel_blocks(std::uint64_t size, std::uint64_t row, std::uint64_t steps,
                     const std::function<void(std::uint64_t first, std::size_t count)>& part) {
    if (size == 0) return;
    // A thread takes several blocks at a time, as neighbours in memory.
    constexpr std::uint64_t kBlocksTogether = 8;
    const std::uint64_t unit = std::max<std::uint64_t>(row, 1);
    const std::uint64_t block = std::max<std::uint64_t>(kBlockElements / unit, 1) * unit;
    const std::uint64_t together = block * kBlocksTogether;
    parallel_for((size + together - 1) / together, size * steps, [&](std::size_t i) {
        const std::uint64_t end = std::min(size, (i + 1) * together);
        for (std::uint64_t first = i * together; first < end; first += block)
            part(first, std::min(block, end - first));
    });
}

HostArray by_blocks(DataType dtype, const Shape& shape, std::uint64_t row, std::uint64_t steps,
                    const std::function<void(std::uint64_t first, std::span<float> block)>& fill) {
    HostArray result = HostArray::unwritten(dtype, shape);
    std::uint64_t unit = row;
    if (is_block_float(dtype) && shape.rank() > 0) unit = std::max<std::uint64_t>(unit, shape[-1]);
    const std::span<float> in_place = result.floats();
    parallel_blocks(shape.volume(), unit, steps, [&](std::uint64_t first, std::size_t count) {
        if (!in_place.empty()) return fill(first, in_place.subspan(first, count));
        const std::span<float> room = block_room(kResultRoom, count);
        fill(first, room);
        result.write_floats(first, room);
    });
    return result;
}

BroadcastOperand::BroadcastOperand(const HostArray& array, const Shape& out)
    : array_(array), is_whole_(array.size() == out.volume()) {
    if (is_whole_) return;
    const Shape from = array.shape().to_rank(out.rank());
    sizes_.assign(out.dimensions().begin(), out.dimensions().end());
    strides_.resize(sizes_.size());
    std::uint64_t stride = 1;
    for (std::size_t i = sizes_.size(); i-- > 0;) {
        strides_[i] = from.dimensions()[i] == 1 ? 0 : stride;
        stride *= from.dimensions()[i];
    }
    // Neighbours that are read, or repeated, as one.
    for (std::size_t i = sizes_.size(); i-- > 1;) {
        if (sizes_[i] == 1) strides_[i] = strides_[i - 1];
        const bool is_one =
            sizes_[i] == 1 || sizes_[i - 1] == 1 ||
            (strides_[i] == 0 ? strides_[i - 1] == 0 : strides_[i - 1] == strides_[i] * sizes_[i]);
        if (!is_one) continue;
        sizes_[i] *= sizes_[i - 1];
        sizes_.erase(sizes_.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        strides_.erase(strides_.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
}

const float* BroadcastOperand::read(std::uint64_t first, std::span<float> room) const {
    if (is_whole_) {
        const std::span<const float> own = array_.floats();
        if (!own.empty()) return own.data() + first;
        array_.read_floats(first, room);
        return room.data();
    }
    const std::size_t last = sizes_.size() - 1;
    std::size_t done = 0;
    while (done < room.size()) {
        std::uint64_t at = 0;
        std::uint64_t rest = first + done;
        const std::uint64_t column = rest % sizes_[last];
        rest /= sizes_[last];
        for (std::size_t i = last; i-- > 0;) {
            at += rest % sizes_[i] * strides_[i];
            rest /= sizes_[i];
        }
        const std::size_t run = std::min<std::size_t>(room.size() - done, sizes_[last] - column);
        const std::span<float> part = room.subspan(done, run);
        if (strides_[last] == 0) {
            array_.read_floats(at, part.first(1));
            std::fill(part.begin() + 1, part.end(), part[0]);
        } else {
            array_.read_floats(at + column, part);
        }
        done += run;
    }
    return room.data();
}

HostArray by_blocks(
    DataType dtype, const Shape& shape, std::uint64_t steps, const std::array<const HostArray*, 3>& operands,
    const std::function<void(const float* a, const float* b, const float* c, std::span<float> block)>& fill) {
    const BroadcastOperand a(*operands[0], shape), b(*operands[1], shape), c(*operands[2], shape);
    return by_blocks(dtype, shape, 1, steps, [&](std::uint64_t first, std::span<float> block) {
        const auto read = [&](const BroadcastOperand& operand, std::size_t room) {
            return operand.read(first, block_room(room, block.size()));
        };
        fill(read(a, 0), read(b, 1), read(c, 2), block);
    });
}

HostArray converted(const HostArray& array, DataType dtype) {
    if (dtype == array.dtype() || !is_floating_point(dtype) || !is_floating_point(array.dtype()))
        return array.converted(dtype);
    return by_blocks(dtype, array.shape(), 1, 1,
                     [&](std::uint64_t first, std::span<float> block) { array.read_floats(first, block); });
}

}  // namespace tilemeter::compute
