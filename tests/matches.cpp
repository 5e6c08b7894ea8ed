// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/matches.hpp"

#include <cstddef>
#include <stdexcept>

#include <regex.h>

namespace tilemeter::test {

std::vector<std::vector<std::string>> matches(const std::string& text, const std::string& pattern) {
    regex_t compiled;
    if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED) != 0)
        throw std::invalid_argument("expected a regular expression, found " + pattern);
    std::vector<std::vector<std::string>> found;
    std::vector<regmatch_t> groups(compiled.re_nsub + 1);
    std::size_t at = 0;
    while (at < text.size() && regexec(&compiled, text.c_str() + at, groups.size(), groups.data(),
                                       at == 0 ? 0 : REG_NOTBOL) == 0) {
        std::vector<std::string>& parts = found.emplace_back();
        for (const regmatch_t& group : groups) {
            const bool is_there = group.rm_so >= 0;
            parts.push_back(is_there ? text.substr(at + static_cast<std::size_t>(group.rm_so),
                                                   static_cast<std::size_t>(group.rm_eo - group.rm_so))
                                     : "");
        }
        at += static_cast<std::size_t>(groups[0].rm_eo) + (groups[0].rm_eo == groups[0].rm_so ? 1 : 0);
    }
    regfree(&compiled);
    return found;
}

}  // namespace tilemeter::test
