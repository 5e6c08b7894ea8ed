// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Devices as TT-Metalium's clients hold them: shared pointers to MeshDevice, of one chip or several.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tilemeter_ttnn/core_coord.hpp"
#include "tilemeter_ttnn/enums.hpp"
#include "tilemeter_ttnn/mesh.hpp"
#include "tt_stl/small_vector.hpp"
#include "tt_stl/span.hpp"
#include "tt_stl/strong_type.hpp"

namespace tilemeter {
class Device;
}

namespace ttnn {
class Tensor;
struct QueueIdTag {};
using QueueId = ttsl::StrongType<std::uint8_t, QueueIdTag>;
inline constexpr QueueId DefaultQueueId{0};
}  // namespace ttnn

namespace tt::tt_metal {

class Allocator;

struct SubDeviceIdTag {};
using SubDeviceId = ttsl::StrongType<std::uint8_t, SubDeviceIdTag>;
struct SubDeviceManagerIdTag {};
using SubDeviceManagerId = ttsl::StrongType<std::uint64_t, SubDeviceManagerIdTag>;
using ChipId = int;

inline constexpr std::size_t DEFAULT_L1_SMALL_SIZE = 0;
inline constexpr std::size_t DEFAULT_TRACE_REGION_SIZE = 0;
inline constexpr std::size_t DEFAULT_WORKER_L1_SIZE = 0;

/// Which cores dispatch: of no effect on a model.
class DispatchCoreConfig {
public:
    DispatchCoreConfig() = default;
    DispatchCoreConfig(DispatchCoreType type) : type_(type) {}  // NOLINT: a type is a config
    DispatchCoreConfig(DispatchCoreType type, DispatchCoreAxis axis) : type_(type), axis_(axis) {}
    DispatchCoreType get_dispatch_core_type() const { return type_; }
    DispatchCoreAxis get_dispatch_core_axis() const { return axis_; }
    bool operator==(const DispatchCoreConfig&) const = default;

private:
    DispatchCoreType type_ = DispatchCoreType::WORKER;
    DispatchCoreAxis axis_ = DispatchCoreAxis::ROW;
};

namespace program_cache::detail {
/// The programs that a device has made.
class ProgramCache {
public:
    explicit ProgramCache(tilemeter::Device& device) : device_(&device) {}
    bool is_enabled() const { return is_enabled_; }
    void enable() { is_enabled_ = true; }
    void disable() { is_enabled_ = false; }
    void clear();
    std::size_t num_entries() const;

private:
    tilemeter::Device* device_;
    bool is_enabled_ = true;
};
}  // namespace program_cache::detail

/// What a chip and a mesh have in common.
class IDevice {
public:
    virtual ~IDevice() = default;
    IDevice() = default;
    IDevice(const IDevice&) = delete;
    IDevice& operator=(const IDevice&) = delete;

    virtual tt::ARCH arch() const = 0;
    virtual ChipId id() const = 0;
    virtual std::uint8_t num_hw_cqs() const = 0;
    virtual bool is_initialized() const = 0;
    virtual int num_dram_channels() const = 0;
    virtual std::uint32_t l1_size_per_core() const = 0;
    virtual std::uint32_t dram_size_per_channel() const = 0;
    virtual CoreCoord grid_size() const = 0;
    virtual CoreCoord logical_grid_size() const = 0;
    virtual CoreCoord dram_grid_size() const = 0;
    virtual CoreCoord compute_with_storage_grid_size() const = 0;
};

/// The kind of machine that is modelled, by TILEMETER_DEVICE.
enum class ClusterType : std::uint8_t {
    INVALID = 0,
    N150 = 1,
    N300 = 2,
    T3K = 3,
    GALAXY = 4,
    TG = 5,
    P100 = 6,
    P150 = 7,
    P150_X2 = 8,
    P150_X4 = 9,
    SIMULATOR_WORMHOLE_B0 = 10,
    SIMULATOR_BLACKHOLE = 11,
    N300_2x2 = 12,
    P150_X8 = 13,
    P300 = 14,
    SIMULATOR_QUASAR = 15,
    BLACKHOLE_GALAXY = 16,
    P300_X2 = 17,
    CUSTOM = 18
};
ClusterType GetClusterType();

namespace distributed {

class MeshDevice;

struct MeshTraceIdTag {};
using MeshTraceId = ttsl::StrongType<std::uint32_t, MeshTraceIdTag>;

class MeshDeviceConfig {
public:
    explicit MeshDeviceConfig(std::optional<MeshShape> mesh_shape = std::nullopt,
                              std::optional<MeshCoordinate> offset = std::nullopt,
                              std::vector<int> physical_device_ids = {});

    const std::optional<MeshShape>& mesh_shape() const { return mesh_shape_; }
    const std::optional<MeshCoordinate>& offset() const { return offset_; }
    const std::vector<int>& physical_device_ids() const { return physical_device_ids_; }

private:
    std::optional<MeshShape> mesh_shape_;
    std::optional<MeshCoordinate> offset_;
    std::vector<int> physical_device_ids_;
};

class MeshCommandQueue {
public:
    MeshCommandQueue(MeshDevice& device, std::uint8_t id) : device_(&device), id_(id) {}
    MeshDevice* device() const { return device_; }
    std::uint32_t id() const { return id_; }
    void finish() {}

private:
    MeshDevice* device_;
    std::uint8_t id_;
};

/// A mark in a command queue: a model runs nothing later, so that it has always passed.
class MeshEvent {
public:
    MeshEvent(std::uint32_t id, MeshDevice* device, std::uint32_t mesh_cq_id,
              const MeshCoordinateRange& device_range)
        : id_(id), device_(device), mesh_cq_id_(mesh_cq_id), device_range_(device_range) {}
    std::uint32_t id() const { return id_; }
    MeshDevice* device() const { return device_; }
    std::uint32_t mesh_cq_id() const { return mesh_cq_id_; }
    const MeshCoordinateRange& device_range() const { return device_range_; }

private:
    std::uint32_t id_;
    MeshDevice* device_;
    std::uint32_t mesh_cq_id_;
    MeshCoordinateRange device_range_;
};
void EventSynchronize(const MeshEvent& event);
bool EventQuery(const MeshEvent& event);
void Synchronize(MeshDevice* device, std::optional<std::uint8_t> queue,
                 std::span<const SubDeviceId> sub_devices = {});

/// The board is that of TILEMETER_DEVICE, n150 without it. These throw std::runtime_error where there is no such mesh.
class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice> {
public:
    explicit MeshDevice(std::shared_ptr<tilemeter::Device> device);
    ~MeshDevice() override;

