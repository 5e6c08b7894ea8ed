// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/compat/src/graph/told_buffers.hpp"

#include <mutex>
#include <unordered_map>

#include "capture/events/ids.hpp"
#include "tilemeter_ttnn/mesh_device.hpp"
#include "tt_stl/indestructible.hpp"

namespace tilemeter::compat {

namespace {

// Never destroyed: buffers in statics are freed when everything else is gone.
struct Buffers {
    std::mutex mutex;
    std::unordered_map<record::BufferId, std::shared_ptr<tt::tt_metal::Buffer>> by_id;
};
Buffers& buffers() {
    static ttsl::Indestructible<Buffers> all;
    return all.get();
}

}  // namespace

std::shared_ptr<tt::tt_metal::Buffer> told_buffer(const record::BufferRecord& record) {
    tt::tt_metal::distributed::MeshDevice* const device =
        tt::tt_metal::distributed::MeshDevice::with_id(record::number_of(record.device));
    const tt::tt_metal::Buffer now(record, device);
    Buffers& all = buffers();
    const std::scoped_lock lock(all.mutex);
    std::shared_ptr<tt::tt_metal::Buffer>& told = all.by_id[record.buffer];
    if (told == nullptr)
        told = std::make_shared<tt::tt_metal::Buffer>(now);
    else if (told->address() != now.address())
        *told = now;
    return told;
}

void forget_buffer(record::BufferId buffer) {
    Buffers& all = buffers();
    const std::scoped_lock lock(all.mutex);
    all.by_id.erase(buffer);
}

}  // namespace tilemeter::compat
