// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The start, and what is shown anew when what is looked at changes.

function showTabs() {
  for (const side of ["left", "middle"])
    for (const name of TABS[side]) {
      const tab = byId("tab-" + name), on = view[side] === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      tab.hidden = !hasTab(name);
      byId(name).hidden = !on;
    }
  byId("tree-tools").hidden = view.left !== "tree";
  byId("all-cores").hidden = view.core === "" || view.memory !== "l1";
  byId("all-cores").textContent = `core ${view.core}: show all`;
  byId("fold-layers").hidden = layerBands.length === 0;
  byId("fold-layers").setAttribute("aria-pressed", view.folded);
  byId("by-address").setAttribute("aria-pressed", view.byAddress);
}
function drawMiddle() {
  ({ map: drawMap, cores: drawCores, flame: drawFlame, sizes: drawSizes, recompute: drawRecompute })[view.middle]();
}
let headOf = null, opened = false;
function show() {
  if (headOf !== capture) {
    headOf = capture;
    byId("operations").classList.toggle("without-lines", capture.outermost.every(i => lineOf(i) === ""));
    byId("operations").classList.toggle("without-passes", capture.training === null);
    byId("buffers").classList.toggle("without-roles", capture.training === null);
    showHead();
    for (const it of [operationTable, bufferTable]) it.fitted = 0;
  }
  showUse();
  showTabs();
  findInstant();
  fillTables();
  if (view.left === "tree" && view.call >= 0) growTree(new Search(view.search));
  if (opened || view.left !== "compare") tableNow().reveal(); else tableNow().draw();
  opened = true;
  liveTable.reveal();
  drawMiddle();
  showDetails();
  redrawChart();
}

function recolour() {
  colours = new Map();
  headOf = null;
  show();
}

let searchLater = 0;
function searchFor() {
  clearTimeout(searchLater);
  if (byId("search").value === view.search) return;
  view.search = byId("search").value;
  if (view.left === "compare") view.left = "operations";
  remember(true);
  showTabs();
  fillTables();
}

function start() {
  const data = JSON.parse(byId("data").textContent);
  captures = [data, ...(data.other ? [data.other] : [])].map(it => new Capture(it));
  prepareCompare(data.aligned);
  capture = captures[0];
  grouped = capture.outermost.length > 200;
  byId("group").setAttribute("aria-pressed", grouped);
  readFragment(location.hash);
  for (const side of ["left", "middle"])
    for (const name of TABS[side]) {
      byId("tab-" + name).onclick = () => go({ [side]: name });
      byId("tab-" + name).onkeydown = event => {
        const tabs = TABS[side].filter(it => !byId("tab-" + it).hidden), by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        const next = tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length];
        go({ [side]: next });
        byId("tab-" + next).focus();
        event.preventDefault();
      };
    }
  prepareSizes();
  prepareRecompute();
  byId("memory").onchange = () => go({ memory: byId("memory").value, buffer: -1 });
  byId("device").onchange = () => go({ device: Number(byId("device").value), buffer: -1 });
  byId("chip").onchange = () => go({ chip: Number(byId("chip").value) });
  byId("peak").onclick = toPeak;
  byId("whole").onclick = () => zoomTo(0, axisEnd());
  byId("fold-layers").onclick = foldLayers;
  byId("by-address").onclick = () => go({ byAddress: !view.byAddress });
  byId("group").onclick = toggleGroups;
  byId("keys-button").onclick = () => byId("help").showModal();
  byId("help-close").onclick = () => byId("help").close();
  byId("all-cores").onclick = () => go({ core: "" });
  byId("report-switch").onclick = toOtherReport;
  byId("fold").onclick = () => foldAll(true);
  byId("unfold").onclick = () => foldAll(false);
  byId("search").oninput = () => { clearTimeout(searchLater); searchLater = setTimeout(searchFor, 120); };
  prepareKeys();
  const again = () => { readFragment(location.hash); if (location.hash) remember(true); resetMap(); show(); };
  addEventListener("popstate", again);
  addEventListener("hashchange", () => { if (fragment() !== location.hash) again(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(() => { redrawChart(); drawMiddle(); for (const it of [tableNow(), liveTable]) it.draw(); }).observe(document.body);
  const onPaper = on => {
    document.documentElement.classList.toggle("printing", on);
    recolour();
    drawChart();
  };
  addEventListener("beforeprint", () => onPaper(true));
  addEventListener("afterprint", () => onPaper(false));
  show();
  if (location.hash) remember(true);
}
start();
