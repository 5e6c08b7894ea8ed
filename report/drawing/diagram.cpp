// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "report/drawing/diagram.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "report/cut_text.hpp"
#include "report/drawing/layered.hpp"
#include "report/markup.hpp"

namespace tilemeter::drawing {
namespace {

// All in pixels. The widest of the fonts below takes 0.62 of its size for a character.
constexpr std::int64_t kTextSize = 12, kColumn = 75;  // a column of text, in tenths
constexpr std::int64_t kLine = 17;
constexpr std::int64_t kPadding = 9;
constexpr std::int64_t kAroundInside = 14;
constexpr std::int64_t kBar = 4;
constexpr std::int64_t kLeastWidth = 120;
constexpr std::int64_t kMargin = 20;
constexpr std::int64_t kLeastPage = 720;
constexpr std::int64_t kRowWidth = 1300;       // of boxes side by side, on the page
constexpr std::int64_t kInnerRowWidth = 1000;  // in a box
constexpr std::size_t kMostColumns = 54;
constexpr std::size_t kMostReasonLines = 6;

constexpr std::string_view kStyle = R"(<style>
.tilemeter-picture{--back:#ffffff;--text:#1f2328;--soft:#57606a;--line:#8c959f;--step:#f6f8fa;--edge:#d0d7de;--data:#ddf4ff;--data-edge:#54aeff;
--group:#00000006;--repeat:#8250df0d;--repeat-edge:#8250df;--bad:#ffebe9;--bad-edge:#cf222e;--peak:#fff8c5;--peak-edge:#bf8700;--bar:#54aeff;--rest:#d0d7de80;color-scheme:light dark}
@media (prefers-color-scheme:dark){.tilemeter-picture{--back:#0d1117;--text:#e6edf3;--soft:#9198a1;--line:#7d8590;--step:#161b22;--edge:#3d444d;--data:#0c2d6b80;--data-edge:#388bfd;
--group:#ffffff08;--repeat:#8957e51a;--repeat-edge:#a371f7;--bad:#490202;--bad-edge:#f85149;--peak:#3b2300;--peak-edge:#d29922;--bar:#388bfd;--rest:#3d444d80}}
.tilemeter-picture text{fill:var(--text);white-space:pre}.tilemeter-picture .n{font-weight:bold}.tilemeter-picture .s{fill:var(--soft)}
.tilemeter-picture .f{fill:var(--bad-edge)}.tilemeter-picture .page{fill:var(--back)}
.tilemeter-picture rect.b{stroke-width:1}.tilemeter-picture .step>rect.b{fill:var(--step);stroke:var(--edge)}.tilemeter-picture .data>rect.b{fill:var(--data);stroke:var(--data-edge)}
.tilemeter-picture .group>rect.b{fill:var(--group);stroke:var(--line)}.tilemeter-picture .repeat>rect.b{fill:var(--repeat);stroke:var(--repeat-edge);stroke-dasharray:6 3}
.tilemeter-picture .peak>rect.b{fill:var(--peak);stroke:var(--peak-edge);stroke-width:2}.tilemeter-picture .failed>rect.b{fill:var(--bad);stroke:var(--bad-edge);stroke-width:2}
.tilemeter-picture .group.peak>rect.b,.tilemeter-picture .group.failed>rect.b{fill:var(--group)}
.tilemeter-picture .holds-failed>rect.b{stroke:var(--bad-edge)}
.tilemeter-picture path.a{fill:none;stroke:var(--line);stroke-width:1.3}.tilemeter-picture path.a:hover{stroke:var(--bad-edge);stroke-width:2.5}
.tilemeter-picture path.h{fill:var(--line)}.tilemeter-picture rect.r{fill:var(--rest)}.tilemeter-picture rect.u{fill:var(--bar)}
</style>
)";

std::string number(std::int64_t value) {
    return std::to_string(value);
}

std::int64_t width_of(std::string_view text) {
    return (static_cast<std::int64_t>(report::columns_of(text)) * kColumn + 9) / 10;
}

bool holds_failure(const Diagram& diagram) {
    return std::ranges::any_of(diagram.boxes, [](const Diagram::Box& box) {
        return box.mark == Diagram::Mark::kFailed || (box.inside != nullptr && holds_failure(*box.inside));
    });
}

/// A box with the texts that it shows, its size, and what is in it.
struct Measured {
    std::vector<std::string> lines, reason;
    Size size;
    std::int64_t head = 0;  // the height of its texts and its bar
    Layout layout;
    std::vector<Measured> inside;
};

Measured measured(const Diagram::Box& box, bool has_bar);

std::vector<Measured> measured_boxes(const Diagram& diagram, bool has_bar) {
    std::vector<Measured> boxes;
    for (const Diagram::Box& box : diagram.boxes)
        boxes.push_back(measured(box, has_bar));
    return boxes;
}

Layout placed(const Diagram& diagram, const std::vector<Measured>& boxes, std::int64_t row_width) {
    std::vector<Size> sizes;
    for (const Measured& box : boxes)
        sizes.push_back(box.size);
    std::vector<Arrow> arrows;
    for (const Diagram::Arrow& arrow : diagram.arrows)
        arrows.push_back({arrow.from, arrow.to});
    return layered(sizes, arrows, row_width);
}

Measured measured(const Diagram::Box& box, bool has_bar) {
    Measured it;
    std::size_t most = kMostColumns;
    if (box.inside != nullptr) {
        it.inside = measured_boxes(*box.inside, has_bar);
        it.layout = placed(*box.inside, it.inside, kInnerRowWidth);
        it.size.width = it.layout.size.width + 2 * kAroundInside;
        most = std::max(most, static_cast<std::size_t>((it.size.width - 2 * kPadding) * 10 / kColumn));
    }
    for (const std::string& line : box.lines)
        it.lines.push_back(report::with_end_cut(line, most));
    if (!box.reason.empty()) it.reason = report::wrapped(box.reason, most);
    if (it.reason.size() > kMostReasonLines) {
        it.reason.resize(kMostReasonLines);
        it.reason.back() = report::with_end_cut(it.reason.back() + " …", most);
        if (!it.reason.back().ends_with("…")) it.reason.back() += "…";
    }
    std::int64_t widest = 0;
    for (const auto* lines : {&it.lines, &it.reason})
        for (const std::string& line : *lines)
            widest = std::max(widest, width_of(line));
    it.size.width = std::max({it.size.width, kLeastWidth, widest + 2 * kPadding});
    it.head = 2 * kPadding - 4 + kLine * static_cast<std::int64_t>(it.lines.size() + it.reason.size());
    if (has_bar && box.use > 0) it.head += kBar + 3;
    it.size.height = it.head;
    if (box.inside != nullptr) it.size.height += it.layout.size.height + kAroundInside;
    return it;
}

const char* name_of(Diagram::Kind kind) {
    switch (kind) {
        case Diagram::Kind::kStep:
            return "step";
        case Diagram::Kind::kData:
            return "data";
        case Diagram::Kind::kGroup:
            return "group";
        case Diagram::Kind::kRepeat:
            return "repeat";
    }
    return "step";
}

class Writer {
public:
    explicit Writer(const Heading& heading) : heading_(heading) {}

    std::string run(const Diagram& diagram) {
        const std::vector<Measured> boxes = measured_boxes(diagram, heading_.full > 0);
        const Layout layout = placed(diagram, boxes, kRowWidth);
        const std::int64_t width = std::max(kLeastPage, layout.size.width + 2 * kMargin);
        const std::int64_t top = add_heading(width);
        const std::int64_t height = top + layout.size.height + kMargin;
        add_arrows(diagram, layout, {(width - layout.size.width) / 2, top});
        add_boxes(diagram, boxes, layout, {(width - layout.size.width) / 2, top});
        const std::string size = number(width) + "\" height=\"" + number(height);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tilemeter-picture\" role=\"img\" aria-label=\"" +
               report::markup_text(heading_.title) + "\" width=\"" + size + "\" viewBox=\"0 0 " +
               number(width) + " " + number(height) +
               "\" style=\"max-width:100%;height:auto\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu "
               "Sans Mono',monospace\" font-size=\"" +
               number(kTextSize) + "\">\n" + std::string(kStyle) + "<rect class=\"page\" width=\"" + size +
               "\"/>\n" + text_ + "</svg>\n";
    }

private:
    /// Where the diagram begins.
    std::int64_t add_heading(std::int64_t width) {
        std::int64_t y = kMargin + kTextSize;
        const auto columns = static_cast<std::size_t>((width - 2 * kMargin) * 10 / kColumn);
        const auto add = [&](const std::string& text, const char* type) {
            for (const std::string& line : report::wrapped(text, columns)) {
                add_text({kMargin, y}, line, type);
                y += kLine;
            }
        };
        add(heading_.title, "n");
        if (!heading_.failure.empty()) add(heading_.failure, "f");
        for (const std::string& line : heading_.lines)
            add(line, "s");
        add_legend(y);
        return y + kLine / 2;
    }

    void add_legend(std::int64_t& y) {
        const std::array<std::pair<const char*, const std::string*>, 3> entries{
            {{"data", &heading_.legend_of_data},
             {"peak", &heading_.legend_of_peak},
             {"", &heading_.legend_of_bar}}};
        for (const auto& [type, text] : entries) {
            if (text->empty()) continue;
            constexpr std::int64_t kWidth = 34;
            if (*type != '\0') {
                text_ += "<g class=\"" + std::string(type) + "\">";
                add_rect({kMargin, y - 10}, {kWidth, 12}, "b");
                text_ += "</g>";
            } else {
                add_bar({kMargin, y - 6}, kWidth, heading_.full / 2);
            }
            add_text({kMargin + kWidth + 10, y}, *text, "s");
            y += kLine;
        }
    }

    void add_text(Point at, std::string_view text, const char* type) {
        text_ += "<text" + (*type == '\0' ? std::string() : std::string(" class=\"") + type + "\"") +
                 " x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\">" + report::markup_text(text) +
                 "</text>";
    }

    void add_rect(Point at, Size size, const char* type) {
        text_ += std::string("<rect class=\"") + type + "\" x=\"" + number(at.x) + "\" y=\"" + number(at.y) +
                 "\" width=\"" + number(size.width) + "\" height=\"" + number(size.height) +
                 (*type == 'b' ? "\" rx=\"5\"/>" : "\"/>");
    }

    void add_bar(Point at, std::int64_t width, std::uint64_t use) {
        const double share = std::min(1.0, static_cast<double>(use) / static_cast<double>(heading_.full));
        add_rect(at, {width, kBar}, "r");
        add_rect(
            at,
            {std::max<std::int64_t>(1, static_cast<std::int64_t>(share * static_cast<double>(width))), kBar},
            "u");
    }

    void add_boxes(const Diagram& diagram, const std::vector<Measured>& boxes, const Layout& layout,
                   Point origin) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            add_box(diagram.boxes[i], boxes[i],
                    {origin.x + layout.places[i].x, origin.y + layout.places[i].y});
    }

    void add_box(const Diagram::Box& box, const Measured& it, Point at) {
        const char* mark = box.mark == Diagram::Mark::kFailed                    ? " failed"
                           : box.mark == Diagram::Mark::kPeak                    ? " peak"
                           : box.inside != nullptr && holds_failure(*box.inside) ? " holds-failed"
                                                                                 : "";
        text_ += std::string("<g class=\"") + name_of(box.kind) + mark + '"';
        if (box.node >= 0) text_ += " data-node=\"" + number(box.node) + '"';
        text_ += '>';
        if (!box.tooltip.empty()) text_ += "<title>" + lines_of(box.tooltip) + "</title>";
        add_rect(at, it.size, "b");
        std::int64_t y = at.y + kPadding + kTextSize - 2;
        const char* type = "n";
        for (const std::string& line : it.lines) {
            add_text({at.x + kPadding, y}, line, type);
            y += kLine;
            type = "s";
        }
        for (const std::string& line : it.reason) {
            add_text({at.x + kPadding, y}, line, "f");
            y += kLine;
        }
        if (heading_.full > 0 && box.use > 0)
            add_bar({at.x + kPadding, at.y + it.head - kPadding - 1}, it.size.width - 2 * kPadding, box.use);
        if (box.inside != nullptr) {
            const Point inner{at.x + (it.size.width - it.layout.size.width) / 2, at.y + it.head};
            text_ += '\n';
            add_arrows(*box.inside, it.layout, inner);
            add_boxes(*box.inside, it.inside, it.layout, inner);
        }
        text_ += "</g>\n";
    }

    /// A tooltip with its line ends.
    static std::string lines_of(const std::string& text) {
        std::string result;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            result += report::markup_text(std::string_view(text).substr(begin, end - begin));
            if (end < text.size()) result += '\n';
            begin = end + 1;
        }
        return result;
    }

    void add_arrows(const Diagram& diagram, const Layout& layout, Point origin) {
        for (std::size_t i = 0; i < diagram.arrows.size(); ++i) {
            const std::vector<Point>& way = layout.ways[i];
            if (way.size() < 2) continue;
            const Diagram::Arrow& arrow = diagram.arrows[i];
            text_ += "<path class=\"a\" data-from=\"" + number(arrow.from) + "\" data-to=\"" +
                     number(arrow.to) + "\" d=\"" + path_of(way, origin) + '"';
            text_ += arrow.tooltip.empty() ? "/>" : "><title>" + lines_of(arrow.tooltip) + "</title></path>";
            const Point tip{way.back().x + origin.x, way.back().y + origin.y};
            const std::int64_t back = way.back().y > way[way.size() - 2].y ? -7 : 7;
            text_ += "<path class=\"h\" d=\"M" + pair(tip) + "l-3.5 " + number(back) + "h7z\"/>\n";
        }
    }

    static std::string pair(Point at) { return number(at.x) + ' ' + number(at.y); }

    static std::string path_of(const std::vector<Point>& way, Point origin) {
        std::string path = "M" + pair({way[0].x + origin.x, way[0].y + origin.y});
        for (std::size_t i = 1; i < way.size(); ++i) {
            const Point from{way[i - 1].x + origin.x, way[i - 1].y + origin.y};
            const Point to{way[i].x + origin.x, way[i].y + origin.y};
            if (from.x == to.x) {
                path += "V" + number(to.y);
                continue;
            }
            const std::int64_t half = (from.y + to.y) / 2;
            path += "C" + pair({from.x, half}) + ' ' + pair({to.x, half}) + ' ' + pair(to);
        }
        return path;
    }

    const Heading& heading_;
    std::string text_;
};

}  // namespace

std::size_t Diagram::box_count() const {
    std::size_t count = boxes.size();
    for (const Box& box : boxes)
        if (box.inside != nullptr) count += box.inside->box_count();
    return count;
}

bool Diagram::has(Kind kind) const {
    return std::ranges::any_of(boxes, [&](const Box& box) {
        return box.kind == kind || (box.inside != nullptr && box.inside->has(kind));
    });
}

std::string svg_of(const Diagram& diagram, const Heading& heading) {
    return Writer(heading).run(diagram);
}

}  // namespace tilemeter::drawing
