// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/device/device_description.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "capture/log/log.hpp"
#include "runtime/device/built_in_descriptions.hpp"
#include "runtime/device/device.hpp"

namespace tilemeter {

namespace {

using Json = nlohmann::json;

// A description is about 1 KiB; whoever passes a report by mistake should hear so at once.
constexpr std::size_t kLargestFile = 1 << 20;
constexpr std::uint32_t kMostChips = 64;

[[noreturn]] void fail(const std::string& where, const std::string& expected, const std::string& found) {
    throw std::invalid_argument(where + ": expected " + expected + ", found " + found);
}

// Whatever the file holds, a message stays a line that can be read.
std::string shortened(std::string text) {
    constexpr std::size_t kLongest = 160;
    if (text.size() > kLongest) text.replace(kLongest, std::string::npos, "...");
    return text;
}

/// A value as messages show it. Lists and objects only by that name: they may be nested as deep as the file
/// is long.
std::string shown(const Json& value) {
    if (value.is_structured()) return value.type_name();
    const std::string text = shortened(value.dump(-1, ' ', true, Json::error_handler_t::replace));
    return value.is_string() ? "string " + text : text;
}

/// Reads one JSON object: each key exactly once, none besides.
class ObjectReader {
public:
    ObjectReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
        if (!json.is_object()) fail(where_, "an object", shown(json));
    }

    const Json& value(const char* key) {
        known_.insert(key);
        const auto found = json_.find(key);
        if (found == json_.end()) fail(place(key), "a value", "no such key");
        return *found;
    }

    std::string text(const char* key) {
        const Json& json = value(key);
        if (!json.is_string() || json.get_ref<const std::string&>().empty()) {
            fail(place(key), "a text that is not empty", shown(json));
        }
        return json.get<std::string>();
    }

    std::uint64_t number(const char* key, std::uint64_t least, std::uint64_t most) {
        const Json& json = value(key);
        if (!json.is_number_unsigned() || json.get<std::uint64_t>() < least ||
            json.get<std::uint64_t>() > most) {
            fail(place(key), "an integer from " + std::to_string(least) + " to " + std::to_string(most),
                 shown(json));
        }
        return json.get<std::uint64_t>();
    }

    std::uint32_t small_number(const char* key, std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(number(key, least, most));
    }

    bool has(const char* key) const { return json_.contains(key); }

    template <typename Element>
    std::vector<Element> list(const char* key, Element (*read)(ObjectReader&)) {
        const Json& json = value(key);
        if (!json.is_array()) fail(place(key), "a list", shown(json));
        std::vector<Element> elements;
        for (const Json& element : json) {
            ObjectReader reader(element, place(key) + "[" + std::to_string(elements.size()) + "]");
            elements.push_back(read(reader));
            reader.finish();
        }
        return elements;
    }

    void finish() const {
        for (const auto& [key, unused] : json_.items()) {
            if (known_.count(key) == 0) fail(place(key), "a key of a device description", "an unknown key");
        }
    }

    std::string place(const std::string& key) const { return where_ + ": " + shortened(Json(key).dump()); }

private:
    const Json& json_;
    std::string where_;
    std::set<std::string> known_;
};

/// JSON says nothing of a key given twice, and the last would win in silence.
Json parse_json(std::string_view text, std::string_view origin) {
    std::vector<std::set<std::string>> keys;
    std::string twice;
    const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
            twice = shortened(parsed.dump());
        }
        return true;
    };
    Json json;
    try {
        json = Json::parse(text, watch);
    } catch (const Json::parse_error& error) {
        fail(std::string(origin), "JSON", shortened(error.what()));
    }
    if (!twice.empty()) fail(std::string(origin) + ": " + twice, "each key once", "it twice");
    return json;
}

constexpr std::uint32_t kWidestGrid = 1024;

/// Places count from 0, sizes of grids from 1.
CoreCoord read_coordinates(ObjectReader& object, std::uint32_t least = 0) {
    const std::uint32_t most = kWidestGrid - 1 + least;
    return {object.small_number("x", least, most), object.small_number("y", least, most)};
}

CoreCoord read_core(ObjectReader& object, const char* key, std::uint32_t least = 0) {
    ObjectReader core(object.value(key), object.place(key));
    const CoreCoord coord = read_coordinates(core, least);
    core.finish();
    return coord;
}

ChipHarvesting read_harvesting(ObjectReader& object) {
    constexpr auto kAny = std::numeric_limits<std::uint32_t>::max();
    return {object.small_number("tensix_mask", 0, kAny), object.small_number("dram_mask", 0, kAny),
            object.small_number("eth_mask", 0, kAny), object.small_number("pcie_mask", 0, kAny)};
}

EthernetLink read_link(ObjectReader& object) {
    constexpr std::uint32_t kMostChannels = 64;
    return {object.small_number("chip", 0, kMostChips), object.small_number("channel", 0, kMostChannels),
            object.small_number("other_chip", 0, kMostChips),
            object.small_number("other_channel", 0, kMostChannels)};
}

