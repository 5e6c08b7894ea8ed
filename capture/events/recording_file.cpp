// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/events/recording_file.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/events/internal/free_memory.hpp"
#include "capture/events/recording_error.hpp"

namespace tilemeter::record::internal {

namespace {

// Room on the disk is asked for 1 MiB at a time; a process that dies leaves at most this much unused.
constexpr std::uint64_t kBlocksAtOnce = 16;

// Left to the program when events are kept in memory that the disk has no room for.
constexpr std::uint64_t kMemoryLeftFree = 256 << 20;

std::atomic<std::uint64_t> files_made{0};

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
    throw RecordingError(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

/// A line for whoever runs the program, from wherever events are emitted: nothing else can tell them in time.
void say(const std::filesystem::path& path, const std::string& what) {
    const std::string line = "tilemeter: " + path.string() + ": " + what + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

class RecordingFile::Mapping {
public:
    Mapping(void* address, std::size_t bytes) : address_(address), bytes_(bytes) {}
    ~Mapping() { munmap(address_, bytes_); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    Chunk* block() const { return static_cast<Chunk*>(address_); }

private:
    void* address_;
    std::size_t bytes_;
};

/// The block's mapping, kept until its owner lets go: then at once, although weak pointers to the block may keep this
/// object for longer.
struct RecordingFile::KeepMapped {
    std::shared_ptr<Mapping> mapping;
    std::uint64_t file;
    void operator()(Chunk*) { mapping.reset(); }
};

std::shared_ptr<RecordingFile::Mapping> RecordingFile::map(std::uint64_t block) const {
    void* const address = mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                               static_cast<off_t>(block * kBlockBytes));
    if (address == MAP_FAILED) return nullptr;
#ifdef MADV_POPULATE_WRITE
    // Page faults in one go are a third of the price; a kernel that does not know it takes them singly.
    madvise(address, kBlockBytes, MADV_POPULATE_WRITE);
#endif
    return std::make_shared<Mapping>(address, kBlockBytes);
}

RecordingFile::RecordingFile(std::filesystem::path path, const RecordingInfo& info, std::uint64_t most_blocks,
                             bool overwrite)
    : path_(std::move(path)),
      number_(files_made.fetch_add(1, std::memory_order_relaxed)),
      most_blocks_(most_blocks),
      overwrite_(overwrite && most_blocks != 0) {
    if (path_.has_parent_path()) {
        std::error_code error;
        std::filesystem::create_directories(path_.parent_path(), error);
        // If it failed, opening the file says so.
    }
    // Another recording, perhaps of a process that is still at it, keeps its file under no name.
    if (std::filesystem::is_regular_file(path_)) unlink(path_.c_str());
    constexpr mode_t kMode = 0666;  // less the umask
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor_ < 0) fail(path_, "make the recording");
    try {
        const std::scoped_lock lock(mutex_);
        if (const int error = posix_fallocate(descriptor_, 0, kBlockBytes); error != 0) {
            errno = error;
            fail(path_, "make room for the recording");
        }
        header_mapping_ = map(0);
        if (!header_mapping_) fail(path_, "map the recording into memory");
        blocks_ = allocated_ = 1;
        header_ = new (header_mapping_->block()) RecordingHeader{};
        new (crash_area()) CrashArea{};
        header_->format = kFormat;
        header_->byte_order = kByteOrderMark;
        header_->event_bytes = sizeof(Event);
        header_->block_bytes = kBlockBytes;
        header_->process = static_cast<std::uint64_t>(getpid());
        header_->wall_clock_ns = info.wall_clock_ns;
        header_->begin_ticks = info.begin_ticks;
        header_->start_ticks = process_start_reading().ticks;
        header_->start_ns = process_start_reading().ns;
        const ClockReading now = read_clocks();
        header_->later_ticks = now.ticks;
        header_->later_ns = now.ns;
        header_->run_mode = info.run_mode;
        header_->detail = info.detail;
        header_->pages = info.pages ? 1 : 0;
        header_->emitters = info.emitters;
        // The rest comes before it.
        header_->magic.store(std::bit_cast<std::uint64_t>(kMagic), std::memory_order_release);
    } catch (...) {
        close(descriptor_);
        unlink(path_.c_str());
        throw;
    }
}

RecordingFile::~RecordingFile() {
    close(descriptor_);
}

std::optional<std::uint64_t> RecordingFile::unused_block() {
    if (blocks_ == allocated_) {
        // A mapped page without a place on the disk would kill the process when it is written to.
        const auto grow = [&](std::uint64_t blocks) {
            return posix_fallocate(descriptor_, static_cast<off_t>(allocated_ * kBlockBytes),
                                   static_cast<off_t>(blocks * kBlockBytes));
        };
        std::uint64_t blocks = kBlocksAtOnce;
        int problem = grow(blocks);
        while (problem != 0 && blocks > 1)
            problem = grow(blocks /= 2);
        if (problem != 0) {
            disk_refused(problem);
            return std::nullopt;
        }
        allocated_ += blocks;
    }
    return blocks_++;
}

std::optional<std::uint64_t> RecordingFile::oldest_block() {
    const auto oldest = std::find_if(event_blocks_.begin(), event_blocks_.end(),
                                     [](const EventBlock& each) { return each.user.expired(); });
    if (oldest == event_blocks_.end()) return std::nullopt;
    const std::uint64_t number = oldest->number;
    event_blocks_.erase(oldest);
    std::uint32_t published = 0;
    const auto offset = static_cast<off_t>(number * kBlockBytes);
    if (pread(descriptor_, &published, sizeof published, offset + off_t{offsetof(Chunk, published)}) ==
        sizeof published)
        header_->lost_events.fetch_add(published, std::memory_order_relaxed);
    // No longer a block of events before its first byte changes.
    constexpr std::uint32_t kUnused = 0;
    if (pwrite(descriptor_, &kUnused, sizeof kUnused, offset + off_t{offsetof(Chunk, in_use)}) !=
        sizeof kUnused)
        return std::nullopt;
    return number;
}

std::optional<std::uint64_t> RecordingFile::event_block() {
    if (most_blocks_ == 0 || events_blocks_made_ < most_blocks_ || (overwrite_ && !keeper_.expired())) {
        if (const auto number = unused_block()) {
            ++events_blocks_made_;
            return number;
        }
    }
    return overwrite_ ? oldest_block() : std::nullopt;
}

std::shared_ptr<Chunk> RecordingFile::map_chunk(std::uint64_t block) const {
    auto mapping = map(block);
    if (!mapping) return nullptr;
    Chunk* const chunk = mapping->block();
    return {chunk, KeepMapped{std::move(mapping), number_}};
}

bool RecordingFile::lies_here(const std::shared_ptr<Chunk>& chunk) const {
    const auto* const keeper = std::get_deleter<KeepMapped>(chunk);
    return keeper != nullptr && keeper->file == number_;
}

void RecordingFile::disk_refused(int problem) {
    const bool first = disk_refusal_.empty();
    disk_refusal_ = std::strerror(problem);
    if (!first) return;
    say(path_, "no room for more events (" + disk_refusal_ + ")" +
                   (overwrite_ ? ": the oldest give way from here on"
                               : ": they are kept in memory from here on, and are lost if the process dies"));
}

std::shared_ptr<Chunk> RecordingFile::chunk_in_memory() {
    // Asked every so often, since asking takes as long as recording a few thousand events.
    constexpr std::size_t kChunksBetweenLooks = 16;
    std::shared_ptr<Chunk> chunk;
    if (in_memory_.size() % kChunksBetweenLooks != 0 || free_memory() > kMemoryLeftFree) {
        try {
            chunk = std::make_shared_for_overwrite<Chunk>();
            chunk->published.store(0, std::memory_order_relaxed);
            in_memory_.push_back(chunk);
        } catch (const std::bad_alloc&) {
            chunk.reset();
        }
    }
    if (!chunk && !std::exchange(told_memory_is_full_, true))
        say(path_, "nor is there memory for more events: they are lost from here on");
    return chunk;
}

bool RecordingFile::write_block(std::uint64_t block, const Chunk& chunk) {
    // The mark of a block of events comes last, so a write that ends early is none.
    static_assert(offsetof(Chunk, in_use) > sizeof(Chunk::events));
    const auto* const bytes = reinterpret_cast<const char*>(&chunk);
    std::size_t written = 0;
    while (written < kBlockBytes) {
        const ssize_t part = pwrite(descriptor_, bytes + written, kBlockBytes - written,
                                    static_cast<off_t>(block * kBlockBytes + written));
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            disk_refused(part < 0 ? errno : ENOSPC);
            return false;
        }
        written += static_cast<std::size_t>(part);
    }
    return true;
}

std::shared_ptr<Chunk> RecordingFile::new_chunk(std::shared_ptr<Chunk> full) {
    const ClockReading now = read_clocks();
    header_->later_ticks.store(now.ticks, std::memory_order_relaxed);
    header_->later_ns.store(now.ns, std::memory_order_relaxed);
    const std::scoped_lock lock(mutex_);
    const bool again = full != nullptr && lies_here(full);
    const bool has_room = most_blocks_ == 0 || overwrite_ || events_blocks_made_ < most_blocks_;
    const auto number = event_block();
    if (!again) {
        auto chunk = number ? map_chunk(*number) : nullptr;
        if (chunk && most_blocks_ != 0 && overwrite_) event_blocks_.push_back({*number, chunk});
        return chunk || overwrite_ || !has_room ? chunk : chunk_in_memory();
    }
    const std::uint32_t events = full->published.load(std::memory_order_relaxed);
    if (number && write_block(*number, *full)) {
        if (most_blocks_ != 0 && overwrite_) event_blocks_.push_back({*number, {}});
    } else if (overwrite_) {
        // A ring of no more blocks than threads.
        header_->lost_events.fetch_add(events, std::memory_order_relaxed);
    } else {
        const auto kept = has_room ? chunk_in_memory() : nullptr;
        if (!kept) return nullptr;
        std::copy_n(full->events.begin(), events, kept->events.begin());
        kept->thread = full->thread;
        kept->first_index = full->first_index;
        kept->published.store(events, std::memory_order_release);
        header_->lost_events.fetch_add(events, std::memory_order_relaxed);
        events_in_memory_ += events;
    }
    full->in_use.store(0, std::memory_order_release);
    full->published.store(0, std::memory_order_release);
    return full;
}

std::shared_ptr<const void> RecordingFile::keep_blocks() {
    const std::scoped_lock lock(mutex_);
    auto keeper = keeper_.lock();
    if (!keeper) keeper_ = keeper = std::make_shared<char>();
    return keeper;
}

void RecordingFile::append_to_definitions(const char* bytes, std::size_t size) {
    while (size > 0) {
        auto* block = reinterpret_cast<DefinitionBlock*>(definition_block_.get());
        if (block == nullptr || block->used.load(std::memory_order_relaxed) == block->bytes.size()) {
            const auto number = unused_block();
            definition_block_ = number ? map_chunk(*number) : nullptr;
            if (!definition_block_) {
                definitions_lost_ = true;
                return;
            }
            block = new (definition_block_.get())
                DefinitionBlock;  // NOLINT: fields follow; the bytes stay as they are
            block->used.store(0, std::memory_order_relaxed);
            block->sequence = definition_sequence_++;
            block->in_use.store(kDefinitionBlock, std::memory_order_release);
        }
        const std::uint32_t used = block->used.load(std::memory_order_relaxed);
        const std::size_t part = std::min(size, block->bytes.size() - used);
        std::memcpy(block->bytes.data() + used, bytes, part);
        block->used.store(used + static_cast<std::uint32_t>(part), std::memory_order_release);
        bytes += part;
        size -= part;
    }
}

void RecordingFile::add_definition(DefinitionKind kind, std::uint32_t id, std::span<const char> bytes) {
    const DefinitionHeader header{static_cast<std::uint32_t>(kind), id,
                                  static_cast<std::uint32_t>(bytes.size())};
    const std::scoped_lock lock(mutex_);
    if (definitions_lost_) return;
    append_to_definitions(reinterpret_cast<const char*>(&header), sizeof header);
    append_to_definitions(bytes.data(), bytes.size());
}

std::shared_ptr<std::atomic<std::uint64_t>> RecordingFile::lost_events() const {
    return {header_mapping_, &header_->lost_events};
}

std::vector<std::shared_ptr<const Chunk>> RecordingFile::chunks_in_memory() {
    const std::scoped_lock lock(mutex_);
    return {in_memory_.begin(), in_memory_.end()};
}

std::uint64_t RecordingFile::events_in_memory() {
    const std::scoped_lock lock(mutex_);
    return events_in_memory_;
}

CrashArea* RecordingFile::crash_area() const {
    return reinterpret_cast<CrashArea*>(reinterpret_cast<char*>(header_) + kCrashAreaAt);
}

void RecordingFile::end(std::uint64_t end_ticks) {
    const ClockReading now = read_clocks();
    header_->later_ticks.store(now.ticks, std::memory_order_relaxed);
    header_->later_ns.store(now.ns, std::memory_order_relaxed);
    header_->end_ticks.store(end_ticks, std::memory_order_release);
    const std::scoped_lock lock(mutex_);
    if (disk_refusal_.empty()) return;
    // Threads whose blocks lie in memory have not counted the last of them.
    std::uint64_t in_memory = 0;
    for (const auto& chunk : in_memory_)
        in_memory += chunk->published.load(std::memory_order_acquire);
    header_->lost_events.fetch_add(in_memory - events_in_memory_, std::memory_order_relaxed);
    events_in_memory_ = in_memory;
    const std::uint64_t lost = header_->lost_events.load(std::memory_order_relaxed) - in_memory;
    const std::string kept = std::to_string(in_memory) + " kept in memory, which the capture has";
    say(path_, std::to_string(in_memory + lost) + " events are not in it (" + disk_refusal_ + "): " +
                   (in_memory == 0 ? "they are lost"
                    : lost == 0    ? kept
                                   : kept + ", " + std::to_string(lost) + " lost"));
}

}  // namespace tilemeter::record::internal
