// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// FlatBuffers' binary form, as much of it as files of tensors need: tables, vectors of numbers, vectors of tables. Numbers are
// little-endian, as on all machines that TT-NN runs on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilemeter::compat {

/// Writes what a table is made of.
class FlatBufferWriter {
public:
    using Child = std::function<std::uint32_t(FlatBufferWriter& writer)>;  ///< writes it, gives its place

    struct Field {
        std::uint32_t size = 0;   ///< bytes of a number; 0: a reference
        std::uint64_t value = 0;  ///< a number's
        Child child{};            ///< none: the field is left out
    };
    static Field number(std::uint32_t size, std::uint64_t value) { return {size, value, {}}; }
    static Field reference(Child child) { return {0, 0, std::move(child)}; }
    static Field none() { return {}; }

    FlatBufferWriter() = default;
    virtual ~FlatBufferWriter() = default;
    FlatBufferWriter(const FlatBufferWriter&) = delete;
    FlatBufferWriter& operator=(const FlatBufferWriter&) = delete;

    /// Numbers that are 0, the default of all, are left out.
    virtual std::uint32_t table(const std::vector<Field>& fields) = 0;
    virtual std::uint32_t numbers(std::span<const std::uint32_t> values) = 0;
    virtual std::uint32_t list(const std::vector<Child>& children) = 0;
    /// A struct of two numbers.
    virtual std::uint32_t pair(std::uint64_t first, std::uint64_t second) = 0;
    virtual std::uint32_t text(std::string_view value) = 0;
};

/// Writes parents before what they refer to: references point forward.
class FlatBufferBytes final : public FlatBufferWriter {
public:
    std::uint32_t table(const std::vector<Field>& fields) override {
        std::vector<std::uint16_t> offsets;
        std::uint32_t end = 4;  // behind the reference to the list of offsets
        for (const Field& field : fields) {
            const bool is_left_out = field.size == 0 ? !field.child : field.value == 0;
            const std::uint32_t size = field.size == 0 ? 4 : field.size;
            if (!is_left_out) end = (end + size - 1) / size * size;
            offsets.push_back(is_left_out ? 0 : static_cast<std::uint16_t>(end));
            if (!is_left_out) end += size;
        }
        const auto list_size = static_cast<std::uint32_t>(4 + 2 * fields.size());
        align(8);
        bytes_.resize(bytes_.size() + (8 - list_size % 8) % 8);
        const auto list = static_cast<std::uint32_t>(bytes_.size());
        put(static_cast<std::uint16_t>(list_size));
        put(static_cast<std::uint16_t>(end));
        for (const std::uint16_t each : offsets)
            put(each);
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        bytes_.resize(start + end);
        const auto back = static_cast<std::int32_t>(start - list);
        std::memcpy(&bytes_[start], &back, sizeof back);
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (offsets[i] != 0 && fields[i].size != 0)
                std::memcpy(&bytes_[start + offsets[i]], &fields[i].value, fields[i].size);
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (offsets[i] != 0 && fields[i].size == 0) refer(start + offsets[i], fields[i].child);
        return start;
    }

    std::uint32_t numbers(std::span<const std::uint32_t> values) override {
        align(4);
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        put(static_cast<std::uint32_t>(values.size()));
        for (const std::uint32_t each : values)
            put(each);
        return start;
    }

    std::uint32_t list(const std::vector<Child>& children) override {
        align(4);
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        put(static_cast<std::uint32_t>(children.size()));
        bytes_.resize(bytes_.size() + 4 * children.size());
        for (std::size_t i = 0; i < children.size(); ++i)
            refer(start + 4 + 4 * static_cast<std::uint32_t>(i), children[i]);
        return start;
    }

    std::uint32_t text(std::string_view value) override {
        align(4);
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        put(static_cast<std::uint32_t>(value.size()));
        for (const char each : value)
            put(each);
        put('\0');
        return start;
    }

    std::uint32_t pair(std::uint64_t first, std::uint64_t second) override {
        align(8);
        const auto start = static_cast<std::uint32_t>(bytes_.size());
        put(first);
        put(second);
        return start;
    }

