// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A C++ program that uses TT-NN, linked to the libraries of its Python package (tests/acceptance/attach_ttnn_starts). Those
// come without headers: what is called is declared here by the names that they export. Objects of unknown size lie in
// more room than they need, and an empty optional is all zeros whatever it would hold.
//
//     usage: attach_program REPORT NORMAL|NO_DISPATCH     REPORT: that of a capture of TT-NN's own

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

namespace tt::tt_metal {
enum class DataType : int { kBfloat16 = 0 };
enum class Layout : int { kTile = 1 };
class CoreRangeSet;
struct DispatchCoreConfig;
struct IGraphProcessor {
    enum class RunMode : int { kNormal = 0, kNoDispatch = 1 };
};

/// A small vector as LLVM's, filled up to four dimensions, and how many of them were given.
class Shape {
public:
    Shape(std::uint32_t height, std::uint32_t width) : dimensions_{1, 1, height, width} {}
    Shape(const Shape&) = delete;
    Shape& operator=(const Shape&) = delete;
    ~Shape() = default;
    std::size_t rank() const;
    std::uint64_t volume() const;

private:
    std::uint32_t* begin_ = dimensions_.data();
    std::uint32_t size_ = 4;
    std::uint32_t capacity_ = 8;
    std::array<std::uint32_t, 8> dimensions_;
    std::size_t rank_ = 4;
};

/// By default interleaved in DRAM.
class MemoryConfig {
public:
    MemoryConfig();
    MemoryConfig(const MemoryConfig&) = delete;
    MemoryConfig& operator=(const MemoryConfig&) = delete;
    ~MemoryConfig();

private:
    alignas(16) std::array<std::byte, 1024> room_;
};

namespace distributed {
class MeshDevice;
}
}  // namespace tt::tt_metal

namespace ttnn {
class Tensor {
public:
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
    ~Tensor();
    void deallocate(bool force);

private:
    std::uint64_t id_;
    std::shared_ptr<void> attributes_;
};

Tensor empty(const tt::tt_metal::Shape&, const tt::tt_metal::DataType&, const tt::tt_metal::Layout&,
             tt::tt_metal::distributed::MeshDevice*, const tt::tt_metal::MemoryConfig&);
Tensor relu(const Tensor&, const std::optional<tt::tt_metal::MemoryConfig>&, const std::optional<Tensor>&,
            const std::optional<tt::tt_metal::CoreRangeSet>&);

namespace graph {
/// The returned object is never freed: the destructor is not to be had.
struct Nodes {
    ~Nodes() {}  // NOLINT(modernize-use-equals-default): returned through memory
    std::array<std::byte, 64> room;
};
struct GraphProcessor {
    static void begin_graph_capture(tt::tt_metal::IGraphProcessor::RunMode);
    static Nodes end_graph_capture_to_file(const std::filesystem::path&);
};
}  // namespace graph

namespace device {
std::shared_ptr<tt::tt_metal::distributed::MeshDevice> open_mesh_device(
    int device, std::size_t l1_small_size, std::size_t trace_region_size, std::size_t command_queues,
    const std::optional<tt::tt_metal::DispatchCoreConfig>&, std::size_t worker_l1_size);
void close_device(tt::tt_metal::distributed::MeshDevice&);
}  // namespace device
}  // namespace ttnn

namespace {

template <typename Value>
const std::optional<Value>& nothing() {
    alignas(16) static const std::array<std::byte, 2048> zeros{};
    return reinterpret_cast<const std::optional<Value>&>(zeros);
}

void operate(tt::tt_metal::distributed::MeshDevice& device) {
    const tt::tt_metal::Shape shape(64, 96);
    const tt::tt_metal::MemoryConfig dram;
    const ttnn::Tensor tensor =
        ttnn::empty(shape, tt::tt_metal::DataType::kBfloat16, tt::tt_metal::Layout::kTile, &device, dram);
    ttnn::Tensor result = ttnn::relu(tensor, nothing<tt::tt_metal::MemoryConfig>(), nothing<ttnn::Tensor>(),
                                     nothing<tt::tt_metal::CoreRangeSet>());
    result.deallocate(true);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const tt::tt_metal::Shape shape(64, 96);
    if (shape.rank() != 4 || shape.volume() != 64 * 96) {
        std::fprintf(stderr, "TT-NN's shapes are of another layout\n");
        return 1;
    }
    constexpr std::size_t kL1SmallSize = 0;
    constexpr std::size_t kTraceRegionSize = 0;
    constexpr std::size_t kWorkerL1Size = 0;
    const auto device = ttnn::device::open_mesh_device(
        0, kL1SmallSize, kTraceRegionSize, 1, nothing<tt::tt_metal::DispatchCoreConfig>(), kWorkerL1Size);
    using RunMode = tt::tt_metal::IGraphProcessor::RunMode;
    const std::string_view mode(arguments[2]);
    ttnn::graph::GraphProcessor::begin_graph_capture(mode == "NO_DISPATCH" ? RunMode::kNoDispatch
                                                                           : RunMode::kNormal);
    operate(*device);
    operate(*device);  // its program is cached
    // One after the other: the device has one queue.
    for (int thread = 0; thread < (mode == "THREADS" ? 3 : 0); ++thread)
        std::thread(operate, std::ref(*device)).join();
    ttnn::graph::GraphProcessor::end_graph_capture_to_file(arguments[1]);
    ttnn::device::close_device(*device);
    std::puts("own output");
    return 0;
}
