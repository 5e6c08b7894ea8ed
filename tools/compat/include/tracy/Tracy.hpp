// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tracy's macros as they are where its profiler is not compiled in: TT-Metalium's clients include this path of its package.

#pragma once

// NOLINTBEGIN(cppcoreguidelines-macro-usage): Tracy's are macros
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneText(text, size)
#define ZoneName(text, size)
#define ZoneValue(value)
#define ZoneNamed(variable, active)
#define ZoneNamedN(variable, name, active)
#define FrameMark
#define FrameMarkNamed(name)
#define TracyMessage(text, size)
#define TracyMessageL(text)
#define TracyMessageC(text, size, color)
#define TracyMessageLC(text, color)
#define TracyPlot(name, value)
#define TracyAlloc(pointer, size)
#define TracyFree(pointer)
// NOLINTEND(cppcoreguidelines-macro-usage)
