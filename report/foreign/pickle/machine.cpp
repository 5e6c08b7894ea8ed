// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/foreign/pickle/machine.hpp"

#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tilemeter::foreign::pickle {

namespace {

/// Instructions by their byte, with the names that pickletools gives them.
enum Instruction : std::uint8_t {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    kBinFloat = 'G',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kNone = 'N',
    kBinString = 'T',
    kShortBinString = 'U',
    kBinUnicode = 'X',
    kAppend = 'a',
    kDictionary = 'd',
    kEmptyDict = '}',
    kAppends = 'e',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kListInstruction = 'l',
    kEmptyList = ']',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kSetItem = 's',
    kTuple = 't',
    kEmptyTuple = ')',
    kSetItems = 'u',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kProtocol = 0x80,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kMemoize = 0x94,
    kFrame = 0x95,
    kByteArray8 = 0x96,
};

/// Those that make or call what is no plain value.
const char* forbidden(std::uint8_t instruction) {
    switch (instruction) {
        case 'c':
            return "GLOBAL, a name to import";
        case 'i':
            return "INST, a class to make";
        case 'o':
            return "OBJ, a class to make";
        case 'R':
            return "REDUCE, a call";
        case 'b':
            return "BUILD, the state of an object";
        case 'P':
            return "PERSID, an object of elsewhere";
        case 'Q':
            return "BINPERSID, an object of elsewhere";
        case 0x81:
            return "NEWOBJ, a class to make";
        case 0x92:
            return "NEWOBJ_EX, a class to make";
        case 0x93:
            return "STACK_GLOBAL, a name to import";
        case 0x82:
        case 0x83:
        case 0x84:
            return "EXT, a registered class";
        case 0x97:
        case 0x98:
            return "an out-of-band buffer";
        default:
            return nullptr;
    }
}

std::string hexadecimal(std::uint8_t byte) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", byte);
    return text;
}

/// More keys than that, and a dict has its own beside its values.
constexpr std::size_t kMostShared = 64;

constexpr Value cell(std::uint64_t payload) {
    return {Kind::kNone, payload};
}

}  // namespace

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::kNone:
            return "None";
        case Kind::kBoolean:
            return "a boolean";
        case Kind::kInteger:
            return "an integer";
        case Kind::kLargeInteger:
            return "an integer of more than 59 bits";
        case Kind::kReal:
            return "a number with a fraction";
        case Kind::kText:
            return "a text";
        case Kind::kList:
            return "a list";
        case Kind::kDict:
            return "a dict";
    }
    return "nothing";
}

std::uint64_t Cells::take(std::uint64_t count) {
    const std::uint64_t first = used_;
    used_ += count;
    while (blocks_.size() << kBlockBits < used_)
        blocks_.push_back(std::make_unique_for_overwrite<Value[]>(std::size_t{1} << kBlockBits));
    return first;
}

Value Document::key_of(std::string_view text) const {
    const auto found = text_numbers_.find(text);
    return {Kind::kText, found == text_numbers_.end() ? texts_.size() : found->second};
}

std::optional<Value> Document::find(Value dict, std::string_view key) const {
    return find(dict, key_of(key));
}

std::optional<std::uint64_t> Document::place_of(std::uint64_t shape, Value key) const {
    const std::vector<Value>& keys = shapes_[shape];
    for (std::uint64_t i = keys.size(); i-- > 0;)
        if (keys[i] == key) return i;
    return std::nullopt;
}

std::optional<Value> Document::find(Value dict, Value key) const {
    if (const std::uint64_t of = shape(dict); of != kNoShape) {
        const auto place = place_of(of, key);
        return place ? std::optional(at(dict, *place)) : std::nullopt;
    }
    const std::uint64_t first = cells_[dict.payload() + 1].payload();
    for (std::uint64_t i = size(dict); i-- > 0;)
        if (cells_[first + 2 * i] == key) return cells_[first + 2 * i + 1];
    return std::nullopt;
}

void Machine::refuse(const std::string& expected, const std::string& found) const {
    throw FormatError{byte_position(at_), expected, found};
}

