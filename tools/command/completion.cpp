// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command/completion.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>
#include <vector>

namespace tilemeter::command {
namespace {

bool is_flag(const Parameter& parameter) {
    return std::holds_alternative<bool*>(parameter.target);
}

std::vector<const Parameter*> options_of(const Verb& verb) {
    std::vector<const Parameter*> options;
    for (const Parameter& each : verb.parameters)
        if (each.name.starts_with('-') && !each.rules.hidden) options.push_back(&each);
    return options;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : std::string(between)) + word;
    return text;
}

std::string verb_names(const VerbProgram& program) {
    std::vector<std::string> names;
    for (const Verb& verb : program.verbs)
        names.push_back(verb.name);
    return joined(names, " ");
}

/// The words that a verb takes by their place, where it takes no others: "help" has those of the verbs.
std::vector<std::pair<std::string, std::string>> words_by_verb(const VerbProgram& program) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const Verb& verb : program.verbs)
        for (const Parameter& each : verb.parameters)
            if (!each.name.starts_with('-') && !each.rules.one_of.empty())
                words.emplace_back(verb.name, joined(each.rules.one_of, " "));
    words.emplace_back("help", verb_names(program));
    return words;
}

/// For a text between single quotes of a shell.
std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char each : text)
        out += each == '\'' ? "'\\''" : std::string(1, each);
    return out + "'";
}

/// For a description in zsh's _arguments and _values, between single quotes.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char each : text) {
        if (each == '[' || each == ']' || each == ':' || each == '\\') out += '\\';
        out += each == '\'' ? "'\\''" : std::string(1, each);
    }
    return out;
}

/// For a line of roff: what would be a command or an escape is text.
std::string roff_text(std::string_view text) {
    std::string out;
    for (const char each : text) {
        if (each == '\\')
            out += "\\e";
        else if (each == '-')
            out += "\\-";
        else if ((each == '.' || each == '\'') && (out.empty() || out.back() == '\n'))
            out += std::string("\\&") + each;
        else
            out += each;
    }
    return out;
}

std::string upper(std::string text) {
    for (char& each : text)
        each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
    return text;
}

}  // namespace

