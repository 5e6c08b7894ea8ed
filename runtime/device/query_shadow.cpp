// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/query_shadow.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/fixed_address.hpp"

namespace tilemeter {

namespace {

std::uint64_t in_32_bits(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(bytes);
}

}  // namespace

// Each thread takes many at once.
std::uint64_t QueryShadow::next_number() {
    constexpr std::uint64_t kBlock = 4096;
    static std::atomic<std::uint64_t> blocks{0};
    constinit thread_local std::uint64_t next = 0, end = 0;
    if (next == end) {
        next = blocks.fetch_add(kBlock, std::memory_order_relaxed);
        end = next + kBlock;
    }
    return ++next;
}

QueryShadow::QueryShadow(const Device& device, const DeviceMemory& memory, std::shared_ptr<void>& kept)
    : device_(device),
      outer_(innermost_),
      hooks_(device_hooks()),
      frame_(kEpochs | next_number()),
      planning_(frame_),
      state_{DeviceMemory::borrowed(memory), ProgramCache()},
      kept_(kept),
      region_end_(device.description().l1_unreserved_base) {
    innermost_ = this;
    set_device_hooks(nullptr);
}

QueryShadow::~QueryShadow() {
    innermost_ = outer_;
    set_device_hooks(hooks_);
}

void QueryShadow::begin_step(Placing placing) {
    begin(placing, true);
    for (Live& each : live_)
        each.is_counted = false;
    now_ = peak_ = {};
    region_end_ = device_.description().l1_unreserved_base;
    config_.reset();
    refusal_ = nullptr;
}

void QueryShadow::count(std::uint64_t MemoryFigures::*kind, std::uint64_t bytes) {
    now_.*kind += in_32_bits(bytes);
    peak_.*kind = std::max(peak_.*kind, now_.*kind);
    const std::uint64_t ttnn = now_.tensors + now_.circular_buffers;
    peak_.tensors_and_circular_buffers = std::max(peak_.tensors_and_circular_buffers, ttnn);
    peak_.all = std::max(peak_.all, ttnn + now_.dataflow_buffers + now_.scratchpads);
}

bool QueryShadow::allocate(Allocation& allocation) {
    record::BufferRecord& buffer = allocation.buffer_record;
    std::optional<std::uint64_t> address = 0;
    bool has_block = false;
    if (buffer.size_bytes != 0 && placing_ != Placing::kNowhere) {
        BankAllocator& allocator = state_.memory.allocator(buffer.memory);
        const auto given = ScopedAddress::current();
        has_block = true;
        if (given) {
            address = given;
            has_block = allocator.allocate_at(*given, buffer.size_per_bank_bytes);
        } else {
            address = allocator.allocate(buffer.size_per_bank_bytes);
        }
        if (!address) return false;
    }
    buffer.address = *address;
    allocation.shadow_epoch = epoch();
    allocation.number = has_block ? 1 : 0;
    const bool counted = counts_ && buffer.size_bytes != 0 && buffer.memory != record::MemoryType::kDram;
    live_.push_back({allocation, false, counted});
    if (counted) count(&MemoryFigures::tensors, buffer.size_per_bank_bytes);
    return true;
}

void QueryShadow::release(const Live& live) {
    const record::BufferRecord& buffer = live.allocation.buffer_record;
    if (live.allocation.number != 0) state_.memory.allocator(buffer.memory).free(buffer.address);
    if (live.is_counted) now_.tensors -= in_32_bits(buffer.size_per_bank_bytes);
}

void QueryShadow::free(const Allocation& allocation) {
    const record::BufferId buffer = allocation.buffer_record.buffer;
    for (auto each = live_.end(); each != live_.begin();) {
        if ((--each)->allocation.buffer_record.buffer != buffer) continue;
        release(*each);
        live_.erase(each);
        return;
    }
}

void QueryShadow::free_outside(const Allocation& allocation) {
    const record::BufferRecord& buffer = allocation.buffer_record;
    freed_outside_.push_back(buffer.buffer);
    if (placing_ == Placing::kNowhere || buffer.size_bytes == 0) return;
    state_.memory.allocator(buffer.memory).free_if_allocated(buffer.address);
}

bool QueryShadow::is_freed(record::BufferId buffer) const {
    return std::ranges::find(freed_outside_, buffer) != freed_outside_.end();
}

void QueryShadow::keep(record::BufferId buffer) {
    for (Live& each : live_)
        if (each.allocation.buffer_record.buffer == buffer) each.is_kept = true;
}

std::optional<Allocation> QueryShadow::take_kept(record::BufferId buffer) {
    const auto found = std::ranges::find_if(live_, [buffer](const Live& each) {
        return each.is_kept && each.allocation.buffer_record.buffer == buffer;
    });
    if (found == live_.end()) return std::nullopt;
    return found->allocation;
}

void QueryShadow::free_all_kept() {
    std::erase_if(live_, [this](const Live& each) {
        if (each.is_kept) release(each);
        return each.is_kept;
    });
}

std::vector<Allocation> QueryShadow::live() const {
    std::vector<Allocation> live;
    for (auto each = live_.rbegin(); each != live_.rend(); ++each)
        if (!each->is_kept && each->allocation.buffer_record.size_bytes != 0)
            live.push_back(each->allocation);
    return live;
}

std::vector<BufferOwner> QueryShadow::owners(record::MemoryType memory) const {
    // Of what was there before, only the places are known.
    std::vector<BufferOwner> owners;
    for (const BankBlock& block : std::as_const(state_.memory).allocator(memory).blocks()) {
        if (!block.allocated) continue;
        BufferOwner owner;
        owner.address = block.address;
        owner.size_per_bank_bytes = block.size;
        for (const Live& each : live_) {
            const record::BufferRecord& buffer = each.allocation.buffer_record;
            if (buffer.memory != memory || buffer.address != block.address || each.allocation.number == 0)
                continue;
            record::TensorInfo tensor = record::tensor_info_of(each.allocation.spec);
            owner = {static_cast<std::uint64_t>(buffer.buffer),
                     block.address,
                     buffer.size_per_bank_bytes,
                     std::move(tensor.shape),
                     std::string(record::text_of(tensor.dtype)),
                     std::string(record::text_of(tensor.layout)),
                     std::string(record::text_of(each.allocation.operation))};
        }
        owners.push_back(std::move(owner));
    }
    std::ranges::reverse(owners);
    return owners;
}

void QueryShadow::note_program(const CachedProgram& program) {
    region_end_ = std::max(region_end_, program.placement.region_end);
    for (std::uint32_t i = 0; i < program.num_programs; ++i) {
        now_.circular_buffers = now_.dataflow_buffers = now_.scratchpads = 0;
        for (const ProgramMemory& piece : program.memory) {
            switch (piece.kind) {
                case ProgramMemoryKind::kCircularBuffer:
                    if (piece.shared_with == ProgramMemory::kOwn)
                        count(&MemoryFigures::circular_buffers, piece.size_bytes);
                    break;
                case ProgramMemoryKind::kDataflowBuffer:
                    if (piece.shared_with == ProgramMemory::kOwn)
                        count(&MemoryFigures::dataflow_buffers, piece.size_bytes);
                    break;
                case ProgramMemoryKind::kScratchpad:
                case ProgramMemoryKind::kOther:
                    count(&MemoryFigures::scratchpads, piece.size_bytes);
                    break;
            }
        }
    }
}

ScopedAroundQuery::ScopedAroundQuery()
    : left_(QueryShadow::innermost_),
      hooks_(device_hooks()),
      planning_(left_->planning_),
      silence_(left_->silence_) {
    QueryShadow::innermost_ = left_->outer_;
    set_device_hooks(left_->hooks_);
}

ScopedAroundQuery::~ScopedAroundQuery() {
    QueryShadow::innermost_ = left_;
    set_device_hooks(hooks_);
}

}  // namespace tilemeter
