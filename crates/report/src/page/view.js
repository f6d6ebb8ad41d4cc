'use strict';
// What everything else uses: the report, and how elements are made. Text only ever becomes text.
const report = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('--')) node.style.setProperty(name, value);
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false));
  return node;
}
const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);
const svg = (tag, props, ...children) => fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);

const threadColour = thread => `var(--t${thread === 0 ? 0 : 1 + (thread - 1) % 5})`;
const lockColours = ['light-dark(#c77d0a,#f0b849)', 'light-dark(#17803f,#57d08d)', 'light-dark(#7d3fae,#cf9bf7)', 'light-dark(#0b74ad,#5cc4ff)',
  'light-dark(#b3306b,#ff8cc0)', 'light-dark(#6b6f19,#cfd25a)'];
const grouped = number => number.toLocaleString('en');
const baseName = path => path.split('/').pop();

const schedule = report.schedule;
const threadName = thread => thread === 0 ? schedule.threads[0] : `thread ${thread} (${schedule.threads[thread]})`;
// The last position is the end, where some threads wait for ever; only deadlocks have it.
const positions = schedule ? schedule.rows.length + (schedule.blocked.length ? 1 : 0) : 0;
const locks = schedule ? [...new Set(schedule.rows.flatMap(row => row.held))] : [];
const lockColour = lock => lockColours[Math.max(0, locks.indexOf(lock)) % lockColours.length];

// Which locks a row takes and gives back, from what its thread held before.
const heldBefore = {};
if (schedule) for (const row of schedule.rows) {
  const before = heldBefore[row.thread] || [];
  row.takes = row.held.filter(lock => !before.includes(lock));
  row.gives = before.filter(lock => !row.held.includes(lock));
  heldBefore[row.thread] = row.held;
}
// A row that writes one variable several times shows all of its values.
function histories(values) {
  const known = new Map();
  for (const value of values) {
    const list = known.get(value.name);
    if (list) list.push(value.new); else known.set(value.name, value.old === null ? [value.new] : [value.old, value.new]);
  }
  return [...known];
}