std::vector<std::string> names_of(const Parameter& parameter) {
    std::vector<std::string> names;
    if (!parameter.name.starts_with('-')) return names;
    std::size_t begin = 0;
    while (begin <= parameter.name.size()) {
        const std::size_t end = std::min(parameter.name.find(',', begin), parameter.name.size());
        names.push_back(parameter.name.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string bash_completion(const VerbProgram& program) {
    std::string options, values;
    for (const Verb& verb : program.verbs) {
        std::vector<std::string> names{"--help"};
        for (const Parameter* const option : options_of(verb)) {
            for (const std::string& name : names_of(*option)) {
                names.push_back(name);
                if (!option->rules.one_of.empty())
                    values += "        " + verb.name + ":" + name + ") words=\"" +
                              joined(option->rules.one_of, " ") + "\" ;;\n";
            }
        }
        options += "            " + verb.name + ") words=\"" + joined(names, " ") + "\" ;;\n";
    }
    std::string places;
    for (const auto& [verb, words] : words_by_verb(program))
        places += "            " + verb + ") words=\"" + words + "\" ;;\n";
    const std::string function = "_" + program.name;
    return "# bash completion for " + program.name + "\n" + function +
           "() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        words=\"" +
           verb_names(program) +
           " help --help --version\"\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "        return\n"
           "    fi\n"
           // Readline takes the "=" of "--by=peak" for a word.
           "    if [ \"$current\" = = ]; then current=; elif [ \"$previous\" = = ]; then "
           "previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
           "    case $verb:$previous in\n" +
           values +
           "    esac\n"
           "    if [ -z \"$words\" ] && [ \"$COMP_CWORD\" -eq 2 ] && [[ $current != -* ]]; then\n"
           "        case $verb in\n" +
           places +
           "        esac\n"
           "    fi\n"
           "    if [ -z \"$words\" ] && [[ $current == -* ]]; then\n"
           "        case $verb in\n" +
           options +
           "        esac\n"
           "    fi\n"
           "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "}\n"
           "complete -o default -F " +
           function + " " + program.name + "\n";
}

std::string zsh_completion(const VerbProgram& program) {
    const auto by_verb = words_by_verb(program);
    std::string verbs, cases;
    for (const Verb& verb : program.verbs) {
        verbs += "        " + shell_quoted(verb.name + ":" + verb.documentation) + "\n";
        cases += "        " + verb.name + ") _arguments";
        for (const Parameter* const option : options_of(verb)) {
            const std::vector<std::string> names = names_of(*option);
            std::string value;
            if (!option->rules.one_of.empty())
                value = ":value:(" + joined(option->rules.one_of, " ") + ")";
            else if (!is_flag(*option))
                value = ":value:_files";
            const std::string text = "[" + zsh_text(option->documentation) + "]" + value + "'";
            // Names of one option exclude each other.
            for (const std::string& name : names)
                cases += (names.size() > 1 ? " '(" + joined(names, " ") + ")" : " '") + name + text;
        }
        const auto words = std::ranges::find(by_verb, verb.name, [](const auto& each) { return each.first; });
        cases += words == by_verb.end() ? " '*:file:_files' ;;\n" : " '1:word:(" + words->second + ")' ;;\n";
    }
    verbs += "        'help:The help of a verb'\n";
    cases += "        help) _arguments '1:verb:(" + verb_names(program) + ")' ;;\n";
    return "#compdef " + program.name + "\n_" + program.name +
           "() {\n"
           "    local -a verbs=(\n" +
           verbs +
           "    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe verb verbs\n"
           "        return\n"
           "    fi\n"
           "    local verb=$words[2]\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $verb in\n" +
           cases +
           "    esac\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _" +
           program.name + " ]; then _" + program.name + " \"$@\"; else compdef _" + program.name + " " +
           program.name + "; fi\n";
}

std::string fish_completion(const VerbProgram& program) {
    const std::string complete = "complete -c " + program.name;
    std::string text = "# fish completion for " + program.name + "\n";
    for (const Verb& verb : program.verbs) {
        text += complete + " -n __fish_use_subcommand -f -a " + verb.name + " -d " +
                shell_quoted(verb.documentation) + "\n";
        for (const Parameter* const option : options_of(verb)) {
            text += complete + " -n '__fish_seen_subcommand_from " + verb.name + "'";
            for (const std::string& name : names_of(*option))
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option->rules.one_of.empty())
                text += " -x -a " + shell_quoted(joined(option->rules.one_of, " "));
            else if (!is_flag(*option))
                text += " -r";
            text += " -d " + shell_quoted(option->documentation) + "\n";
        }
    }
    text += complete + " -n __fish_use_subcommand -f -a help -d 'The help of a verb'\n";
    for (const auto& [verb, words] : words_by_verb(program))
        text +=
            complete + " -n '__fish_seen_subcommand_from " + verb + "' -f -a " + shell_quoted(words) + "\n";
    return text;
}

std::string manual_page(const VerbProgram& program) {
    std::string text = ".TH " + upper(program.name) + " 1 \"\" \"" + roff_text(program.version) +
                       "\"\n.SH NAME\n" + program.name + " \\- " + roff_text(program.documentation) +
                       "\n.SH SYNOPSIS\n.B " + program.name +
                       "\n.I VERB\n[\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n.SH VERBS\n";
    for (const Verb& verb : program.verbs) {
        text += ".SS " + verb.name + "\n" + roff_text(verb.documentation) + ".\n";
        for (const Parameter& each : verb.parameters) {
            if (each.rules.hidden) continue;
            const std::vector<std::string> names = names_of(each);
            text += ".TP\n";
            if (names.empty())
                text += "\\fI" + roff_text(upper(each.name)) + "\\fR\n";
            else
                text += "\\fB" + roff_text(joined(names, ", ")) + "\\fR" +
                        (is_flag(each) ? "" : " \\fIVALUE\\fR") + "\n";
            text += roff_text(each.documentation.empty() ? each.name : each.documentation);
            if (!each.rules.one_of.empty() &&
                each.documentation.find(each.rules.one_of.front()) == std::string::npos)
                text += ": " + roff_text(joined(each.rules.one_of, ", "));
            text += "\n";
        }
        if (!verb.example.empty()) text += ".PP\nExample:\n.B " + roff_text(verb.example) + "\n";
    }
    text +=
        ".SS help\nThe help of a verb, or of all, as \\fB\\-\\-help\\fR behind it.\n.TP\n\\fIVERB\\fR\nwhich\n";
    return text + ".SH EXIT STATUS\n" + roff_text(program.footer) + "\n";
}

}  // namespace tilemeter::command
