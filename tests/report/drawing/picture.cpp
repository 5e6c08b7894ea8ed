// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/report/drawing/picture.hpp"

#include <cctype>
#include <map>
#include <stdexcept>
#include <string_view>

#include "report/cut_text.hpp"

namespace tilemeter::test {
namespace {

/// The parts of XML that a picture may have: elements, attributes in double quotes, five entities.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    PictureBox run() {
        PictureBox page;
        element(page, page);
        skip_blanks();
        if (at_ != text_.size()) fail("text behind the end");
        return page;
    }

private:
    using Attributes = std::map<std::string, std::string>;

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at byte " + std::to_string(at_) + ": " + text_.substr(at_, 40));
    }
    bool starts_with(std::string_view text) const { return text_.compare(at_, text.size(), text) == 0; }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
            ++at_;
    }
    void expect(std::string_view text) {
        if (!starts_with(text)) fail("expected " + std::string(text));
        at_ += text.size();
    }
    std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '-' || text_[at_] == ':'))
            ++at_;
        if (at_ == begin) fail("expected a name");
        return text_.substr(begin, at_ - begin);
    }
    std::string content(std::string_view end) {
        std::string text;
        while (!starts_with(end)) {
            if (at_ >= text_.size() || text_[at_] == '<') fail("text that does not end");
            if (static_cast<unsigned char>(text_[at_]) < 0x20 && text_[at_] != '\n')
                fail("a control character");
            if (text_[at_] != '&') {
                text += text_[at_++];
                continue;
            }
            const std::map<std::string, char> entities{
                {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
            const std::string entity = text_.substr(at_, text_.find(';', at_) + 1 - at_);
            const auto found = entities.find(entity);
            if (found == entities.end()) fail("an unknown entity");
            text += found->second;
            at_ += entity.size();
        }
        return text;
    }
    Attributes attributes() {
        Attributes result;
        for (skip_blanks(); !starts_with(">") && !starts_with("/>"); skip_blanks()) {
            const std::string key = name();
            expect("=\"");
            if (!result.try_emplace(key, content("\"")).second) fail("an attribute twice");
            expect("\"");
        }
        return result;
    }
    static std::int64_t number(const Attributes& of, const char* key) {
        const auto found = of.find(key);
        return found == of.end() ? 0 : std::stoll(found->second);
    }

    /// `around`: the box that the element stands in; `itself`: where the page is.
    void element(PictureBox& around, PictureBox& itself) {
        skip_blanks();
        expect("<");
        const std::string tag = name();
        const Attributes of = attributes();
        const std::string type = of.contains("class") ? of.at("class") : "";
        PictureBox group;
        PictureBox* in = &around;
        if (tag == "g") {
            group.type = type;
            group.node = of.contains("data-node") ? of.at("data-node") : "";
            in = &group;
        } else if (tag == "svg") {
            itself.width = number(of, "width");
            itself.height = number(of, "height");
        } else if (tag == "rect" && type == "b") {
            around.x = number(of, "x");
            around.y = number(of, "y");
            around.width = number(of, "width");
            around.height = number(of, "height");
        } else if (tag == "path" && type == "a") {
            ++around.arrows;
        }
        if (starts_with("/>")) {
            at_ += 2;
            return;
        }
        expect(">");
        const std::string end = "</" + tag + ">";
        if (tag == "style") {
            at_ = text_.find(end, at_);
        } else if (tag == "text" || tag == "title") {
            PictureText text{content(end), type, number(of, "x"), number(of, "y")};
            if (tag == "text") around.texts.push_back(std::move(text));
        } else {
            for (skip_blanks(); !starts_with(end); skip_blanks())
                element(*in, itself);
        }
        expect(end);
        if (tag == "g" && !(group.texts.empty() && group.inside.empty()))
            around.inside.push_back(std::move(group));
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

bool overlap(const PictureBox& a, const PictureBox& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

void find_faults(const PictureBox& box, std::vector<std::string>& faults) {
    const std::string name = box.texts.empty() ? "?" : box.texts.front().text;
    for (const PictureText& it : box.texts) {
        // 0.62 of the size of the letters: the widest of the fonts.
        const auto width =
            static_cast<std::int64_t>(static_cast<double>(report::columns_of(it.text)) * 12 * 0.62);
        if (it.x < box.x || it.x + width > box.x + box.width || it.y - 11 < box.y ||
            it.y + 3 > box.y + box.height)
            faults.push_back("\"" + it.text + "\" leaves its box");
    }
    for (std::size_t i = 0; i < box.inside.size(); ++i) {
        const PictureBox& it = box.inside[i];
        if (it.x < box.x || it.y < box.y || it.x + it.width > box.x + box.width ||
            it.y + it.height > box.y + box.height)
            faults.push_back("a box leaves " + name);
        for (std::size_t j = i + 1; j < box.inside.size(); ++j)
            if (overlap(it, box.inside[j])) faults.push_back("two boxes overlap in " + name);
        find_faults(it, faults);
    }
}

}  // namespace

std::size_t PictureBox::count() const {
    std::size_t boxes = inside.size();
    for (const PictureBox& box : inside)
        boxes += box.count();
    return boxes;
}

const PictureBox* PictureBox::find(const std::string& line) const {
    for (const PictureText& it : texts)
        if (it.text == line) return this;
    for (const PictureBox& box : inside)
        if (const PictureBox* found = box.find(line)) return found;
    return nullptr;
}

PictureBox read_picture(const std::string& svg) {
    return Reader(svg).run();
}

std::vector<std::string> faults_of(const PictureBox& page) {
    std::vector<std::string> faults;
    find_faults(page, faults);
    return faults;
}

}  // namespace tilemeter::test
