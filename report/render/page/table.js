// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Tables of any length: only the rows in sight are elements. Keys: arrows, page, home and end move, Enter chooses.

const MOST_PRINTED = 300;  // rows of a table

/// columns: {key, title, className, cell(row) -> text or element, sort(row) -> number or text, down, leaves}; what a
/// row is the owner says: `rows` is an array of anything. chosen(row), isOn(row), hint(row), mark(row, element), pressed(key, row) belong to it.
class Table {
  constructor(host, label, columns, { chosen, isOn, hint, mark, pressed }) {
    Object.assign(this, { host, columns, chosen, isOn, hint, mark, pressed });
    this.rows = [];
    this.sorted = null;  // {column, down}
    this.cursor = 0;
    this.fitted = 0;      // the width that the columns in sight are chosen for
    host.className = "table";
    host.setAttribute("role", "grid");
    host.setAttribute("aria-label", label);
    host.tabIndex = 0;
    const head = make("div", "columns"), heads = make("div", "cells");
    head.setAttribute("role", "rowgroup");
    heads.setAttribute("role", "row");
    head.append(heads);
    for (const it of columns) {
      const cell = make("span", it.className);
      cell.setAttribute("role", "columnheader");
      if (it.sort) {
        it.button = button(it.title, () => this.sortBy(it));
        it.button.tabIndex = -1;
        cell.append(it.button);
      } else cell.textContent = it.title;
      it.head = cell;
      heads.append(cell);
    }
    this.inner = make("div", "inner");
    this.inner.setAttribute("role", "rowgroup");
    this.head = head;
    host.append(head, this.inner);
    host.addEventListener("scroll", () => this.draw());
    host.addEventListener("keydown", event => this.key(event));
  }
  get height() { return textSize(1.6); }
  get inSight() { return this.host.clientHeight - this.head.offsetHeight; }
  /// Names keep their room: columns leave, in the order of `leaves`, until each name has some twelve letters.
  fit() {
    const width = this.host.clientWidth;
    if (width === this.fitted || width === 0) return;
    this.fitted = width;
    for (const it of this.columns) it.head.hidden = false;
    const enough = () => {
      const shown = this.columns.filter(it => it.head.getClientRects().length), names = shown.filter(it => it.className === "grow");
      const figures = shown.filter(it => !names.includes(it)).reduce((sum, it) => sum + it.head.offsetWidth, 0);
      return width - 20 - 8 * (shown.length - 1) - figures >= names.length * textSize(8.4);
    };
    for (const it of this.columns.filter(column => column.leaves).sort((a, b) => a.leaves - b.leaves)) {
      if (enough()) break;
      it.head.hidden = true;
    }
  }
  setRows(rows) {
    this.rows = rows;
    this.sortRows();
    this.cursor = 0;
    this.host.scrollTop = 0;
    this.draw();
  }
  sortBy(column, down) {
    const again = this.sorted && this.sorted.column === column;
    this.sorted = { column, down: down !== undefined ? down : again ? !this.sorted.down : !!column.down };
    this.sortRows();
    this.host.scrollTop = 0;
    this.draw();
  }
  sortRows() {
    for (const it of this.columns) {
      const on = this.sorted && this.sorted.column === it;
      if (!it.sort) continue;
      it.head.setAttribute("aria-sort", on ? (this.sorted.down ? "descending" : "ascending") : "none");
      it.button.textContent = it.title + (on ? (this.sorted.down ? " ▾" : " ▴") : "");
    }
    if (!this.sorted) return;
    const { column, down } = this.sorted;
    const keys = this.rows.map(row => column.sort(row));
    const order = keys.map((_, i) => i);
    const sign = down ? -1 : 1;
    order.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b));
    this.rows = order.map(i => this.rows[i]);
  }
  draw() {
    this.fit();
    const height = this.height;
    this.inner.style.height = Math.min(this.rows.length * height, 8e6) + "px";
    const isPrinted = document.documentElement.classList.contains("printing");  // rows from the top, in the order that they have
    const first = isPrinted ? 0 : Math.max(0, Math.floor(this.host.scrollTop / height) - 2);
    const last = Math.min(this.rows.length, isPrinted ? MOST_PRINTED : first + Math.ceil(this.inSight / height) + 5);
    const made = [];
    for (let i = first; i < last; ++i) {
      const row = this.rows[i], element = make("div", "cells row");
      element.setAttribute("role", "row");
      element.setAttribute("aria-rowindex", i + 2);
      element.id = `${this.host.id}-${i}`;
      element.style.top = i * height + "px";
      const on = this.isOn(row);
      if (on) { element.classList.add("on"); element.setAttribute("aria-selected", "true"); }
      if (i === this.cursor) element.classList.add("cursor");
      if (this.hint) element.title = this.hint(row);
      if (this.mark) this.mark(row, element);
      for (const it of this.columns) {
        const content = it.cell(row), cell = make("span", it.className);
        cell.setAttribute("role", "gridcell");
        cell.hidden = it.head.hidden;
        if (content instanceof Node) cell.append(content); else cell.textContent = content;
        element.append(cell);
      }
      element.onclick = () => { this.cursor = i; this.chosen(row); };
      made.push(element);
    }
    if (isPrinted && last < this.rows.length) made.push(make("div", "cells soft", `and ${group(this.rows.length - last)} more, not printed`));
    this.inner.replaceChildren(...made);
    this.host.setAttribute("aria-rowcount", this.rows.length + 1);
    if (this.cursor >= first && this.cursor < last) this.host.setAttribute("aria-activedescendant", `${this.host.id}-${this.cursor}`);
    else this.host.removeAttribute("aria-activedescendant");
  }
  /// Brings what is selected into sight.
  reveal() {
    const at = this.rows.findIndex(row => this.isOn(row));
    if (at >= 0) { this.cursor = at; this.show(at); }
    this.draw();
  }
  moveTo(at) {
    this.cursor = Math.max(0, Math.min(this.rows.length - 1, at));
    this.show(this.cursor);
    this.draw();
  }
  show(at) {
    const { scrollTop } = this.host, top = at * this.height;
    if (top < scrollTop || top + this.height > scrollTop + this.inSight) this.host.scrollTop = Math.max(0, top - this.inSight / 2);
  }
  key(event) {
    if (event.target.tagName === "BUTTON" || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.inSight / this.height) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    if (event.key === "Enter" || event.key === " ") { if (this.rows[this.cursor] !== undefined) this.chosen(this.rows[this.cursor]); }
    else if (event.key in moves) this.moveTo(this.cursor + moves[event.key]);
    else if (!this.pressed || !this.pressed(event.key, this.rows[this.cursor])) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/// Which texts hold every word; "layer:3" and numbers are the owner's. A number is an address too, of one memory of one
/// device: it finds what covers it.
class Search {
  constructor(words, memory = view.memory, device = view.device) {
    Object.assign(this, { memory, device });
    this.words = words.trim().toLowerCase().split(/\s+/).filter(Boolean).map(word => {
      const number = Number(word.replace(/,/g, ""));
      const layer = /^layer:(\d+)$/.exec(word);
      return { word, number: /\d/.test(word) && Number.isInteger(number) ? number : NaN, layer: layer ? Number(layer[1]) : -1, texts: null, calls: null };
    });
    for (const it of this.words) {
      it.texts = new Uint8Array(capture.data.texts.length);
      capture.data.texts.forEach((content, id) => {
        it.texts[id] = [content, shortType(content)].some(each => each.toLowerCase().replace(/,\s+/g, ",").includes(it.word)) ? 1 : 0;
      });
    }
  }
  get isEmpty() { return this.words.length === 0; }
  covers(b, at) {
    const { address, bytes } = capture.buffers;
    return address[b] > 0 && address[b] <= at && at < address[b] + bytes[b] && capture.isIn(b, this.memory, this.device);
  }
  /// Calls whose program memory covers an address.
  runAt(at) {
    const { address, bytes, program, count } = capture.pieces, found = new Set();
    for (let p = 0; this.memory === "l1" && p < count; ++p)
      if (address[p] > 0 && address[p] <= at && at < address[p] + bytes[p] && capture.programs.device[program[p]] === this.device) found.add(capture.programs.scope[program[p]]);
    return found;
  }
  /// By call, whether it or one that it calls made or took a buffer that covers an address, or ran a program that does.
  callsAt(at) {
    const found = new Uint8Array(capture.calls.count), there = new Set(), { inputs } = capture;
    const mark = i => { for (; i >= 0 && !found[i]; i = capture.calls.parent[i]) found[i] = 1; };
    for (let b = 0; b < capture.buffers.count; ++b) if (this.covers(b, at)) { there.add(b); mark(capture.buffers.maker[b]); }
    for (let k = 0; k < inputs.count; ++k) if (there.has(inputs.buffer[k])) mark(inputs.call[k]);
    this.runAt(at).forEach(mark);
    return found;
  }
  isCovered(i, it) {
    if (Number.isNaN(it.number)) return false;
    if (!it.calls) it.calls = this.callsAt(it.number);
    return it.calls[i] === 1;
  }
  call(i) {
    const { name, result, line, begin } = capture.calls;
    return this.words.every(it => it.layer >= 0 ? layerOf(i) === it.layer : it.texts[name[i]] || it.texts[result[i]] || it.texts[line[i]] || begin[i] === it.number || this.isCovered(i, it) || passOf(i) === it.word || (capture.training !== null && lineOf(i).toLowerCase().includes(it.word)));
  }
  buffer(b) {
    const { shape, maker, name, tensor, viewer, begin } = capture.buffers;
    return this.words.every(it => {
      if (it.layer >= 0) return maker[b] >= 0 && layerOf(maker[b]) === it.layer;
      if (it.texts[shape[b]] || (name[b] >= 0 && it.texts[name[b]])) return true;
      if (!Number.isNaN(it.number) && ([tensor[b], viewer[b], begin[b]].includes(it.number) || this.covers(b, it.number))) return true;
      const top = maker[b] < 0 ? -1 : capture.tops[maker[b]];
      return (top >= 0 && (it.texts[capture.calls.name[top]] || it.texts[capture.calls.line[maker[b]]])) || wordsOf(capture.kind(b)).includes(it.word) ||
        (capture.training !== null && (capture.training.buffers[b].name || "").toLowerCase().includes(it.word));
    });
  }
}