    /// All of it, whole multiples of 8 bytes.
    std::vector<std::byte> finish(const Child& root) {
        bytes_.assign(8, std::byte{0});
        refer(0, root);
        align(8);
        return std::move(bytes_);
    }

private:
    void refer(std::uint32_t from, const Child& child) {
        const std::uint32_t to = child(*this) - from;
        std::memcpy(&bytes_[from], &to, sizeof to);
    }
    void align(std::size_t unit) { bytes_.resize((bytes_.size() + unit - 1) / unit * unit); }
    template <typename T>
    void put(T value) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(&bytes_[at], &value, sizeof value);
    }

    std::vector<std::byte> bytes_;
};

/// A table in bytes that anybody may have written: all places are checked. Throws std::runtime_error for those outside.
class FlatBufferTable {
public:
    static FlatBufferTable root(std::span<const std::byte> bytes) {
        return FlatBufferTable(bytes, reference_at(bytes, 0));
    }

    /// One that its writer vouches for, somewhere in memory: nothing is checked.
    static FlatBufferTable in_memory(const void* table) {
        constexpr std::size_t kFarthest = std::size_t{1} << 31U;  // as far as references reach
        return FlatBufferTable({static_cast<const std::byte*>(table) - kFarthest, 2 * kFarthest}, kFarthest);
    }

    bool has(std::size_t field) const { return place(field).has_value(); }
    /// 0 where it was left out.
    template <typename T>
    T number(std::size_t field) const {
        const auto at = place(field);
        return at ? read<T>(bytes_, *at) : T{};
    }
    FlatBufferTable table(std::size_t field) const { return {bytes_, reference(field)}; }
    std::string text(std::size_t field) const {
        const std::size_t at = reference(field);
        std::string value(counted(at), '\0');
        for (std::size_t i = 0; i < value.size(); ++i)
            value[i] = read<char>(bytes_, at + 4 + i);
        return value;
    }
    std::vector<std::uint32_t> numbers(std::size_t field) const {
        const std::size_t at = reference(field);
        std::vector<std::uint32_t> values(counted(at));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = read<std::uint32_t>(bytes_, at + 4 + 4 * i);
        return values;
    }
    std::vector<FlatBufferTable> tables(std::size_t field) const {
        const std::size_t at = reference(field);
        std::vector<FlatBufferTable> values;
        for (std::size_t i = 0, count = counted(at); i < count; ++i)
            values.push_back(FlatBufferTable(bytes_, reference_at(bytes_, at + 4 + 4 * i)));
        return values;
    }
    std::pair<std::uint64_t, std::uint64_t> pair(std::size_t field) const {
        const std::size_t at = reference(field);
        return {read<std::uint64_t>(bytes_, at), read<std::uint64_t>(bytes_, at + 8)};
    }

private:
    FlatBufferTable(std::span<const std::byte> bytes, std::size_t start) : bytes_(bytes), start_(start) {
        const std::int64_t back = read<std::int32_t>(bytes, start);
        const std::int64_t list = static_cast<std::int64_t>(start) - back;
        if (list < 0) throw_outside();
        list_ = static_cast<std::size_t>(list);
        list_size_ = read<std::uint16_t>(bytes, list_);
    }

    [[noreturn]] static void throw_outside() {
        throw std::runtime_error("its header refers to places outside of it");
    }
    template <typename T>
    static T read(std::span<const std::byte> bytes, std::size_t at) {
        if (at > bytes.size() || bytes.size() - at < sizeof(T)) throw_outside();
        T value;
        std::memcpy(&value, &bytes[at], sizeof value);
        return value;
    }
    static std::size_t reference_at(std::span<const std::byte> bytes, std::size_t at) {
        return at + read<std::uint32_t>(bytes, at);
    }
    std::size_t counted(std::size_t at) const {
        const std::size_t count = read<std::uint32_t>(bytes_, at);
        if (count > bytes_.size()) throw_outside();
        return count;
    }
    std::optional<std::size_t> place(std::size_t field) const {
        const std::size_t entry = 4 + 2 * field;
        if (entry + 2 > list_size_) return std::nullopt;
        const auto offset = read<std::uint16_t>(bytes_, list_ + entry);
        return offset == 0 ? std::nullopt : std::optional(start_ + offset);
    }
    std::size_t reference(std::size_t field) const {
        const auto at = place(field);
        if (!at) throw std::runtime_error("its header lacks field " + std::to_string(field) + " of a table");
        return reference_at(bytes_, *at);
    }

    std::span<const std::byte> bytes_;
    std::size_t start_;
    std::size_t list_ = 0;
    std::size_t list_size_ = 0;
};

}  // namespace tilemeter::compat