Document Machine::run() {
    made_.shapes_.emplace_back();
    if (bytes_.at_end()) refuse("a pickle", "an empty file");
    const std::uint8_t first = bytes_.byte();
    if (first != kProtocol) refuse("a pickle of protocol 2 to 5, which begins with 0x80", hexadecimal(first));
    const std::uint8_t protocol = bytes_.byte();
    if (protocol < 2 || protocol > 5)
        refuse("a pickle of protocol 2 to 5", "protocol " + std::to_string(protocol));
    do {
        at_ = bytes_.position();
        ++made_.instructions_;
    } while (step());
    made_.root_ = pop();
    return std::move(made_);
}

Value Machine::pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back()))
        refuse("a value before this instruction", "none");
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
}

std::size_t Machine::take_mark() {
    if (marks_.empty()) refuse("a mark before this instruction", "none");
    const std::size_t begin = marks_.back();
    marks_.pop_back();
    return begin;
}

Value Machine::container_below(std::size_t begin, Kind kind) {
    if (begin == 0 || (!marks_.empty() && begin <= marks_.back()))
        refuse(std::string(name_of(kind)) + " before this instruction", "none");
    const Value container = stack_[begin - 1];
    if (container.kind() != kind)
        refuse(std::string(name_of(kind)) + " before this instruction", name_of(container.kind()));
    return container;
}

void Machine::push_integer(std::uint64_t size) {
    const std::string_view digits = bytes_.take(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
        if (value >> 56U != 0) return push({Kind::kLargeInteger, 0});
        value = value << 8U | static_cast<std::uint8_t>(digits[i]);
    }
    if (size > 0 && size < 8 && (static_cast<std::uint8_t>(digits[size - 1]) & 0x80U) != 0)
        value |= ~std::uint64_t{0} << (8 * size);
    const Value kept(Kind::kInteger, value);
    push(kept.integer() == static_cast<std::int64_t>(value) ? kept : Value(Kind::kLargeInteger, 0));
}

void Machine::push_text(std::uint64_t size) {
    const std::string_view text = bytes_.take(size);
    auto found = made_.text_numbers_.find(text);
    if (found == made_.text_numbers_.end()) {
        auto kept = std::make_unique_for_overwrite<char[]>(size + 1);
        std::memcpy(kept.get(), text.data(), size);
        const std::string_view view(kept.get(), size);
        found = made_.text_numbers_.emplace(view, made_.texts_.size()).first;
        made_.texts_.push_back(view);
        made_.text_blocks_.push_back(std::move(kept));
    }
    push({Kind::kText, found->second});
}

Value Machine::new_list() {
    const std::uint64_t at = made_.cells_.take(3);
    for (unsigned i = 0; i < 3; ++i)
        made_.cells_[at + i] = cell(0);
    return {Kind::kList, at};
}

Value Machine::new_dict() {
    const std::uint64_t at = made_.cells_.take(2);
    made_.cells_[at] = made_.cells_[at + 1] = cell(0);
    return {Kind::kDict, at};
}

void Machine::extend_list(Value list, std::size_t begin) {
    Cells& cells = made_.cells_;
    const std::uint64_t at = list.payload();
    if ((cells[at].payload() & 1U) != 0) refuse("a list to append to", "a tuple");
    const std::uint64_t size = cells[at].payload() >> 1U;
    const std::uint64_t added = stack_.size() - begin;
    std::uint64_t first = cells[at + 1].payload();
    if (size + added > cells[at + 2].payload()) {
        const std::uint64_t capacity = size == 0 ? added : std::bit_ceil(size + added);
        const std::uint64_t moved = cells.take(capacity);
        for (std::uint64_t i = 0; i < size; ++i)
            cells[moved + i] = cells[first + i];
        cells[at + 1] = cell(first = moved);
        cells[at + 2] = cell(capacity);
    }
    for (std::uint64_t i = 0; i < added; ++i)
        cells[first + size + i] = stack_[begin + i];
    cells[at] = cell((size + added) << 1U);
    stack_.resize(begin);
}

