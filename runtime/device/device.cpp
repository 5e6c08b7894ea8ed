// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "capture/log/log.hpp"
#include "capture/record/device_info.hpp"
#include "capture/record/emit.hpp"
#include "capture/record/private_log.hpp"
#include "capture/record/tensor_info.hpp"
#include "capture/record/text.hpp"
#include "capture/record/window.hpp"
#include "runtime/device/buffer.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/device/fixed_address.hpp"
#include "runtime/device/metal_trace.hpp"
#include "runtime/device/planning.hpp"
#include "runtime/device/query_shadow.hpp"
#include "runtime/device/unlimited_memory.hpp"
#include "runtime/types/rounding.hpp"
#include "runtime/types/spec_hash.hpp"

namespace tilemeter {

namespace {

// The bytes of a buffer in all its banks, as TT-NN counts it: whole shards, or its pages with what follows each.
std::uint64_t aligned_size(const record::BufferRecord& buffer, std::uint64_t num_banks,
                           const DeviceDescription& device) {
    if (buffer.num_cores != 0) return num_banks * buffer.size_per_bank_bytes;
    if (buffer.page_size_bytes == 0) return buffer.size_bytes;
    const bool dram =
        buffer.memory == record::MemoryType::kDram || buffer.memory == record::MemoryType::kTrace;
    const std::uint64_t alignment = dram ? device.dram_alignment : device.l1_alignment;
    const std::uint64_t page = (buffer.page_size_bytes + alignment - 1) / alignment * alignment;
    return buffer.size_bytes / buffer.page_size_bytes * page;
}

std::string worker_cores_json(CoreCoord grid) {
    return "[{\"end\":{\"x\":" + std::to_string(grid.x - 1) + ",\"y\":" + std::to_string(grid.y - 1) +
           "},\"start\":{\"x\":0,\"y\":0}}]";
}

std::uint64_t values_hash(const Buffer* buffer) {
    if (buffer == nullptr || buffer->values() == nullptr) return 0;
    std::uint64_t hash = 1;
    for (const HostArray& array : *buffer->values()) {
        const std::span<const std::byte> bytes = array.bytes();
        hash = mix_hash(
            hash, std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    }
    return hash;
}

std::uint64_t next_device_number() {
    static std::atomic<std::uint64_t> numbers{0};
    return ++numbers;
}

// Programs and tensors get the top of L1; what is below it is for kernels.
DeviceDescription with_worker_l1(DeviceDescription device, std::uint64_t size) {
    if (size == 0) return device;
    constexpr std::uint64_t kKernels = 69 * 1024;
    const std::uint64_t most = device.l1_size - device.l1_unreserved_base + kKernels;
    if (size > most) {  // TT-NN's words
        throw RuntimeError("Worker L1 size " + std::to_string(size) + " is larger than max size " +
                           std::to_string(most));
    }
    device.l1_unreserved_base = round_up(device.l1_size - size, device.allocation_granularity);
    return device;
}

}  // namespace

Device::Device(record::DeviceId id, DeviceDescription description, const DeviceOptions& options,
               MeshShape shape, std::vector<std::uint16_t> chips)
    : id_(id),
      number_(next_device_number()),
      description_(with_worker_l1(std::move(description), options.worker_l1_size)),
      options_(options),
      mesh_shape_(shape),
      chips_(std::move(chips)),
      name_(record::intern("device " + std::to_string(static_cast<unsigned>(id_)))),
      worker_cores_(record::intern(worker_cores_json(description_.compute_grid))),
      sub_devices_(record::intern("[{\"sub_device_id\":0,\"worker_core_ranges\":" +
                                  worker_cores_json(description_.compute_grid) + "}]")),
      traces_(std::make_unique<MetalTraces>(*this)),
      real_{DeviceMemory(description_, {options.l1_small_size, options.trace_region_size}), ProgramCache()} {
    announce();
    logging::info({"device ", static_cast<unsigned>(id_), " is an ", description_.name, " (",
                   description_.arch, "), ", chips_.size(), " chip(s), ", description_.num_compute_cores(),
                   " cores"});
}

Device::~Device() {
    close();
}

void Device::announce() const {
    const std::uint64_t cores = description_.num_compute_cores();
    const BankStatistics l1 = real_.memory.allocator(record::MemoryType::kL1).statistics();
    record::DeviceInfo info;
    info.arch = description_.arch;
    info.chips = chips_;
    info.num_y_cores = description_.logical_grid.y;
    info.num_x_cores = description_.logical_grid.x;
    info.num_y_compute_cores = description_.compute_grid.y;
    info.num_x_compute_cores = description_.compute_grid.x;
    info.worker_l1_size = description_.l1_size;
    info.l1_num_banks = cores;
    info.l1_bank_size = l1.bank_size;
    info.address_at_first_l1_cb_buffer = description_.l1_unreserved_base;
    info.num_banks_per_storage_core = 1;
    info.num_compute_cores = cores;
    info.total_l1_memory = cores * description_.l1_size;
    info.total_l1_for_interleaved_buffers = cores * l1.bank_size;
    info.total_l1_for_sharded_buffers = cores * l1.bank_size;
    // The program memory's limit does not shrink with L1_SMALL, as recorded.
    info.cb_limit = description_.l1_size - description_.l1_unreserved_base;
    info.num_dram_channels = description_.dram_banks;
    info.dram_size_per_channel = description_.dram_bank_size;
    info.cluster_descriptor = cluster_descriptor_of(description_);
    record::announce_device(id_, std::move(info));
}

Device::Shadow::~Shadow() {
    for (const AllocationList::Node* node : freed)
        node->shadows_without_it.fetch_sub(1, std::memory_order_relaxed);
}

Device::Shadow* Device::find_shadow(std::uint64_t epoch) const {
    if (epoch == 0) return nullptr;
    if (capture_shadow_ && capture_shadow_->epoch == epoch) return capture_shadow_.get();
    const auto found = std::ranges::find(frame_shadows_, epoch, [](const auto& each) { return each->epoch; });
    return found == frame_shadows_.end() ? nullptr : found->get();
}

const Device::Shadow* Device::shadow_in_force() const {
    const PlanningFrame* const frame = planning_frame();
    const Shadow* const own = find_shadow(planning_epoch());
    return own != nullptr || frame == nullptr ? own : find_shadow(frame->outer_epoch());
}

Device::Shadow* Device::current_shadow() {
    if (!open_) throw RuntimeError("device " + std::to_string(static_cast<unsigned>(id_)) + " is closed");
    const std::uint64_t capture = record::shadow_epoch();
    if (capture_shadow_ && capture_shadow_->epoch != capture) drop_shadow(capture_shadow_->epoch);
    const PlanningFrame* const frame = planning_frame();
    const std::uint64_t epoch = frame != nullptr ? frame->epoch() : capture;
    if (epoch == 0) return nullptr;
    if (Shadow* const found = find_shadow(epoch)) return found;
    if (frame == nullptr) {
        capture_shadow_ = std::make_shared<Shadow>(epoch, nullptr, real_, allocations_made_);
        return capture_shadow_.get();
    }
    std::shared_ptr<Shadow> outer;
    QueryShadow* const query = QueryShadow::around(frame->outer_epoch(), *this);
    if (const Shadow* const around = find_shadow(frame->outer_epoch())) {
        outer = around == capture_shadow_.get()
                    ? capture_shadow_
                    : *std::ranges::find(frame_shadows_, around, [](const auto& each) { return each.get(); });
    }
    const State& copied = outer ? outer->state : query != nullptr ? query->state() : real_;
    return frame_shadows_.emplace_back(std::make_shared<Shadow>(epoch, outer, copied, allocations_made_))
        .get();
}

Device::State& Device::current_state() {
    Shadow* const shadow = current_shadow();
    return shadow != nullptr ? shadow->state : real_;
}

void Device::drop_shadow(std::uint64_t epoch) {
    if (capture_shadow_ && capture_shadow_->epoch == epoch) capture_shadow_.reset();
    std::erase_if(frame_shadows_, [epoch](const auto& each) { return each->epoch == epoch; });
    std::erase_if(kept_, [this, epoch](AllocationList::Node& node) {
        const bool planned = node.allocation.shadow_epoch == epoch;
        if (planned) allocations_.leave(node);
        return planned;
    });
}

DeviceMemory Device::memory() const {
    if (QueryShadow* const query = QueryShadow::of(*this)) return query->state().memory;
    const std::scoped_lock lock(mutex_);
    const Shadow* const shadow = shadow_in_force();
    return shadow != nullptr ? shadow->state.memory : real_.memory;
}

namespace {

// The number of an allocation that lies over others, at an address that was given, or whose block was taken from it.
constexpr std::uint64_t kNoBlock = 0;

// An address behind all banks of a device.
constexpr std::uint64_t kBehindBanks = std::uint64_t{1} << 40U;

}  // namespace

void Device::allocate(AllocationList::Node& node, std::uint64_t num_banks) {
    record::BufferRecord& buffer = node.allocation.buffer_record;
    if (QueryShadow::current() != nullptr) return allocate_in_query(node, num_banks);
    const std::scoped_lock lock(mutex_);
    Shadow* const shadow = current_shadow();
    if (shadow == nullptr) traces_->warn_of_allocation();
    BankAllocator& allocator = (shadow != nullptr ? shadow->state : real_).memory.allocator(buffer.memory);
    // A tensor without elements has no memory.
    std::optional<std::uint64_t> address = 0;
    bool has_block = true;
    if (buffer.size_bytes != 0) {
        address = ScopedAddress::current();
        if (address) {
            has_block = allocator.allocate_at(*address, buffer.size_per_bank_bytes);
        } else {
            address = allocator.allocate(buffer.size_per_bank_bytes);
        }
    }
    if (!address && shadow != nullptr && ScopedUnlimitedMemory::is_in_force()) {
        address = kBehindBanks + allocations_made_ * buffer.page_size_bytes;
        has_block = false;
    }
    // A tensor that no state of the device could hold is traced all the same in a NO_DISPATCH capture, at no place; its
    // size counts.
    const bool is_traced_only = shadow != nullptr && shadow == capture_shadow_.get();
    if (!address && is_traced_only && buffer.size_per_bank_bytes > allocator.statistics().bank_size) {
        address = 0;
        has_block = false;
    }
    if (!address) throw_out_of_memory(buffer, num_banks, allocator, owners_now(buffer.memory));
    buffer.address = *address;
    node.allocation.shadow_epoch = shadow == nullptr ? 0 : shadow->epoch;
    ++allocations_made_;
    node.allocation.number = has_block ? allocations_made_ : kNoBlock;
    allocations_.enter(node);
}

void Device::throw_out_of_memory(const record::BufferRecord& buffer, std::uint64_t num_banks,
                                 const BankAllocator& allocator, std::vector<BufferOwner> owners) const {
    OutOfMemoryError error(buffer.memory, aligned_size(buffer, num_banks, description_), num_banks,
                           buffer.size_per_bank_bytes, allocator.statistics());
    error.device = static_cast<unsigned>(id_);
    error.operation = record::text_of(ScopedUserOperation::current());
    error.owners = std::move(owners);
    throw error;
}

DeviceState* Device::state_of_query() const {
    QueryShadow* const query = QueryShadow::of(*this);
    return query != nullptr ? &query->state() : nullptr;
}

void Device::allocate_in_query(AllocationList::Node& node, std::uint64_t num_banks) {
    QueryShadow* const query = QueryShadow::of(*this);
    if (query == nullptr) {
        throw RuntimeError("query: expected tensors of the device that is asked about, got one of device " +
                           std::to_string(static_cast<unsigned>(id_)));
    }
    if (!open_) throw RuntimeError("device " + std::to_string(static_cast<unsigned>(id_)) + " is closed");
    const record::BufferRecord& buffer = node.allocation.buffer_record;
    if (query->allocate(node.allocation)) return;
    try {
        throw_out_of_memory(buffer, num_banks, query->state().memory.allocator(buffer.memory),
                            query->owners(buffer.memory));
    } catch (const OutOfMemoryError&) {
        query->note_refusal(std::current_exception());
        throw;
    }
}

void Device::override_memory(const DeviceMemory& memory) {
    constexpr std::array kTypes = {record::MemoryType::kDram, record::MemoryType::kL1,
                                   record::MemoryType::kL1Small, record::MemoryType::kTrace};
    const std::scoped_lock lock(mutex_);
    if (QueryShadow::is_in_force() || current_shadow() != nullptr)
        throw RuntimeError("override_mock_allocator_state: expected a thread that runs, got one that plans");
    if (!real_.memory.has_banks_of(memory)) {
        throw RuntimeError("override_mock_allocator_state: expected a state of this device's banks (" +
                           description_.name + "), got one of another board");
    }
    real_.memory = memory;
    for (const record::MemoryType type : kTypes) {
        std::unordered_set<std::uint64_t> blocks;
        for (const BankBlock& each : memory.allocator(type).blocks())
            if (each.allocated) blocks.insert(each.address);
        allocations_.for_each([&](AllocationList::Node& node) {
            Allocation& each = node.allocation;
            if (each.shadow_epoch != 0 || each.buffer_record.memory != type || each.number == kNoBlock)
                return;
            if (!blocks.contains(each.buffer_record.address)) each.number = kNoBlock;
        });
    }
}

void Device::free(AllocationList::Node& node) {
    const Allocation& freed = node.allocation;
    if (QueryShadow::is_epoch(freed.shadow_epoch)) {
        QueryShadow* const query = QueryShadow::of(*this);
        if (query != nullptr && query->epoch() == freed.shadow_epoch) query->free(freed);
        return;
    }
    const std::scoped_lock lock(mutex_);
    allocations_.leave(node);
    if (node.shadows_without_it.load(std::memory_order_relaxed) != 0) forget_in_shadows(node);
    if (!open_ || freed.buffer_record.size_bytes == 0 || freed.number == kNoBlock) return;
    Shadow* const shadow = find_shadow(freed.shadow_epoch);
    if (freed.shadow_epoch != 0 && shadow == nullptr) return;
    State& state = shadow != nullptr ? shadow->state : real_;
    state.memory.allocator(freed.buffer_record.memory).free(freed.buffer_record.address);
}

void Device::forget_in_shadows(AllocationList::Node& node) {
    const auto forget = [&](Shadow* shadow) {
        for (; shadow != nullptr; shadow = shadow->outer.get())
            shadow->freed.erase(&node);
    };
    forget(capture_shadow_.get());
    for (const std::shared_ptr<Shadow>& each : frame_shadows_)
        forget(each.get());
    node.shadows_without_it.store(0, std::memory_order_relaxed);
}

bool Device::free_in_shadow(AllocationList::Node& node) {
    const Allocation& freed = node.allocation;
    if (QueryShadow* const query = QueryShadow::of(*this)) {
        if (!open_ || query->epoch() == freed.shadow_epoch || query->is_freed(freed.buffer_record.buffer))
            return false;
        query->free_outside(freed);
        return true;
    }
    const std::scoped_lock lock(mutex_);
    if (!open_) return false;
    Shadow* const shadow = current_shadow();
    if (shadow == nullptr || freed.shadow_epoch == shadow->epoch || !is_in_force(node, shadow)) return false;
    BankAllocator& allocator = shadow->state.memory.allocator(freed.buffer_record.memory);
    const bool is_copied = freed.number <= shadow->last_copied;  // not made by another thread since then
    const bool has_block = freed.buffer_record.size_bytes != 0 && freed.number != kNoBlock;
    if (has_block && is_copied) allocator.free(freed.buffer_record.address);
    shadow->freed.insert(&node);
    node.shadows_without_it.fetch_add(1, std::memory_order_relaxed);
    return true;
}

bool Device::is_freed_in_shadow(const AllocationList::Node& node) const {
    if (QueryShadow* const query = QueryShadow::of(*this))
        return query->is_freed(node.allocation.buffer_record.buffer);
    const std::scoped_lock lock(mutex_);
    for (const Shadow* shadow = shadow_in_force(); shadow != nullptr; shadow = shadow->outer.get()) {
        if (shadow->freed.contains(&node)) return true;
    }
    return false;
}

void Device::keep(AllocationList::Node& node) {
    if (QueryShadow* const query = QueryShadow::of(*this))
        return query->keep(node.allocation.buffer_record.buffer);
    const std::scoped_lock lock(mutex_);
    allocations_.leave(node);
    AllocationList::Node& copy = kept_.emplace_back();
    copy.allocation = node.allocation;
    allocations_.enter(copy);
}

void Device::free_kept(record::BufferId buffer) {
    if (QueryShadow* const query = QueryShadow::of(*this)) {
        if (const auto kept = query->take_kept(buffer)) query->free(*kept);
        return;
    }
    emit_live_buffers_once();
    std::list<AllocationList::Node> freed;  // its node, out of the list
    AllocationList::Node* outside = nullptr;
    {
        const std::scoped_lock lock(mutex_);
        const Shadow* const shadow = current_shadow();
        const auto found = std::ranges::find(kept_, buffer, [](const AllocationList::Node& each) {
            return each.allocation.buffer_record.buffer;
        });
        if (found == kept_.end() || !is_in_force(*found, shadow)) return;
        record::emit_buffer_free(found->allocation.buffer_record,
                                 shadow != nullptr ? record::Origin::kPlanned : record::Origin::kObserved);
        if (found->allocation.shadow_epoch == (shadow != nullptr ? shadow->epoch : 0))
            freed.splice(freed.end(), kept_, found);
        else
            outside = &*found;
    }
    for (AllocationList::Node& node : freed)
        free(node);
    if (outside != nullptr) free_in_shadow(*outside);
}

std::vector<Allocation> Device::live_allocations() const {
    if (QueryShadow* const query = QueryShadow::of(*this)) return query->live();
    const std::scoped_lock lock(mutex_);
    const Shadow* const shadow = shadow_in_force();
    std::vector<Allocation> live;
    allocations_.for_each([&](const AllocationList::Node& node) {
        if (node.allocation.buffer_record.size_bytes != 0 && is_in_force(node, shadow))
            live.push_back(node.allocation);
    });
    return live;
}

std::vector<std::shared_ptr<Buffer>> Device::live_buffers() const {
    std::vector<std::shared_ptr<Buffer>> live;
    const std::scoped_lock lock(mutex_);
    allocations_.for_each([&](const AllocationList::Node& node) {
        if (node.buffer == nullptr || node.allocation.shadow_epoch != 0) return;
        // None while its destructor waits for the lock.
        if (std::shared_ptr<Buffer> buffer = node.buffer->weak_from_this().lock())
            live.push_back(std::move(buffer));
    });
    return live;
}

std::vector<BufferOwner> Device::owners(record::MemoryType memory) const {
    if (QueryShadow* const query = QueryShadow::of(*this)) return query->owners(memory);
    const std::scoped_lock lock(mutex_);
    return owners_now(memory);
}

bool Device::is_in_force(const AllocationList::Node& node, const Shadow* shadow) {
    for (; shadow != nullptr; shadow = shadow->outer.get()) {
        if (node.allocation.shadow_epoch == shadow->epoch) return true;
        if (shadow->freed.contains(&node)) return false;
    }
    return node.allocation.shadow_epoch == 0;
}

std::vector<BufferOwner> Device::owners_now(record::MemoryType memory) const {
    const Shadow* const shadow = shadow_in_force();
    std::vector<BufferOwner> owners;
    allocations_.for_each([&](const AllocationList::Node& node) {
        const Allocation& each = node.allocation;
        if (each.buffer_record.memory != memory || !is_in_force(node, shadow)) return;
        record::TensorInfo tensor = record::tensor_info_of(each.spec);
        owners.push_back({static_cast<std::uint64_t>(each.buffer_record.buffer), each.buffer_record.address,
                          each.buffer_record.size_per_bank_bytes, std::move(tensor.shape),
                          std::string(record::text_of(tensor.dtype)),
                          std::string(record::text_of(tensor.layout)),
                          std::string(record::text_of(each.operation))});
    });
    std::sort(owners.begin(), owners.end(),
              [](const BufferOwner& a, const BufferOwner& b) { return a.address > b.address; });
    return owners;
}

std::uint64_t Device::state_hash() const {
    constexpr std::array kTypes = {record::MemoryType::kDram, record::MemoryType::kL1,
                                   record::MemoryType::kL1Small, record::MemoryType::kTrace};
    const std::scoped_lock lock(mutex_);
    std::uint64_t hash = mix_hash(static_cast<std::uint64_t>(id_), open_ ? 1 : 0);
    for (const record::MemoryType type : kTypes) {
        for (const BankBlock& block : real_.memory.allocator(type).blocks()) {
            hash = mix_hash(mix_hash(mix_hash(hash, block.address), block.size), block.allocated ? 1 : 0);
        }
    }
    hash = mix_hash(hash, real_.programs.hash());
    allocations_.for_each([&](const AllocationList::Node& node) {
        const Allocation& each = node.allocation;
        if (each.shadow_epoch != 0) return;
        hash = mix_hash(hash, static_cast<std::uint64_t>(each.buffer_record.buffer));
        hash = mix_hash(mix_hash(hash, each.buffer_record.address), each.buffer_record.size_per_bank_bytes);
        hash = mix_hash(hash, values_hash(node.buffer));
    });
    return mix_hash(hash, runtime_ids_);
}

void Device::emit_sub_devices_once() {
    const std::uint64_t captures = record::windows_opened();
    {
        const std::scoped_lock lock(mutex_);
        if (sub_devices_emitted_ == captures) return;
        sub_devices_emitted_ = captures;
    }
    record::emit_sub_device_manager(id_, 0, sub_devices_);
}

void Device::emit_live_buffers() {
    if (record::has_private_log()) return;  // these are for captures
    const std::uint64_t captures = record::windows_opened();
    const std::scoped_lock lock(mutex_);
    if (live_buffers_emitted_ == captures) return;
    live_buffers_emitted_ = captures;
    const Shadow* const shadow = find_shadow(record::shadow_epoch());  // what captures see, not this thread
    allocations_.for_each([&](const AllocationList::Node& node) {
        const Allocation& each = node.allocation;
        if (!is_in_force(node, shadow)) return;
        record::emit_buffer_alive(each.buffer_record, each.shadow_epoch == 0 ? record::Origin::kObserved
                                                                             : record::Origin::kPlanned);
    });
}

std::uint64_t Device::next_runtime_id() {
    const std::scoped_lock lock(mutex_);
    return ++runtime_ids_;
}

}  // namespace tilemeter
