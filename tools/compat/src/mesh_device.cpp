// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/mesh_device.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "runtime/device/device.hpp"
#include "runtime/device/system_mesh.hpp"
#include "tilemeter_ttnn/device_facts.hpp"
#include "tools/compat/src/board.hpp"
#include "tools/compat/src/fatal.hpp"
#include "tools/compat/src/model.hpp"
#include "tt_stl/indestructible.hpp"

namespace tilemeter::compat {

std::string board_name() {
    const char* named = std::getenv("TILEMETER_DEVICE");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return named != nullptr && *named != '\0' ? named : "n150";
}

BufferType::Value allocated_memory(::tt::tt_metal::BufferType type) {
    if (type == ::tt::tt_metal::BufferType::SYSTEM_MEMORY)
        throw std::runtime_error("BufferType: expected a memory of the device, found SYSTEM_MEMORY");
    return to_model(type);
}

}  // namespace tilemeter::compat

namespace tt::tt_metal {

ClusterType GetClusterType() {
    static const std::map<std::string, ClusterType> kKinds = {
        {"n150", ClusterType::N150}, {"n300", ClusterType::N300}, {"p100", ClusterType::P100},
        {"p150", ClusterType::P150}, {"t3000", ClusterType::T3K}, {"galaxy", ClusterType::GALAXY}};
    const auto found = kKinds.find(tilemeter::compat::board_name());
    return found == kKinds.end() ? ClusterType::CUSTOM : found->second;
}

namespace detail {

MemoryView GetMemoryView(const IDevice* device, const BufferType& buffer_type) {
    const auto* mesh = dynamic_cast<const distributed::MeshDevice*>(device);
    if (mesh == nullptr) throw std::runtime_error("GetMemoryView: expected a device, found a null pointer");
    const auto type = tilemeter::compat::allocated_memory(buffer_type);
    return mesh->model()->with_state([&](const tilemeter::DeviceMemory& memory, auto& /*programs*/) {
        const tilemeter::BankAllocator& bank = memory.allocator(type);
        const tilemeter::BankStatistics now = bank.statistics();
        MemoryView view{
            memory.num_banks(type), now.bank_size, now.allocated, now.free, now.largest_free_block, {}};
        const std::vector<tilemeter::BankBlock> blocks = bank.blocks();
        for (std::size_t i = 0; i < blocks.size(); ++i)
            view.block_table.push_back(
                {{"blockID", std::to_string(i)},
                 {"address", std::to_string(blocks[i].address)},
                 {"size", std::to_string(blocks[i].size)},
                 {"prevID", i == 0 ? std::string("none") : std::to_string(i - 1)},
                 {"nextID", i + 1 == blocks.size() ? std::string("none") : std::to_string(i + 1)},
                 {"allocated", blocks[i].allocated ? "yes" : "no"}});
        return view;
    });
}

}  // namespace detail

namespace program_cache::detail {

void ProgramCache::clear() {
    device_->with_state([](auto& /*memory*/, auto& programs) { programs.clear(); });
}
std::size_t ProgramCache::num_entries() const {
    return device_->with_state([](auto& /*memory*/, auto& programs) { return programs.size(); });
}

}  // namespace program_cache::detail

namespace distributed {

namespace {

// The meshes that clients hold, by their models. Never destroyed: devices in statics close when everything else is gone.
struct Meshes {
    std::mutex mutex;
    std::map<const tilemeter::Device*, MeshDevice*> by_model;
};
Meshes& meshes() {
    static ttsl::Indestructible<Meshes> all;
    return all.get();
}

tilemeter::DeviceOptions options_of(std::size_t l1_small_size, std::size_t trace_region_size,
                                    std::size_t worker_l1_size) {
    tilemeter::DeviceOptions options;
    options.description = tilemeter::compat::board_name();
    options.l1_small_size = l1_small_size;
    options.trace_region_size = trace_region_size;
    options.worker_l1_size = worker_l1_size;
    return options;
}

}  // namespace

void EventSynchronize(const MeshEvent& /*event*/) {}
bool EventQuery(const MeshEvent& /*event*/) {
    return true;
}
void Synchronize(MeshDevice* /*device*/, std::optional<std::uint8_t> /*queue*/,
                 std::span<const SubDeviceId> /*sub_devices*/) {}

MeshDeviceConfig::MeshDeviceConfig(std::optional<MeshShape> mesh_shape, std::optional<MeshCoordinate> offset,
                                   std::vector<int> physical_device_ids)
    : mesh_shape_(std::move(mesh_shape)),
      offset_(std::move(offset)),
      physical_device_ids_(std::move(physical_device_ids)) {}

MeshDevice::MeshDevice(std::shared_ptr<tilemeter::Device> device)
    : device_(std::move(device)),
      shape_(device_->mesh_shape().rows, device_->mesh_shape().columns),
      programs_(*device_),
      allocator_(std::make_unique<Allocator>(device_)),
      stall_group_{SubDeviceId{0}} {
    Meshes& all = meshes();
    const std::scoped_lock lock(all.mutex);
    all.by_model[device_.get()] = this;
}

MeshDevice::~MeshDevice() {
    if (parent_ == nullptr) close();
    Meshes& all = meshes();
    const std::scoped_lock lock(all.mutex);
    all.by_model.erase(device_.get());
}

std::vector<SubDeviceId> MeshDevice::get_sub_device_ids() const {
    return {SubDeviceId{0}};
}
void MeshDevice::set_sub_device_stall_group(std::span<const SubDeviceId> sub_devices) {
    stall_group_.assign(sub_devices.begin(), sub_devices.end());
}
void MeshDevice::reset_sub_device_stall_group() {
    stall_group_ = get_sub_device_ids();
}

MeshDevice* MeshDevice::of(const tilemeter::Device& device) {
    Meshes& all = meshes();
    const std::scoped_lock lock(all.mutex);
    const auto found = all.by_model.find(&device);
    return found == all.by_model.end() ? nullptr : found->second;
}

MeshDevice* MeshDevice::with_id(ChipId id) {
    Meshes& all = meshes();
    const std::scoped_lock lock(all.mutex);
    // The newest of them is open; others may be kept by their clients.
    MeshDevice* with_it = nullptr;
    for (const auto& [model, mesh] : all.by_model)
        if (mesh->id() == id && (with_it == nullptr || model->is_open())) with_it = mesh;
    return with_it;
}

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig& config, std::size_t l1_small_size,
                                               std::size_t trace_region_size, std::size_t num_command_queues,
                                               const DispatchCoreConfig& /*dispatch_core_config*/,
                                               std::span<const std::uint32_t> /*l1_bank_remap*/,
                                               std::size_t worker_l1_size) {
    const tilemeter::DeviceOptions options = options_of(l1_small_size, trace_region_size, worker_l1_size);
    tilemeter::MeshShape shape =
        config.mesh_shape() ? tilemeter::compat::to_model(*config.mesh_shape()) : tilemeter::MeshShape{};
    tilemeter::MeshChoice choice;
    if (config.offset()) {
        choice.offset.row = (*config.offset())[0];
        choice.offset.column = config.offset()->dims() > 1 ? (*config.offset())[1] : 0;
    }
    for (const int each : config.physical_device_ids())
        choice.chips.push_back(static_cast<std::uint16_t>(each));
    auto mesh = tilemeter::compat::as_fatal("MeshDevice::create", [&] {
        return std::make_shared<MeshDevice>(tilemeter::open_mesh_device(shape, options, choice));
    });
    mesh->num_command_queues_ = static_cast<std::uint8_t>(num_command_queues);
    return mesh;
}

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(int device_id, std::size_t l1_small_size,
                                                         std::size_t trace_region_size,
                                                         std::size_t num_command_queues,
                                                         const DispatchCoreConfig& /*dispatch_core_config*/,
                                                         std::span<const std::uint32_t> /*l1_bank_remap*/,
                                                         std::size_t worker_l1_size) {
    auto mesh = tilemeter::compat::as_fatal("MeshDevice::create_unit_mesh", [&] {
        return std::make_shared<MeshDevice>(
            tilemeter::open_device(device_id, options_of(l1_small_size, trace_region_size, worker_l1_size)));
    });
    mesh->num_command_queues_ = static_cast<std::uint8_t>(num_command_queues);
    return mesh;
}

tt::ARCH MeshDevice::arch() const {
    return device_->description().arch == "BLACKHOLE" ? tt::ARCH::BLACKHOLE : tt::ARCH::WORMHOLE_B0;
}
ChipId MeshDevice::id() const {
    return static_cast<ChipId>(device_->id());
}
bool MeshDevice::is_initialized() const {
    return device_->is_open();
}
int MeshDevice::num_dram_channels() const {
    return static_cast<int>(device_->description().dram_banks);
}
std::uint32_t MeshDevice::l1_size_per_core() const {
    return static_cast<std::uint32_t>(device_->description().l1_size);
}
std::uint32_t MeshDevice::dram_size_per_channel() const {
    return static_cast<std::uint32_t>(device_->description().dram_bank_size);
}
CoreCoord MeshDevice::dram_grid_size() const {
    return {static_cast<std::size_t>(num_dram_channels()), 1};
}
CoreCoord MeshDevice::compute_with_storage_grid_size() const {
    return tilemeter::compat::from_model(device_->compute_with_storage_grid_size());
}

std::vector<int> MeshDevice::get_device_ids() const {
    return {device_->chips().begin(), device_->chips().end()};
}

void MeshDevice::reshape(const MeshShape& shape) {
    device_->reshape(tilemeter::compat::to_model(shape));
    shape_ = shape;
}

bool MeshDevice::close() {
    if (!device_->is_open()) return false;
    tilemeter::close_device(*device_);
    return true;
}

std::shared_ptr<MeshDevice> MeshDevice::create_submesh(const MeshShape& shape,
                                                       const std::optional<MeshCoordinate>& offset) {
    tilemeter::MeshPlace place;
    if (offset) place = {(*offset)[0], offset->dims() > 1 ? (*offset)[1] : 0};
    auto submesh = tilemeter::compat::as_fatal("MeshDevice::create_submesh", [&] {
        return std::make_shared<MeshDevice>(
            tilemeter::open_submesh(*device_, tilemeter::compat::to_model(shape), place));
    });
    submesh->parent_ = shared_from_this();
    submeshes_.push_back(submesh);
    return submesh;
}

std::vector<std::shared_ptr<MeshDevice>> MeshDevice::create_submeshes(const MeshShape& shape) {
    std::vector<std::shared_ptr<MeshDevice>> all;
    const auto rows = shape[0];
    const auto columns = shape.dims() > 1 ? shape[1] : 1;
    if (rows == 0 || columns == 0 || shape_[0] % rows != 0 || shape_[1] % columns != 0)
        throw std::runtime_error("Shape does not divide the mesh into equal parts");
    for (std::uint32_t row = 0; row < shape_[0]; row += rows)
        for (std::uint32_t column = 0; column < shape_[1]; column += columns)
            all.push_back(create_submesh(shape, MeshCoordinate(row, column)));
    return all;
}

std::vector<std::shared_ptr<MeshDevice>> MeshDevice::get_submeshes() const {
    std::vector<std::shared_ptr<MeshDevice>> alive;
    for (const std::weak_ptr<MeshDevice>& each : submeshes_)
        if (auto submesh = each.lock()) alive.push_back(std::move(submesh));
    return alive;
}

MeshCommandQueue& MeshDevice::mesh_command_queue(std::optional<std::uint8_t> id) {
    const std::uint8_t wanted = id.value_or(0);
    if (wanted >= num_command_queues_)
        throw std::runtime_error("cq_id " + std::to_string(wanted) + " is out of range");
    if (queues_.empty())
        for (std::uint8_t i = 0; i < num_command_queues_; ++i)
            queues_.emplace_back(*this, i);
    return queues_[wanted];
}

void MeshDevice::disable_and_clear_program_cache() {
    programs_.clear();
    programs_.disable();
}

std::string MeshDevice::to_string() const {
    return "MeshDevice(" + std::to_string(num_rows()) + "x" + std::to_string(num_cols()) + " grid, " +
           std::to_string(num_devices()) + " devices)";
}
std::ostream& operator<<(std::ostream& out, const MeshDevice& device) {
    return out << device.to_string();
}

}  // namespace distributed
}  // namespace tt::tt_metal
