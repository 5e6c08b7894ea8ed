// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// What is selected: a call or a buffer, with all that is known of it; every name leads there.

const link = (content, act) => button(content, act, "link");
function showDetails() {
  const host = byId("details"), rows = [];
  const fact = (name, ...content) => {
    const said = content.filter(it => it !== "" && it !== undefined);
    if (said.length) rows.push([name, said]);
  };
  const nodes = (begin, end, open) => [link(`node ${group(begin)}`, () => go({ node: begin })), " to ", open ? "the end" : link(`node ${group(end)}`, () => go({ node: Math.max(0, end - 1) }))];
  const { calls, buffers } = capture, b = view.buffer, i = view.call;
  let title = "nothing is selected: click a row, a part of the chart or of the map";
  if (b >= 0) {
    title = capture.bufferLabel(b);
    fact("buffer", capture.ids(b));
    fact("type", capture.text(buffers.shape[b]));
    fact("bytes", `${sized(buffers.bytes[b])} ${isDram(buffers.memory[b]) ? "per bank" : "per core"}, ${sized(buffers.whole[b])} in all banks`);
    if (capture.training) roleFacts(b, fact);
    else fact("class", wordsOf(capture.kind(b, view.node)), capture.buffers.stale[b] < Infinity ? `; last used before node ${group(buffers.stale[b])}` : "");
    fact("address", buffers.address[b] ? group(buffers.address[b]) : "not recorded");
    fact("alive", ...nodes(buffers.begin[b], buffers.end[b], buffers.open[b]));
    if (!capture.training) {
      const users = [];
      for (let k = 0; k < capture.inputs.count; ++k) if (capture.inputs.buffer[k] === b) users.push(capture.inputs.call[k]);
      fact("used by", ...someLinks(users, capture.callName.bind(capture), goToCall), users.length ? "" : "nothing that is recorded");
    }
    if (buffers.maker[b] >= 0) fact("made by", link(capture.path(buffers.maker[b]), () => goToCall(buffers.maker[b])));
    if (buffers.address[b]) fact("before it there", ...neighbours(b));
  } else if (i >= 0) {
    title = (capture.failed.has(i) ? "✖ " : "") + capture.callLabel(i);
    fact("call", capture.path(i));
    fact("result", capture.text(calls.result[i]));
    if (capture.training) equationFacts(i, fact);
    fact("nodes", ...nodes(calls.begin[i], calls.end[i], calls.open[i]));
    fact("peak", `${sized(peakOf(i))} ${perUnit()}`, memoryNow().limit_bytes ? `, ${share(peakOf(i), memoryNow().limit_bytes)}` : "");
    const curve = curveNow(), fullest = Capture.lastAt(curve.node, capture.fullestOf(i, view.memory, view.device), curve.count);
    const kinds = fullest < 0 ? [] : [...capture.stacked].reverse().filter(kind => curve.classes[kind][fullest] > 0);
    if (kinds.length > 1) fact("of it", kinds.map(kind => `${wordsOf(capture.kinds[kind])} ${short(curve.classes[kind][fullest])}`).join(", "));
    const change = calls[view.memory + "_change"][i];
    fact("stays", change === 0 ? "nothing" : (change > 0 ? "+" : "") + sized(change));
    fact("host time", hostTime(i));
    if (calls.parent[i] >= 0) fact("called by", link(capture.callName(calls.parent[i]), () => goToCall(calls.parent[i])));
    const layer = layerOf(i), band = layerBands.find(it => calls.begin[i] >= it.begin && calls.begin[i] < it.end);
    if (layer) fact("layer", link(`${layer} of ${band.count}`, () => zoomTo(axisOf(band.begin), axisOf(band.end))));
    const taken = [], { inputs } = capture;
    for (let k = Capture.lastAt(inputs.call, i); k >= 0 && inputs.call[k] === i; --k) taken.unshift(inputs.buffer[k]);
    if (taken.length) fact("takes", ...someLinks(taken, k => `${capture.bufferLabel(k)} ${short(buffers.bytes[k])}`, goToBuffer));
    const made = [];
    for (let k = 0; k < buffers.count && made.length < 9; ++k)
      if (buffers.maker[k] >= 0 && buffers.begin[k] >= calls.begin[i] && buffers.begin[k] <= calls.end[i] && capture.isIn(k, view.memory, view.device)) made.push(k);
    if (made.length) fact("made", ...made.slice(0, 8).flatMap(k => [link(`${capture.ids(k)} ${shortType(capture.text(buffers.shape[k]))} ${short(buffers.bytes[k])}`, () => goToBuffer(k)), " "]), made.length > 8 ? "..." : "");
  }
  const owner = b >= 0 ? buffers.maker[b] : i;
  if (owner >= 0) {
    const stack = capture.stack(owner), line = lineOf(owner);
    if (stack) {
      const list = make("ol", "stack");
      for (const frame of stack) list.append(make("li", "", frame.trim()));
      rows.push(["stack", [list]]);
    } else {
      if (line) fact("line", line);
      if (!capture.training) fact("stack", make("span", "soft", `not recorded; ${RECORD_STACKS}`));
    }
  }
  const facts = make("dl");
  for (const [name, content] of rows) {
    const value = make("dd");
    value.append(...content);
    facts.append(make("dt", "", name), value);
  }
  host.replaceChildren(make("h3", "", title), ...(rows.length ? [facts] : []));
  host.scrollTop = 0;
}

/// The first of many, as links.
function someLinks(list, label, act, most = 8) {
  return [...list.slice(0, most).flatMap((it, k) => [...(k ? [", "] : []), link(label(it), () => act(it))]), list.length > most ? `, and ${list.length - most} more` : ""];
}

/// The history of an address: what lay where a buffer lies, before it and after it.
function neighbours(b) {
  const it = capture.buffers, low = it.address[b], high = low + it.bytes[b];
  const there = [];
  for (let k = 0; k < it.count; ++k)
    if (k !== b && it.device[k] === it.device[b] && isDram(it.memory[k]) === isDram(it.memory[b]) && it.address[k] > 0 && it.address[k] < high && it.address[k] + it.bytes[k] > low) there.push(k);
  const before = there.filter(k => it.end[k] <= it.begin[b]), after = there.filter(k => it.begin[k] >= it.end[b]);
  const name = k => [link(`${capture.bufferLabel(k)} (nodes ${group(it.begin[k])} to ${group(it.end[k])})`, () => goToBuffer(k)), " "];
  const most = 3;
  return [...(before.length ? before.slice(-most).flatMap(name) : ["nothing "]), ...(before.length > most ? [`and ${before.length - most} more `] : []),
    "; after it ", ...(after.length ? after.slice(0, most).flatMap(name) : ["nothing"]), ...(after.length > most ? [`and ${after.length - most} more`] : [])];
}
