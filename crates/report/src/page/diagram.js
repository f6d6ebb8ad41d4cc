// The schedule as a sequence diagram: a column for each thread, time goes down.
const arrowKinds = {
  start: ['start', 'starts'], join: ['join', 'joined'], lock: ['lock-order', 'lock passed on'], signal: ['signal', 'wakes'],
  reads: ['reads-from', 'value read'], race: ['race', 'race'], waits: ['waits', 'waits for'],
};
const shownKinds = new Set(Object.keys(arrowKinds));
let grid, overlay, rowNodes = [], arrowNodes = [], lockNodes = [];

function buildDiagram() {
  byId('story-title').textContent = 'Schedule';
  grid = el('div', { id: 'grid', tabindex: 0, role: 'listbox', 'aria-label': 'Steps of the schedule' });
  const count = schedule.threads.length, narrowest = count > 4 ? 168 : 190;
  grid.style.setProperty('--cols', `62px repeat(${count}, minmax(${narrowest}px, 1fr))`);
  grid.style.minWidth = `${62 + count * narrowest}px`;
  overlay = svg('svg', { 'aria-hidden': 'true' });
  const heads = el('div', { class: 'heads', role: 'presentation' }, el('span'), schedule.threads.map((name, thread) =>
    el('div', { class: 'head', '--c': threadColour(thread) }, thread === 0 ? 'main thread' : `thread ${thread}`, el('small', {}, name))));
  rowNodes = schedule.rows.map(buildRow);
  if (schedule.blocked.length) rowNodes.push(buildEnd());
  grid.append(overlay, heads, ...rowNodes);
  byId('stage').append(grid);
  buildLegend();
  new ResizeObserver(drawOverlay).observe(grid);
}

