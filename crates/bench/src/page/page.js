"use strict";
const byId = id => document.getElementById(id);
const rows = [...document.querySelectorAll("#tasks tbody tr")];

// Plots are drawn once for each two configurations; choosing them the other way round shows the same.
function showPlots() {
  const figure = byId("figure").value;
  const pair = [byId("x").value, byId("y").value].sort((a, b) => a - b).join(" ");
  let found = false;
  for (const plot of document.querySelectorAll("#plots figure")) {
    plot.hidden = plot.dataset.figure !== figure || (plot.dataset.pair !== undefined && plot.dataset.pair !== pair);
    found ||= !plot.hidden && plot.dataset.pair !== undefined;
  }
  byId("nothing").hidden = found || byId("x").options.length < 2;
}

function differs(row) {
  const verdicts = [...row.cells].slice(3).map(cell => cell.textContent.trim().split(" ")[0]);
  return new Set(verdicts).size > 1;
}

function showTasks() {
  const which = byId("which").value;
  const text = byId("filter").value.toLowerCase();
  let shown = 0;
  for (const row of rows) {
    const kept = which === "all" || (which === "differ" ? differs(row) : row.querySelector("td." + which) !== null);
    row.hidden = !kept || !row.cells[0].textContent.toLowerCase().includes(text);
    shown += !row.hidden;
  }
  byId("shown").textContent = `${shown} of ${rows.length}`;
}

for (const label of document.querySelectorAll(".pair")) label.hidden = byId("x").options.length < 2;
for (const id of ["figure", "x", "y"]) byId(id).addEventListener("change", showPlots);
byId("which").addEventListener("change", showTasks);
byId("filter").addEventListener("input", showTasks);
showPlots();
showTasks();