std::uint64_t Machine::shape_of_keys(std::size_t begin, std::uint64_t count) {
    // Thousands of dicts with the same keys follow each other.
    const auto is_latest = [&] {
        const std::vector<Value>& keys = made_.shapes_[latest_shape_];
        if (keys.size() != count) return false;
        for (std::uint64_t i = 0; i < count; ++i)
            if (keys[i] != stack_[begin + 2 * i]) return false;
        return true;
    };
    if (latest_shape_ != Document::kNoShape && is_latest()) return latest_shape_;
    key_.clear();
    for (std::uint64_t i = 0; i < count; ++i)
        key_.append(reinterpret_cast<const char*>(&stack_[begin + 2 * i]), sizeof(Value));
    const auto [entry, is_new] = shape_numbers_.try_emplace(key_, made_.shapes_.size());
    if (is_new) {
        std::vector<Value>& keys = made_.shapes_.emplace_back(count);
        for (std::uint64_t i = 0; i < count; ++i)
            keys[i] = stack_[begin + 2 * i];
    }
    return latest_shape_ = entry->second;
}

void Machine::extend_dict(Value dict, std::size_t begin) {
    Cells& cells = made_.cells_;
    if ((stack_.size() - begin) % 2 != 0) refuse("keys with a value each", "a key without one");
    const std::uint64_t at = dict.payload();
    const std::uint64_t size = cells[at].payload() & Document::kMostSize;
    const std::uint64_t shape = cells[at].payload() >> Document::kSizeBits;
    const std::uint64_t old = cells[at + 1].payload();
    const std::uint64_t added = (stack_.size() - begin) / 2;
    if (size == 0 && added <= kMostShared) {
        const std::uint64_t number = shape_of_keys(begin, added);
        const std::uint64_t first = cells.take(added);
        for (std::uint64_t i = 0; i < added; ++i)
            cells[first + i] = stack_[begin + 2 * i + 1];
        cells[at] = cell(number << Document::kSizeBits | added);
        cells[at + 1] = cell(first);
    } else {
        // Pairs, in a row that has room for twice as many: its capacity is the next power of two.
        const std::uint64_t all = size + added;
        std::uint64_t first = old;
        if (shape != Document::kNoShape || size == 0 || std::bit_ceil(size) < all) {
            first = cells.take(2 * std::bit_ceil(all));
            for (std::uint64_t i = 0; i < size; ++i) {
                cells[first + 2 * i] =
                    shape == Document::kNoShape ? cells[old + 2 * i] : made_.shapes_[shape][i];
                cells[first + 2 * i + 1] =
                    shape == Document::kNoShape ? cells[old + 2 * i + 1] : cells[old + i];
            }
        }
        for (std::uint64_t i = 0; i < 2 * added; ++i)
            cells[first + 2 * size + i] = stack_[begin + i];
        cells[at] = cell(Document::kNoShape << Document::kSizeBits | all);
        cells[at + 1] = cell(first);
    }
    stack_.resize(begin);
}

void Machine::push_list(std::size_t begin) {
    const Value list = new_list();
    extend_list(list, begin);
    push(list);
}

void Machine::push_tuple(std::size_t begin) {
    Cells& cells = made_.cells_;
    const std::uint64_t size = stack_.size() - begin;
    constexpr std::uint64_t kSmall = 4;
    std::uint64_t* number = nullptr;
    if (size <= kSmall) {
        key_.assign(reinterpret_cast<const char*>(stack_.data() + begin), size * sizeof(Value));
        const auto [entry, is_new] = tuples_.try_emplace(key_, 0);
        if (!is_new) {
            stack_.resize(begin);
            return push({Kind::kList, entry->second});
        }
        number = &entry->second;
    }
    const std::uint64_t at = cells.take(size + 1);
    cells[at] = cell(size << 1U | 1U);
    for (std::uint64_t i = 0; i < size; ++i)
        cells[at + 1 + i] = stack_[begin + i];
    if (number != nullptr) *number = at;
    stack_.resize(begin);
    push({Kind::kList, at});
}

void Machine::push_dict(std::size_t begin) {
    const Value dict = new_dict();
    extend_dict(dict, begin);
    push(dict);
}

void Machine::remember(std::uint64_t number) {
    if (stack_.empty()) refuse("a value to remember", "none");
    if (number < memo_.size()) {
        memo_[number] = stack_.back();
    } else if (number == memo_.size()) {
        memo_.push_back(stack_.back());
    } else {
        far_memo_[number] = stack_.back();
    }
}

void Machine::recall(std::uint64_t number) {
    if (number < memo_.size()) return push(memo_[number]);
    const auto found = far_memo_.find(number);
    if (found == far_memo_.end()) refuse("a number of a remembered value", std::to_string(number));
    push(found->second);
}