// Lines of code are best broken behind a parenthesis, and never inside an arrow.
const code = text => el('code', {}, text.split(/(->|\()/).map(part =>
  part === '->' ? el('span', { class: 'op' }, part) : part === '(' ? [part, el('wbr')] : part));

function rowShell(at, ...content) {
  return el('div', { class: 'row', id: `row-${at}`, role: 'option', 'aria-selected': 'false', onclick: () => go(at) }, ...content);
}

function buildRow(row, at) {
  const place = schedule.rows.some(other => other.file !== row.file) && row.file !== null
    ? `${baseName(report.files[row.file].name)}:${row.line}` : `line ${row.line}`;
  const box = el('div', { class: 'box' + (row.ends ? ' ends' : '') + (row.fails ? ' fails' : ''), '--c': threadColour(row.thread) },
    code(row.text),
    row.takes.map(lock => el('div', { class: 'note locks', '--k': lockColour(lock) }, el('i'), `locks ${lock}`)),
    row.gives.map(lock => el('div', { class: 'note locks', '--k': lockColour(lock) }, el('i'), `unlocks ${lock}`)),
    row.remarks.map(text => el('div', { class: 'note remark' }, text)),
    row.reads.length ? el('div', { class: 'note reads' }, 'reads ' + row.reads.map(value => `${value.name} = ${value.new}`).join(', ')) : null,
    histories(row.writes).map(([name, values]) => el('div', { class: 'note writes' }, values.length === 1 ? `${name} = ${values[0]}` : `${name}: ${values.join(' → ')}`)),
    row.fails ? el('div', { class: 'blame' }, report.blame) : null);
  box.style.gridColumn = row.thread + 2;
  const again = schedule.repeats_from === at ? el('div', { class: 'again' }, 'from here on, for ever') : null;
  return rowShell(at, again, el('div', { class: 'no' }, String(at + 1), el('b', {}, place)), box);
}

function buildEnd() {
  const at = schedule.rows.length;
  const boxes = schedule.blocked.map(blocked => {
    const box = el('div', { class: 'box blocked', 'data-thread': blocked.thread, '--c': 'var(--bad)' }, code(blocked.text),
      el('div', { class: 'blame' }, `waits ${blocked.waits}`.trim() + ' for ever'),
      blocked.held.map(lock => el('div', { class: 'note locks', '--k': lockColour(lock) }, el('i'), `holds ${lock}`)));
    box.style.gridColumn = blocked.thread + 2;
    box.style.gridRow = 1;
    return box;
  });
  const row = rowShell(at, el('div', { class: 'no' }, 'end'), ...boxes);
  row.classList.add('end');
  return row;
}

function buildLegend() {
  const present = Object.keys(arrowKinds).filter(kind => kind === 'waits'
    ? schedule.blocked.some(blocked => blocked.on !== null) : schedule.arrows.some(arrow => arrow.kind === kind));
  for (const kind of present) {
    const [name, text] = arrowKinds[kind];
    const box = el('input', { type: 'checkbox', checked: true, onchange: event => {
      if (event.target.checked) shownKinds.add(kind); else shownKinds.delete(kind);
      drawOverlay();
    } });
    byId('legend').append(el('label', {}, box, svg('svg', { class: `arrow ${name}` }, svg('path', { d: 'M0 4 H22' })), text));
  }
}

// Where the box of a thread in a row is, from the corner of the grid.
function frame(at, thread) {
  const node = rowNodes[at], box = node.querySelector('.box.blocked') ? node.querySelector(`[data-thread="${thread}"]`) : node.querySelector('.box');
  const base = grid.getBoundingClientRect(), rect = box.getBoundingClientRect();
  const left = rect.left - base.left, top = rect.top - base.top;
  return { left, top, right: left + rect.width, bottom: top + rect.height, middle: top + rect.height / 2, centre: left + rect.width / 2 };
}

function drawOverlay() {
  overlay.replaceChildren();
  overlay.setAttribute('width', grid.clientWidth);
  // What was drawn before must not keep the grid as high as it was.
  overlay.setAttribute('height', 0);
  overlay.setAttribute('height', grid.scrollHeight);
  drawLifelines();
  drawLocks();
  drawLoop();
  arrowNodes = [];
  const shown = schedule.arrows.filter(arrow => shownKinds.has(arrow.kind));
  // What matters most is drawn last, over the rest.
  for (const arrow of [...shown].sort((a, b) => (a.kind === 'race') - (b.kind === 'race'))) drawArrow(arrow);
  if (shownKinds.has('waits')) schedule.blocked.forEach(drawWait);
  mark();
}

function span(thread) {
  const rows = schedule.rows.map((row, at) => row.thread === thread ? at : -1).filter(at => at >= 0);
  const waits = schedule.blocked.some(blocked => blocked.thread === thread);
  return rows.length || waits ? [rows.length ? rows[0] : positions - 1, waits ? positions - 1 : rows[rows.length - 1]] : null;
}

function drawLifelines() {
  // The headings may have been scrolled along; what counts is their height.
  const under = grid.querySelector('.heads').offsetHeight;
  schedule.threads.forEach((_, thread) => {
    const rows = span(thread);
    if (!rows) return;
    const first = frame(rows[0], thread), last = frame(rows[1], thread);
    // Before its first row a thread is there from the moment that it was started.
    const start = schedule.arrows.find(arrow => arrow.kind === 'start' && arrow.to === rows[0] && schedule.rows[arrow.to].thread === thread);
    const top = thread === 0 ? under : start ? frame(start.from, schedule.rows[start.from].thread).middle : first.top;
    overlay.append(svg('line', { class: 'lifeline', '--c': threadColour(thread), x1: first.centre, x2: first.centre, y1: top, y2: last.top }));
  });
}

// The steps that repeat for ever: from the last of them back to the first.
function drawLoop() {
  if (schedule.repeats_from === null) return;
  const base = grid.getBoundingClientRect(), edge = at => rowNodes[at].getBoundingClientRect();
  const top = edge(schedule.repeats_from).top - base.top + 14, bottom = edge(positions - 1).bottom - base.top - 8;
  overlay.append(svg('g', { class: 'arrow loop' }, svg('path', { d: `M26 ${bottom} H8 V${top} H26` }), head(30, top, 1, 0)));
}

function drawLocks() {
  lockNodes = [];
  for (let thread = 0; thread < schedule.threads.length; thread++) {
    const open = new Map();
    let last = null;
    const close = (lock, at) => {
      const from = frame(open.get(lock), thread), to = frame(at, thread), shift = locks.indexOf(lock) % 3;
      const bar = svg('rect', { class: 'lock', '--k': lockColour(lock), x: from.left - 7 - 6 * shift, y: from.top + 3, width: 4, rx: 2,
        height: Math.max(6, to.bottom - from.top - 6) }, svg('title', {}, `${threadName(thread)} holds ${lock}`));
      lockNodes.push([bar, open.get(lock)]);
      overlay.append(bar);
      open.delete(lock);
    };
    schedule.rows.forEach((row, at) => {
      if (row.thread !== thread) return;
      last = at;
      for (const lock of row.takes) open.set(lock, at);
      for (const lock of row.gives) if (open.has(lock)) close(lock, at);
    });
    const waits = schedule.blocked.some(blocked => blocked.thread === thread);
    for (const lock of [...open.keys()]) close(lock, waits ? positions - 1 : last);
  }
}

function head(x, y, dx, dy) {
  const size = 7, length = Math.hypot(dx, dy) || 1, ux = dx / length, uy = dy / length;
  const at = (along, across) => `${x - ux * along - uy * across},${y - uy * along + ux * across}`;
  return svg('polygon', { points: `${x},${y} ${at(size, size * .5)} ${at(size, -size * .5)}` });
}

function drawArrow(arrow) {
  const a = schedule.rows[arrow.from].thread, b = schedule.rows[arrow.to].thread;
  const from = frame(arrow.from, a), to = frame(arrow.to, b), right = b > a, side = right ? 1 : -1;
  const x1 = right ? from.right : from.left, x2 = right ? to.left : to.right, y1 = from.middle, y2 = to.middle;
  const bend = Math.max(14, Math.min(60, Math.abs(x2 - x1) / 2)) * side;
  const [name, text] = arrowKinds[arrow.kind];
  const group = svg('g', { class: `arrow ${name}` }, svg('path', { d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 4 * side} ${y2}` }), head(x2, y2, side, 0));
  if (arrow.kind === 'race') group.append(head(x1, y1, -side, 0), svg('text', { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 5 }, 'race'));
  group.append(svg('title', {}, [text, ...arrow.about].join(' ')));
  overlay.append(group);
  arrowNodes.push([group, arrow.from, arrow.to]);
}

// Who waits for whom, below the boxes at the end.
function drawWait(blocked, number) {
  if (blocked.on === null || !schedule.blocked.some(other => other.thread === blocked.on)) return;
  const end = positions - 1, from = frame(end, blocked.thread), to = frame(end, blocked.on), side = Math.sign(blocked.on - blocked.thread);
  const bottom = Math.max(...schedule.blocked.map(other => frame(end, other.thread).bottom));
  const x1 = from.centre + 44 * side, x2 = to.centre - 14 * side, deep = bottom + 22 + 9 * number;
  const path = svg('path', { d: `M${x1} ${from.bottom} C${x1} ${deep + 12} ${x2} ${deep + 12} ${x2} ${to.bottom + 4}` });
  const group = svg('g', { class: 'arrow waits' }, path, head(x2, to.bottom, 0, -1), svg('title', {}, `${threadName(blocked.thread)} waits ${blocked.waits}`));
  overlay.append(group);
  arrowNodes.push([group, end, end]);
}

// Shows where we are: what comes later is dim, arrows of this row stand out.
function mark() {
  rowNodes.forEach((node, at) => {
    node.setAttribute('aria-selected', at === position);
    node.classList.toggle('later', at > position);
  });
  for (const [node, from, to] of arrowNodes) {
    node.classList.toggle('later', Math.max(from, to) > position);
    node.classList.toggle('near', from === position || to === position);
  }
  for (const [node, from] of lockNodes) node.classList.toggle('later', from > position);
  grid.setAttribute('aria-activedescendant', `row-${position}`);
}
