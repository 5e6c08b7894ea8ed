// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/python/bindings/captures/node_objects.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "capture/graph/chips_cache.hpp"
#include "capture/graph/json_text.hpp"
#include "capture/graph/node_fields.hpp"

namespace tilemeter::python {

namespace nb = nanobind;

namespace {

nb::object text_object(std::string_view text) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
}

/// Keeps the collector from walking a hundred thousand new objects that are no garbage.
class WithoutCollector {
public:
    WithoutCollector() : was_enabled_(PyGC_Disable() != 0) {}
    ~WithoutCollector() {
        if (was_enabled_) PyGC_Enable();
    }
    WithoutCollector(const WithoutCollector&) = delete;
    WithoutCollector& operator=(const WithoutCollector&) = delete;

private:
    bool was_enabled_;
};

/// A Sink (capture/graph/node_fields.hpp) that makes one dict after the other. Texts and keys that repeat are
/// one object.
class ObjectSink {
public:
    nb::list take() { return std::move(nodes_); }

    void begin_object() { node_ = nb::dict(); }
    void begin_object(const char* key) {
        key_of_inner_ = key;
        inner_ = nb::dict();
        in_inner_ = true;
    }
    void end_object() {
        if (in_inner_) {
            in_inner_ = false;
            set(node_, key_of_inner_, inner_);
        } else {
            nodes_.append(node_);
        }
    }

    void number(const char* key, std::uint64_t value) { add(key, number_object(value)); }
    void number_text(const char* key, std::uint64_t value) { add(key, text_object(std::to_string(value))); }
    void flag(const char* key, bool value) { add(key, nb::bool_(value)); }
    void null(const char* key) { add(key, nb::none()); }
    void text(const char* key, std::string_view value) { add(key, repeated(value)); }
    void text(const char* key, record::TextId value) { add(key, known(value)); }
    void numbers(const char* key, std::span<const std::uint32_t> values) {
        nb::list list;
        for (const std::uint32_t value : values)
            list.append(number_object(value));
        add(key, list);
    }

    void begin_texts(const char* key) {
        key_of_texts_ = key;
        texts_ = nb::list();
    }
    void begin_item() { item_.clear(); }
    void piece(std::string_view value) { item_ += value; }
    void piece(record::TextId value) { item_ += record::text_of(value); }
    void end_item() { texts_.append(repeated(item_)); }
    void end_texts() { add(key_of_texts_, texts_); }

    template <typename Write>
    void tensor_info(std::uint32_t, const record::TensorInfo& info, Write write) {
        write(*this, info);
    }
    void device_tensors(const char* key, record::DeviceId device, std::uint64_t address) {
        add(key, text_object(graph::device_tensors_text(device, chips_.of(device), address, "\"")));
    }

private:
    static void set(const nb::dict& dict, const nb::handle& key, const nb::handle& value) {
        if (PyDict_SetItem(dict.ptr(), key.ptr(), value.ptr()) != 0) throw nb::python_error();
    }
    void set(const nb::dict& dict, const char* key, const nb::handle& value) {
        set(dict, key_object(key), value);
    }
    void add(const char* key, const nb::handle& value) {
        set(in_inner_ ? inner_ : node_, key_object(key), value);
    }

    static nb::object number_object(std::uint64_t value) {
        PyObject* made = PyLong_FromUnsignedLongLong(value);
        if (made == nullptr) throw nb::python_error();
        return nb::steal(made);
    }

    /// Keys are literals: their address names them.
    const nb::object& key_object(const char* key) {
        auto [found, is_new] = keys_.try_emplace(key);
        if (is_new) found->second = nb::steal(PyUnicode_InternFromString(key));
        return found->second;
    }
    const nb::object& known(record::TextId id) {
        auto [found, is_new] = texts_by_id_.try_emplace(id);
        if (is_new) found->second = text_object(record::text_of(id));
        return found->second;
    }
    const nb::object& repeated(std::string_view value) {
        const auto found = repeated_.find(std::string(value));
        if (found != repeated_.end()) return found->second;
        return repeated_.emplace(value, text_object(value)).first->second;
    }

    nb::list nodes_;
    nb::dict node_;
    nb::dict inner_;
    nb::list texts_;
    std::string item_;
    const char* key_of_inner_ = nullptr;
    const char* key_of_texts_ = nullptr;
    bool in_inner_ = false;
    std::unordered_map<const char*, nb::object> keys_;
    std::unordered_map<record::TextId, nb::object> texts_by_id_;
    std::unordered_map<std::string, nb::object> repeated_;
    graph::ChipsCache chips_;
};

}  // namespace

nb::list node_objects(const graph::NodeGraph& graph) {
    const WithoutCollector uncollected;
    ObjectSink sink;
    graph::NodeFields<ObjectSink> fields(graph, sink);
    for (std::uint32_t counter = 0; counter < graph.nodes.size(); ++counter)
        fields.write(counter);
    return sink.take();
}

}  // namespace tilemeter::python