bool Machine::step() {
    const std::uint8_t instruction = bytes_.byte();
    switch (instruction) {
        case kMark:
            marks_.push_back(stack_.size());
            break;
        case kStop:
            return false;
        case kPop:
            if (!marks_.empty() && stack_.size() == marks_.back()) {
                marks_.pop_back();
            } else {
                pop();
            }
            break;
        case kPopMark:
            stack_.resize(take_mark());
            break;
        case kDup: {
            const Value top = pop();
            push(top);
            push(top);
            break;
        }
        case kNone:
            push({Kind::kNone, 0});
            break;
        case kNewTrue:
            push({Kind::kBoolean, 1});
            break;
        case kNewFalse:
            push({Kind::kBoolean, 0});
            break;
        case kBinInt1:
            push({Kind::kInteger, bytes_.number(1)});
            break;
        case kBinInt2:
            push({Kind::kInteger, bytes_.number(2)});
            break;
        case kBinInt:
            push_integer(4);
            break;
        case kLong1:
            push_integer(bytes_.number(1));
            break;
        case kLong4:
            push_integer(bytes_.number(4));
            break;
        case kBinFloat: {
            std::uint64_t bits = 0;  // the highest byte first
            for (int i = 0; i < 8; ++i)
                bits = bits << 8U | bytes_.byte();
            push({Kind::kReal, made_.reals_.size()});
            made_.reals_.push_back(std::bit_cast<double>(bits));
            break;
        }
        case kShortBinUnicode:
        case kShortBinString:
        case kShortBinBytes:
            push_text(bytes_.number(1));
            break;
        case kBinUnicode:
        case kBinString:
        case kBinBytes:
            push_text(bytes_.number(4));
            break;
        case kBinUnicode8:
        case kBinBytes8:
        case kByteArray8:
            push_text(bytes_.number(8));
            break;
        case kEmptyList:
        case kEmptySet:
            push(new_list());
            break;
        case kEmptyDict:
            push(new_dict());
            break;
        case kEmptyTuple:
            push_tuple(stack_.size());
            break;
        case kTuple1:
        case kTuple2:
        case kTuple3: {
            const auto size = static_cast<std::size_t>(instruction - kTuple1 + 1);
            const std::size_t floor = marks_.empty() ? 0 : marks_.back();
            if (stack_.size() < floor + size)
                refuse(std::to_string(size) + " values before this instruction",
                       std::to_string(stack_.size() - floor));
            push_tuple(stack_.size() - size);
            break;
        }
        case kTuple:
            push_tuple(take_mark());
            break;
        case kListInstruction:
        case kFrozenSet:
            push_list(take_mark());
            break;
        case kDictionary:
            push_dict(take_mark());
            break;
        case kAppend: {
            if (stack_.size() < 2) refuse("a list and a value before this instruction", "fewer");
            const std::size_t begin = stack_.size() - 1;
            extend_list(container_below(begin, Kind::kList), begin);
            break;
        }
        case kAppends:
        case kAddItems: {
            const std::size_t begin = take_mark();
            extend_list(container_below(begin, Kind::kList), begin);
            break;
        }
        case kSetItem: {
            if (stack_.size() < 3) refuse("a dict, a key and a value before this instruction", "fewer");
            const std::size_t begin = stack_.size() - 2;
            extend_dict(container_below(begin, Kind::kDict), begin);
            break;
        }
        case kSetItems: {
            const std::size_t begin = take_mark();
            extend_dict(container_below(begin, Kind::kDict), begin);
            break;
        }
        case kBinPut:
            remember(bytes_.number(1));
            break;
        case kLongBinPut:
            remember(bytes_.number(4));
            break;
        case kMemoize:
            remember(memo_.size());
            break;
        case kBinGet:
            recall(bytes_.number(1));
            break;
        case kLongBinGet:
            recall(bytes_.number(4));
            break;
        case kFrame:
            bytes_.number(8);
            break;
        default:
            if (const char* const what = forbidden(instruction); what != nullptr)
                refuse("a plain value", what);
            refuse("an instruction of a pickle of protocol 2 to 5", hexadecimal(instruction));
    }
    return true;
}

report::Result<Document> load(report::Input& input) {
    try {
        return Machine(input).run();
    } catch (const FormatError& error) {
        return error.in(input.name());
    }
}

}  // namespace tilemeter::foreign::pickle
