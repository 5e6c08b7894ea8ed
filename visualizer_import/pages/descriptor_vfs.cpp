// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0
#include "visualizer_import/pages/descriptor_vfs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilemeter::visualizer_import {
namespace {

constexpr const char* kName = "tilemeter-descriptor";
constexpr int kSectorBytes = 4096;

struct DescriptorFile {
    sqlite3_file base;
    int descriptor;
};

int descriptor_of(sqlite3_file* file) {
    return reinterpret_cast<DescriptorFile*>(file)->descriptor;
}

int close_file(sqlite3_file*) {
    return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
    auto* bytes = static_cast<char*>(out);
    int done = 0;
    while (done < size) {
        const auto count =
            ::pread(descriptor_of(file), bytes + done, static_cast<std::size_t>(size - done), offset + done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return SQLITE_IOERR_READ;
        if (count == 0) break;
        done += static_cast<int>(count);
    }
    if (done == size) return SQLITE_OK;
    std::memset(bytes + done, 0, static_cast<std::size_t>(size - done));
    return SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* in, int size, sqlite3_int64 offset) {
    const auto* bytes = static_cast<const char*>(in);
    for (int done = 0; done < size;) {
        const auto count =
            ::pwrite(descriptor_of(file), bytes + done, static_cast<std::size_t>(size - done), offset + done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? SQLITE_FULL : SQLITE_IOERR_WRITE;
        done += static_cast<int>(count);
    }
    return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    return ::ftruncate(descriptor_of(file), size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int sync_file(sqlite3_file* file, int) {
    return ::fdatasync(descriptor_of(file)) == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
    struct stat status {};
    if (::fstat(descriptor_of(file), &status) != 0) return SQLITE_IOERR_FSTAT;
    *size = status.st_size;
    return SQLITE_OK;
}

int no_lock(sqlite3_file*, int) {
    return SQLITE_OK;
}

int not_reserved(sqlite3_file*, int* reserved) {
    *reserved = 0;
    return SQLITE_OK;
}

int no_control(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}
int sector_size(sqlite3_file*) {
    return kSectorBytes;
}
int characteristics(sqlite3_file*) {
    return 0;
}

constexpr sqlite3_io_methods kMethods = [] {
    sqlite3_io_methods methods{};
    methods.iVersion = 1;
    methods.xClose = close_file;
    methods.xRead = read_file;
    methods.xWrite = write_file;
    methods.xTruncate = truncate_file;
    methods.xSync = sync_file;
    methods.xFileSize = file_size;
    methods.xLock = no_lock;
    methods.xUnlock = no_lock;
    methods.xCheckReservedLock = not_reserved;
    methods.xFileControl = no_control;
    methods.xSectorSize = sector_size;
    methods.xDeviceCharacteristics = characteristics;
    return methods;
}();

sqlite3_vfs* default_vfs = nullptr;

int open_file(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
        return default_vfs->xOpen(default_vfs, name, file, flags, out_flags);
    (void)vfs;
    auto* opened = reinterpret_cast<DescriptorFile*>(file);
    opened->base.pMethods = &kMethods;
    opened->descriptor = static_cast<int>(std::strtol(name, nullptr, 10));
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
}

// No journal lies beside a file without a name.
int nothing_there(sqlite3_vfs*, const char*, int, int* result) {
    *result = 0;
    return SQLITE_OK;
}

int keep_name(sqlite3_vfs*, const char* name, int size, char* out) {
    const std::size_t length = std::strlen(name);
    if (length + 1 > static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
    std::memcpy(out, name, length + 1);
    return SQLITE_OK;
}

}  // namespace

const char* descriptor_vfs() {
    static std::once_flag once;
    std::call_once(once, [] {
        default_vfs = sqlite3_vfs_find(nullptr);
        static sqlite3_vfs vfs = *default_vfs;
        vfs.zName = kName;
        vfs.pNext = nullptr;
        vfs.szOsFile = std::max<int>(vfs.szOsFile, sizeof(DescriptorFile));
        vfs.xOpen = open_file;
        vfs.xAccess = nothing_there;
        vfs.xFullPathname = keep_name;
        sqlite3_vfs_register(&vfs, 0);
    });
    return kName;
}

std::string descriptor_name(int descriptor) {
    return std::to_string(descriptor);
}

}  // namespace tilemeter::visualizer_import
