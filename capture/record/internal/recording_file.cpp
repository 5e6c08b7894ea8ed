// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "capture/record/internal/recording_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/record/recording_error.hpp"

namespace tilemeter::record::internal {

namespace {

// 1 MiB at a time: mapping costs a few microseconds whatever its size, and a process that dies leaves at most
// this much unused.
constexpr std::uint64_t kSegmentBlocks = 16;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
    throw RecordingError(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

}  // namespace

class RecordingFile::Mapping {
public:
    Mapping(void* address, std::size_t bytes) : address_(address), bytes_(bytes) {}
    ~Mapping() { munmap(address_, bytes_); }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;

    Chunk* block(std::uint64_t number) const { return static_cast<Chunk*>(address_) + number; }

private:
    void* address_;
    std::size_t bytes_;
};

/// What a block's owner keeps mapped, until it lets go: then at once, although weak pointers to the block may
/// keep this object for longer.
struct RecordingFile::KeepMapped {
    std::shared_ptr<Mapping> mapping;
    void operator()(Chunk*) { mapping.reset(); }
};

std::shared_ptr<RecordingFile::Mapping> RecordingFile::map(std::uint64_t first_block,
                                                           std::uint64_t blocks) const {
    const std::size_t bytes = blocks * kBlockBytes;
    void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                               static_cast<off_t>(first_block * kBlockBytes));
    if (address == MAP_FAILED) return nullptr;
#ifdef MADV_POPULATE_WRITE
    // Page faults in one go are a third of the price; a kernel that does not know it takes them singly.
    madvise(address, bytes, MADV_POPULATE_WRITE);
#endif
    return std::make_shared<Mapping>(address, bytes);
}

RecordingFile::RecordingFile(std::filesystem::path path, const RecordingFacts& facts,
                             std::uint64_t most_blocks, bool overwrite)
    : path_(std::move(path)), most_blocks_(most_blocks), overwrite_(overwrite) {
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
        header_mapping_ = map(0, 1);
        if (!header_mapping_) fail(path_, "map the recording into memory");
        blocks_ = 1;
        header_ = new (header_mapping_->block(0)) RecordingHeader{};
        header_->format = kFormat;
        header_->byte_order = kByteOrderMark;
        header_->event_bytes = sizeof(Event);
        header_->block_bytes = kBlockBytes;
        header_->process = static_cast<std::uint64_t>(getpid());
        header_->wall_clock_ns = facts.wall_clock_ns;
        header_->begin_ticks = facts.begin_ticks;
        header_->start_ticks = process_start_reading().ticks;
        header_->start_ns = process_start_reading().ns;
        const ClockReading now = read_clocks();
        header_->later_ticks = now.ticks;
        header_->later_ns = now.ns;
        header_->run_mode = facts.run_mode;
        header_->detail = facts.detail;
        header_->pages = facts.pages ? 1 : 0;
        std::atomic_ref(header_->magic).store(kMagic, std::memory_order_release);  // the rest comes before it
    } catch (...) {
        close(descriptor_);
        unlink(path_.c_str());
        throw;
    }
}

RecordingFile::~RecordingFile() {
    close(descriptor_);
}

bool RecordingFile::grow() {
    const auto offset = static_cast<off_t>(blocks_ * kBlockBytes);
    // A mapped page without a place on the disk would kill the process when it is written to.
    if (posix_fallocate(descriptor_, offset, static_cast<off_t>(kSegmentBlocks * kBlockBytes)) != 0)
        return false;
    auto next = map(blocks_, kSegmentBlocks);
    if (!next) return false;
    blocks_ += kSegmentBlocks;
    segment_ = std::move(next);
    segment_used_ = 0;
    return true;
}

std::shared_ptr<Chunk> RecordingFile::next_block() {
    if ((!segment_ || segment_used_ == kSegmentBlocks) && !grow()) return nullptr;
    Chunk* const block = segment_->block(segment_used_++);
    return {block, KeepMapped{segment_}};
}

std::shared_ptr<Chunk> RecordingFile::oldest_chunk() {
    const auto oldest = std::find_if(event_blocks_.begin(), event_blocks_.end(),
                                     [](const EventBlock& each) { return each.user.expired(); });
    if (oldest == event_blocks_.end()) return nullptr;
    const std::uint64_t number = oldest->number;
    const auto mapping = map(number, 1);
    if (!mapping) return nullptr;
    event_blocks_.erase(oldest);
    Chunk* const block = mapping->block(0);
    header_->lost_events.fetch_add(block->published.load(std::memory_order_relaxed),
                                   std::memory_order_relaxed);
    block->in_use.store(0, std::memory_order_release);
    block->published.store(0, std::memory_order_release);
    std::shared_ptr<Chunk> chunk(block, KeepMapped{mapping});
    event_blocks_.push_back({number, chunk});
    return chunk;
}

std::shared_ptr<Chunk> RecordingFile::new_chunk() {
    const ClockReading now = read_clocks();
    header_->later_ticks.store(now.ticks, std::memory_order_relaxed);
    header_->later_ns.store(now.ns, std::memory_order_relaxed);
    const std::scoped_lock lock(mutex_);
    if (most_blocks_ != 0 && events_blocks_made_ >= most_blocks_)
        return overwrite_ ? oldest_chunk() : nullptr;
    auto chunk = next_block();
    if (!chunk) return nullptr;
    ++events_blocks_made_;
    if (most_blocks_ != 0 && overwrite_)
        event_blocks_.push_back({blocks_ - kSegmentBlocks + segment_used_ - 1, chunk});
    return chunk;
}

void RecordingFile::append_to_facts(const char* bytes, std::size_t size) {
    while (size > 0) {
        auto* block = reinterpret_cast<FactBlock*>(fact_block_.get());
        if (block == nullptr || block->used.load(std::memory_order_relaxed) == block->bytes.size()) {
            fact_block_ = next_block();
            if (!fact_block_) {
                facts_lost_ = true;
                return;
            }
            block = new (fact_block_.get()) FactBlock;  // NOLINT: fields follow; the bytes stay as they are
            block->used.store(0, std::memory_order_relaxed);
            block->sequence = fact_sequence_++;
            block->in_use.store(kFactBlock, std::memory_order_release);
        }
        const std::uint32_t used = block->used.load(std::memory_order_relaxed);
        const std::size_t part = std::min(size, block->bytes.size() - used);
        std::memcpy(block->bytes.data() + used, bytes, part);
        block->used.store(used + static_cast<std::uint32_t>(part), std::memory_order_release);
        bytes += part;
        size -= part;
    }
}

void RecordingFile::add_fact(FactKind kind, std::uint32_t id, std::span<const char> bytes) {
    const FactHeader header{static_cast<std::uint32_t>(kind), id, static_cast<std::uint32_t>(bytes.size())};
    const std::scoped_lock lock(mutex_);
    if (facts_lost_) return;
    append_to_facts(reinterpret_cast<const char*>(&header), sizeof header);
    append_to_facts(bytes.data(), bytes.size());
}

std::shared_ptr<std::atomic<std::uint64_t>> RecordingFile::lost_events() const {
    return {header_mapping_, &header_->lost_events};
}

void RecordingFile::end(std::uint64_t end_ticks) {
    const ClockReading now = read_clocks();
    header_->later_ticks.store(now.ticks, std::memory_order_relaxed);
    header_->later_ns.store(now.ns, std::memory_order_relaxed);
    header_->end_ticks.store(end_ticks, std::memory_order_release);
}

}  // namespace tilemeter::record::internal