    static std::shared_ptr<MeshDevice> create(
        const MeshDeviceConfig& config, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
        std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE, std::size_t num_command_queues = 1,
        const DispatchCoreConfig& dispatch_core_config = DispatchCoreConfig{},
        std::span<const std::uint32_t> l1_bank_remap = {},
        std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);
    static std::shared_ptr<MeshDevice> create_unit_mesh(
        int device_id, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
        std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE, std::size_t num_command_queues = 1,
        const DispatchCoreConfig& dispatch_core_config = DispatchCoreConfig{},
        std::span<const std::uint32_t> l1_bank_remap = {},
        std::size_t worker_l1_size = DEFAULT_WORKER_L1_SIZE);

    tt::ARCH arch() const override;
    ChipId id() const override;
    std::uint8_t num_hw_cqs() const override { return num_command_queues_; }
    bool is_initialized() const override;
    int num_dram_channels() const override;
    std::uint32_t l1_size_per_core() const override;
    std::uint32_t dram_size_per_channel() const override;
    CoreCoord grid_size() const override { return compute_with_storage_grid_size(); }
    CoreCoord logical_grid_size() const override { return compute_with_storage_grid_size(); }
    CoreCoord dram_grid_size() const override;
    CoreCoord compute_with_storage_grid_size() const override;

    const MeshShape& shape() const { return shape_; }
    std::size_t num_devices() const { return shape_.mesh_size(); }
    std::size_t num_rows() const { return shape_[0]; }
    std::size_t num_cols() const { return shape_[1]; }
    std::vector<int> get_device_ids() const;
    void reshape(const MeshShape& shape);
    /// Closes it, with what lies in it; the last owner does so, too.
    bool close();
    std::shared_ptr<MeshDevice> create_submesh(const MeshShape& shape,
                                               const std::optional<MeshCoordinate>& offset = std::nullopt);
    std::vector<std::shared_ptr<MeshDevice>> create_submeshes(const MeshShape& shape);
    std::vector<std::shared_ptr<MeshDevice>> get_submeshes() const;
    const std::shared_ptr<MeshDevice>& get_parent_mesh() const { return parent_; }
    bool is_parent_mesh() const { return parent_ == nullptr; }

    MeshCommandQueue& mesh_command_queue(std::optional<std::uint8_t> id = std::nullopt);
    void quiesce_devices() {}
    program_cache::detail::ProgramCache& get_program_cache() { return programs_; }
    void enable_program_cache() { programs_.enable(); }
    void disable_and_clear_program_cache();
    void clear_program_cache() { programs_.clear(); }
    std::size_t num_program_cache_entries() { return programs_.num_entries(); }
    std::vector<SubDeviceId> get_sub_device_ids() const;
    const std::vector<SubDeviceId>& get_sub_device_stall_group() const { return stall_group_; }
    void set_sub_device_stall_group(std::span<const SubDeviceId> sub_devices);
    void reset_sub_device_stall_group();
    std::string to_string() const;

    const std::unique_ptr<Allocator>& allocator() const { return allocator_; }

    /// The model behind it.
    const std::shared_ptr<tilemeter::Device>& model() const { return device_; }
    /// The mesh that clients hold for a model; null where none does.
    static MeshDevice* of(const tilemeter::Device& device);
    /// The one of that id; null where there is none.
    static MeshDevice* with_id(ChipId id);

private:
    std::shared_ptr<tilemeter::Device> device_;
    MeshShape shape_;
    std::uint8_t num_command_queues_ = 1;
    std::vector<MeshCommandQueue> queues_;
    program_cache::detail::ProgramCache programs_;
    std::unique_ptr<Allocator> allocator_;
    std::shared_ptr<MeshDevice> parent_;
    std::vector<std::weak_ptr<MeshDevice>> submeshes_;
    std::vector<SubDeviceId> stall_group_;
};
std::ostream& operator<<(std::ostream& out, const MeshDevice& device);

}  // namespace distributed
}  // namespace tt::tt_metal

// Global in TT-Metalium, too.
using tt::tt_metal::DEFAULT_L1_SMALL_SIZE;      // NOLINT(google-global-names-in-headers)
using tt::tt_metal::DEFAULT_TRACE_REGION_SIZE;  // NOLINT(google-global-names-in-headers)
using tt::tt_metal::DEFAULT_WORKER_L1_SIZE;     // NOLINT(google-global-names-in-headers)

namespace ttnn {
using tt::tt_metal::IDevice;
using tt::tt_metal::SubDeviceId;
using tt::tt_metal::distributed::MeshDevice;
using tt::tt_metal::distributed::MeshDeviceConfig;
using MeshTraceId = tt::tt_metal::distributed::MeshTraceId;
using MeshEvent = tt::tt_metal::distributed::MeshEvent;
namespace distributed {
using tt::tt_metal::distributed::MeshDevice;
}  // namespace distributed
}  // namespace ttnn