DramBankCores read_bank_cores(ObjectReader& object) {
    return {read_core(object, "noc_0"), read_core(object, "noc_1")};
}

std::vector<std::uint32_t> read_numbers(ObjectReader& object, const char* key, std::uint32_t most) {
    const Json& json = object.value(key);
    if (!json.is_array()) fail(object.place(key), "a list", shown(json));
    std::vector<std::uint32_t> numbers;
    for (const Json& each : json) {
        if (!each.is_number_unsigned() || each.get<std::uint64_t>() > most)
            fail(object.place(key) + "[" + std::to_string(numbers.size()) + "]",
                 "an integer from 0 to " + std::to_string(most), shown(each));
        numbers.push_back(each.get<std::uint32_t>());
    }
    return numbers;
}

Board read_board(ObjectReader& object) {
    return {object.number("board_id", 0, std::numeric_limits<std::uint64_t>::max()),
            read_numbers(object, "chips", kMostChips - 1)};
}

/// `or_else`: what else there may be.
void require_one_per_chip(const ObjectReader& object, const char* key, std::size_t count,
                          const DeviceDescription& device, const char* or_else = "") {
    if (count == device.chips) return;
    fail(object.place(key), std::to_string(device.chips) + " entries, one per chip" + or_else,
         std::to_string(count));
}

bool read_flag(ObjectReader& object, const char* key) {
    const Json& json = object.value(key);
    if (!json.is_boolean()) fail(object.place(key), "true or false", shown(json));
    return json.get<bool>();
}

// Throws unless `chips` are all of the device's chips, each once.
void check_all_chips(const std::string& where, std::vector<std::uint32_t> chips,
                     const DeviceDescription& device) {
    std::sort(chips.begin(), chips.end());
    bool is_complete = chips.size() == device.chips;
    for (std::uint32_t i = 0; is_complete && i < device.chips; ++i)
        is_complete = chips[i] == i;
    if (!is_complete) fail(where, "each chip below " + std::to_string(device.chips) + " once", "other chips");
}

// The keys of a system of several boards; a board of its own says none of it.
void read_system(ObjectReader& object, DeviceDescription& device) {
    device.boards = {{device.board_id, {}}};
    for (std::uint32_t chip = device.chips; chip-- > 0;)  // the last chip first, as in recorded ones
        device.boards[0].chips.push_back(chip);
    if (object.has("boards")) {
        device.boards = object.list<Board>("boards", read_board);
        std::vector<std::uint32_t> chips;
        for (const Board& each : device.boards)
            chips.insert(chips.end(), each.chips.begin(), each.chips.end());
        check_all_chips(object.place("boards"), std::move(chips), device);
    }
    for (std::uint32_t chip = 0; chip < device.chips; ++chip)
        device.chip_coordinates.push_back({chip, 0});
    if (object.has("chip_coordinates")) {
        device.chip_coordinates = object.list<CoreCoord>(
            "chip_coordinates", [](ObjectReader& each) { return read_coordinates(each); });
        if (!device.chip_coordinates.empty())
            require_one_per_chip(object, "chip_coordinates", device.chip_coordinates.size(), device,
                                 ", or none");
    }
    if (object.has("host_chips")) device.host_chips = object.small_number("host_chips", 1, device.chips);
    if (object.has("asic_locations")) {
        device.asic_locations = read_numbers(object, "asic_locations", 1023);
        require_one_per_chip(object, "asic_locations", device.asic_locations.size(), device);
    }
    device.mesh.rows = device.chips;
    for (std::uint32_t chip = 0; chip < device.chips; ++chip)
        device.mesh.chips.push_back(static_cast<std::uint16_t>(chip));
    if (!object.has("mesh")) return;
    ObjectReader mesh(object.value("mesh"), object.place("mesh"));
    device.mesh.rows = mesh.small_number("rows", 1, device.chips);
    device.mesh.columns = mesh.small_number("columns", 1, device.chips);
    device.mesh.lines_close_rings = read_flag(mesh, "lines_close_rings");
    device.mesh.links = mesh.small_number("links", 1, 64);
    const std::vector<std::uint32_t> chips = read_numbers(mesh, "chips", kMostChips - 1);
    check_all_chips(mesh.place("chips"), chips, device);
    if (device.mesh.rows * device.mesh.columns != device.chips)
        fail(mesh.place("rows"), "rows times columns to be " + std::to_string(device.chips) + " chips",
             std::to_string(device.mesh.rows) + " times " + std::to_string(device.mesh.columns));
    device.mesh.chips.assign(chips.begin(), chips.end());
    mesh.finish();
}

void check_bank_cores(const ObjectReader& object, const DeviceDescription& device) {
    const std::size_t count = device.dram_bank_cores.size();
    if (count != 0 && count != device.dram_banks) {
        fail(object.place("dram_bank_cores"), std::to_string(device.dram_banks) + " entries, one per bank",
             std::to_string(count));
    }
    for (std::size_t bank = 0; bank < count; ++bank) {
        for (const CoreCoord core :
             {device.dram_bank_cores[bank].noc_0, device.dram_bank_cores[bank].noc_1}) {
            if (core.x < device.compute_grid.x && core.y < device.compute_grid.y) continue;
            fail(object.place("dram_bank_cores") + "[" + std::to_string(bank) + "]",
                 "a core of the compute grid", std::to_string(core.x) + ", " + std::to_string(core.y));
        }
    }
}

