// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Facts about this build. The texts are empty where nobody knew.

#pragma once

namespace tilemeter::report::internal {

extern const char* const kBuildVersion;  ///< "0.1.0"
extern const char* const kBuildType;     ///< "Release"
extern const char* const kBuildGitSha;   ///< 40 digits; the commit that was configured last
extern const bool kBuildDirty;           ///< true if the work tree differed from it then

}  // namespace tilemeter::report::internal
