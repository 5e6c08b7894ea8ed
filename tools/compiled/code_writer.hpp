// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// A compiled program written as code: what is the same in each language, the walk and the names. A language says how a function,
// a call and a free look.

#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/foreign/compiled_program.hpp"
#include "tools/compiled/call.hpp"

namespace tilemeter::compiled {

class CodeWriter {
public:
    using Names = std::vector<std::string>;

    /// `reserved` are words of the language and of the code around, which no value is called.
    CodeWriter(const foreign::CompiledProgram& program, const std::set<std::string_view>& reserved)
        : program_(program), reserved_(reserved) {}
    virtual ~CodeWriter() = default;
    CodeWriter(const CodeWriter&) = delete;
    CodeWriter& operator=(const CodeWriter&) = delete;

    /// Operations that no call is known for, in order.
    const Names& unknown() const { return unknown_; }

protected:
    /// The function and all that it calls, each behind those that it calls.
    void write_functions(const foreign::ProgramFunction& main);

    virtual void begin_function(const std::string& name, const Names& arguments) = 0;
    virtual void end_function(const Names& results) = 0;
    virtual void write_comment(const std::string& text) = 0;
    virtual void write_free(const std::string& name) = 0;
    /// `is_cached`: called once, and what it gave is kept.
    virtual void write_function_call(const Names& results, const std::string& function, bool is_cached,
                                     const Names& arguments) = 0;
    virtual void write_unknown(const Names& results, std::string_view operation) = 0;
    virtual void write_call(const Names& results, const CallRule& rule, const FunctionCall& call) = 0;

    std::string function_name(const foreign::ProgramFunction& function) const {
        return identifier(function.name, "function");
    }
    const std::string& name_of(foreign::ValueId value) const { return names_[value]; }
    /// A name that no other value of the function has.
    std::string unique(std::string name);
    /// Configs that are long have names, one for all that are the same: its name, or the text.
    std::string named_config(const compat::Argument& argument, const std::string& text);
    /// Texts of configs, with their names.
    const std::vector<std::pair<std::string, std::string>>& configs() const { return configs_; }

    const foreign::CompiledProgram& program_;
    std::ostringstream out_;

private:
    std::string identifier(std::string_view name, std::string_view fallback) const;
    void write_function(const foreign::ProgramFunction& function);
    void write_operation(const foreign::ProgramFunction& function,
                         const foreign::ProgramOperation& operation);
    void write_trace(const foreign::ProgramFunction& function, const foreign::ProgramOperation& operation);
    void write_place(const foreign::ProgramOperation& operation);

    std::set<std::string_view> reserved_;
    Names names_, unknown_;
    std::map<std::string, std::size_t> taken_;
    std::set<foreign::ValueId> retained_;
    std::map<std::string, std::string> names_of_configs_;
    std::vector<std::pair<std::string, std::string>> configs_;
    std::map<std::string, std::size_t> config_counts_;
    std::string last_file_;
    std::uint32_t last_line_ = 0;
};

}  // namespace tilemeter::compiled