void require_multiple(const ObjectReader& object, const char* key, std::uint64_t value, std::uint64_t of) {
    if (value % of != 0) {
        fail(object.place(key), "a multiple of the allocation granularity " + std::to_string(of),
             std::to_string(value));
    }
}

/// Checks the figures that allocators rely on.
void check(const ObjectReader& object, const DeviceDescription& device) {
    const std::uint64_t granularity = device.allocation_granularity;
    require_multiple(object, "l1_size", device.l1_size, granularity);
    require_multiple(object, "l1_unreserved_base", device.l1_unreserved_base, granularity);
    require_multiple(object, "dram_bank_size", device.dram_bank_size, granularity);
    require_multiple(object, "dram_unreserved_base", device.dram_unreserved_base, granularity);
    if (device.logical_grid.x < device.compute_grid.x || device.logical_grid.y < device.compute_grid.y) {
        fail(object.place("logical_grid"), "at least the compute grid",
             std::to_string(device.logical_grid.x) + " x " + std::to_string(device.logical_grid.y));
    }
    require_one_per_chip(object, "harvesting", device.harvesting.size(), device);
    check_bank_cores(object, device);
    for (std::size_t i = 0; i < device.ethernet_links.size(); ++i) {
        const EthernetLink& link = device.ethernet_links[i];
        if (link.chip >= device.chips || link.other_chip >= device.chips) {
            fail(object.place("ethernet_links") + "[" + std::to_string(i) + "]",
                 "chips below " + std::to_string(device.chips),
                 std::to_string(link.chip) + " and " + std::to_string(link.other_chip));
        }
    }
}

std::string read_file(const std::string& path, const std::string& name) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kLargestFile + 1, '\0');
    if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad() || (file.fail() && !file.eof())) {
        std::string names;
        for (const BuiltInDescription& built_in : built_in_descriptions()) {
            names += std::string(built_in.name) + ", ";
        }
        fail("device description " + Json(name).dump(-1, ' ', false, Json::error_handler_t::replace),
             names + "or a file that can be read", "neither");
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestFile) fail(path, "a device description of at most 1 MiB", "a larger file");
    return text;
}

}  // namespace

std::vector<std::string> built_in_device_names() {
    std::vector<std::string> names;
    for (const BuiltInDescription& built_in : built_in_descriptions())
        names.emplace_back(built_in.name);
    return names;
}

DeviceDescription load_device_description(std::string_view name_or_path) {
    for (const BuiltInDescription& built_in : built_in_descriptions()) {
        if (built_in.name == name_or_path) return parse_device_description(built_in.json, built_in.name);
    }
    const std::string path(name_or_path);
    logging::info({path, ": no built-in device, so a file with a description"});
    return parse_device_description(read_file(path, path), path);
}

DeviceDescription parse_device_description(std::string_view json, std::string_view origin) {
    // Far above any device, and far below where sums of sizes over banks overflow 64 bits.
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
    constexpr std::uint64_t kMostAlignment = 1 << 20;
    const Json parsed = parse_json(json, origin);
    ObjectReader object(parsed, std::string(origin));
    DeviceDescription device;
    device.name = object.text("name");
    device.arch = object.text("arch");
    device.board_type = object.text("board_type");
    device.board_id = object.number("board_id", 0, std::numeric_limits<std::uint64_t>::max());
    device.chips = object.small_number("chips", 1, kMostChips);
    device.compute_grid = read_core(object, "compute_grid", 1);
    device.logical_grid = read_core(object, "logical_grid", 1);
    device.l1_size = object.number("l1_size", 1, kMostBytes);
    device.l1_unreserved_base = object.number("l1_unreserved_base", 1, device.l1_size - 1);
    device.dram_banks = object.number("dram_banks", 1, 1024);
    device.dram_bank_size = object.number("dram_bank_size", 1, kMostBytes);
    device.dram_unreserved_base = object.number("dram_unreserved_base", 1, device.dram_bank_size - 1);
    device.l1_alignment = object.number("l1_alignment", 1, kMostAlignment);
    device.dram_alignment = object.number("dram_alignment", 1, kMostAlignment);
    device.allocation_granularity = object.number("allocation_granularity", 1, kMostAlignment);
    device.harvesting = object.list<ChipHarvesting>("harvesting", read_harvesting);
    device.ethernet_links = object.list<EthernetLink>("ethernet_links", read_link);
    if (object.has("dram_bank_cores"))
        device.dram_bank_cores = object.list<DramBankCores>("dram_bank_cores", read_bank_cores);
    read_system(object, device);
    object.finish();
    check(object, device);
    return device;
}

}  // namespace tilemeter
