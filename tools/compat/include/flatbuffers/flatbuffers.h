// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The installed flatbuffers/flatbuffers.h, where there is one, with the name that FlatBuffers 23 gave to its builder: clients
// of TT-NN bring a newer FlatBuffers along, Debian 12 has 2.0.8.

#pragma once
#pragma GCC system_header  // for #include_next

#if __has_include_next(<flatbuffers/flatbuffers.h>)

#include_next <flatbuffers/flatbuffers.h>

#if FLATBUFFERS_VERSION_MAJOR < 23

namespace flatbuffers {

template <bool Is64Aware = false>
using FlatBufferBuilderImpl = FlatBufferBuilder;

}  // namespace flatbuffers

#endif
#endif
