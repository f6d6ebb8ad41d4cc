// The program, and the state of its threads and variables after a step.
let shownFile = -1, sourceNodes = new Map();
const linesOf = file => report.lines.find(lines => lines.file === file);
const words = new Set(('auto break case char const continue default do double else enum extern float for goto if inline int long register return short signed '
  + 'sizeof static struct switch typedef union unsigned void volatile while _Atomic _Bool _Thread_local').split(' '));
const tokens = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([A-Za-z_$][\w$]*)|(\d[\w.]*)/g;

// A line in colours; `open` says whether it starts inside a comment.
function coloured(text, open) {
  const out = [];
  let at = 0;
  if (open) {
    const end = text.indexOf('*/');
    at = end < 0 ? text.length : end + 2;
    out.push(el('span', { class: 'cm' }, text.slice(0, at)));
    if (end < 0) return [out, true];
  } else if (/^\s*#/.test(text)) return [[el('span', { class: 'pp' }, text)], false];
  let inside = false;
  tokens.lastIndex = at;
  for (let match; (match = tokens.exec(text));) {
    out.push(text.slice(at, match.index));
    at = tokens.lastIndex;
    const kind = match[1] ? 'cm' : match[2] ? 'st' : match[3] ? (words.has(match[3]) ? 'kw' : '') : 'nu';
    inside = !!match[1] && match[1].startsWith('/*') && !(match[1].length > 3 && match[1].endsWith('*/'));
    out.push(kind ? el('span', { class: kind }, match[0]) : match[0]);
  }
  out.push(text.slice(at));
  return [out, inside];
}

function showFile(number) {
  if (number === shownFile || !report.files[number]) return;
  shownFile = number;
  sourceNodes = new Map();
  const visited = new Set((schedule ? schedule.rows : []).filter(row => row.file === number).map(row => row.line));
  const lines = linesOf(number), hits = new Set(lines?.reached), misses = new Set(lines?.missed);
  let open = false;
  byId('code').replaceChildren(...report.files[number].lines.map(([line, text]) => {
    let parts;
    [parts, open] = coloured(text, open);
    const ran = visited.has(line);
    const mark = hits.has(line) ? ' hit' : misses.has(line) ? ' missed' : '';
    const node = el('div', { class: 'src' + (ran ? ' ran' : '') + mark, title: mark === ' missed' ? 'never reached' : null, id: `line-${line}`, onclick: ran ? () => goToLine(number, line) : null },
      el('span', { class: 'n' }, String(line)), el('span', { class: 'at' }, ran ? el('span', { class: 'dot' }) : null), el('span', {}, parts));
    sourceNodes.set(line, node);
    return node;
  }));
  byId('coverage').hidden = !lines;
  byId('misses').hidden = !misses.size;
  byId('coverage').querySelector('span').textContent = lines ? `reached ${grouped(lines.reached.length)} of ${grouped(lines.reached.length + lines.missed.length)} lines` : '';
  [...byId('files').children].forEach((button, at) => button.setAttribute('aria-pressed', at === number));
}

function buildSource() {
  byId('source').hidden = !report.files.length;
  if (report.files.length === 1) byId('source-title').textContent = baseName(report.files[0].name);
  else report.files.forEach((file, at) =>
    byId('files').append(el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => showFile(at) }, baseName(file.name))));
  showFile(0);
}

// Scrolls a box so that one of its lines can be seen, and nothing else.
function reveal(box, node) {
  const outer = box.getBoundingClientRect(), inner = node.getBoundingClientRect();
  const over = inner.top - outer.top - box.clientHeight / 3, under = inner.bottom - outer.top - box.clientHeight * 2 / 3;
  if (inner.top < outer.top + 40 || inner.bottom > outer.top + box.clientHeight - 40) box.scrollTop += over < 0 ? over : under;
}

// The same from side to side.
function revealAcross(box, node) {
  const outer = box.getBoundingClientRect(), inner = node.getBoundingClientRect(), room = outer.left + box.clientWidth;
  if (inner.left < outer.left) box.scrollLeft += inner.left - outer.left - 12;
  else if (inner.right > room) box.scrollLeft += Math.min(inner.right - room + 12, inner.left - outer.left - 12);
}

function goToLine(file, line) {
  const here = at => schedule.rows[at].file === file && schedule.rows[at].line === line;
  const all = schedule.rows.map((_, at) => at).filter(here);
  go(all.find(at => at > position) ?? all[0]);
}

// Where every thread is: the last line that it has passed.
function lastRows() {
  const last = new Map();
  schedule.rows.slice(0, position + 1).forEach((row, at) => last.set(row.thread, at));
  return last;
}

function showSource() {
  const atEnd = position >= schedule.rows.length, blocked = atEnd ? schedule.blocked : [];
  // Of those that wait, one that others wait for is the better example.
  const current = atEnd ? blocked.find(place => place.held.length) || blocked[0] : schedule.rows[position];
  if (current.file === null) return;
  showFile(current.file);
  for (const node of sourceNodes.values()) {
    node.classList.remove('now');
    node.querySelectorAll('.who').forEach(who => who.remove());
  }
  const places = new Map();
  for (const [thread, at] of lastRows()) if (!schedule.rows[at].ends) places.set(thread, schedule.rows[at]);
  for (const place of blocked) places.set(place.thread, place);
  for (const [thread, place] of places) {
    const node = place.file === current.file && sourceNodes.get(place.line);
    if (node) node.querySelector('.at').prepend(el('span', { class: 'who', title: threadName(thread), '--c': threadColour(thread) }, String(thread)));
  }
  for (const place of atEnd ? blocked : [current]) {
    const node = sourceNodes.get(place.line);
    if (!node || place.file !== current.file) continue;
    node.style.setProperty('--c', atEnd ? 'var(--bad)' : threadColour(place.thread));
    node.classList.add('now');
  }
  const node = sourceNodes.get(current.line);
  if (node) reveal(byId('code'), node);
}

function showThreads() {
  const last = lastRows(), atEnd = position >= schedule.rows.length;
  const rows = schedule.threads.map((name, thread) => {
    const row = last.has(thread) ? schedule.rows[last.get(thread)] : null;
    const waits = atEnd && schedule.blocked.find(blocked => blocked.thread === thread);
    const [state, kind] = waits ? [`waits ${waits.waits}`, 'waiting'] : !row ? ['has not moved yet', 'gone'] : row.ends ? ['has ended', 'gone'] : [`line ${row.line}`, ''];
    const held = waits ? waits.held : row ? row.held : [];
    return el('tr', {}, el('td', {}, el('span', { class: 'dotted', '--c': threadColour(thread) }), thread === 0 ? name : `${thread} (${name})`),
      el('td', { class: kind }, state), el('td', {}, held.length ? held.map(lock => el('span', { class: 'chip', '--k': lockColour(lock) }, el('i'), lock)) : '–'));
  });
  const headings = ['thread', 'is', 'holds'].map(text => el('th', { scope: 'col' }, text));
  byId('threads').replaceChildren(el('table', {}, el('thead', {}, el('tr', {}, headings)), el('tbody', {}, rows)));
}

// Every variable with all values that it ever has; locals belong to their thread.
function variables() {
  const known = new Map();
  const entry = (value, thread) => {
    const key = value.shared ? value.name : `${value.name} ${thread}`;
    if (!known.has(key)) known.set(key, { name: value.name, thread: value.shared ? null : thread, first: value.old ?? '–', history: [], reads: new Set() });
    return known.get(key);
  };
  schedule.rows.forEach((row, at) => {
    for (const value of row.reads) entry(value, row.thread).reads.add(at);
    for (const value of row.writes) entry(value, row.thread).history.push({ at, value: value.new });
  });
  return [...known.values()].sort((a, b) => (a.thread ?? -1) - (b.thread ?? -1));
}

const mostValues = 14;
function showVariables(all) {
  const rows = all.map(variable => {
    const past = variable.history.filter(change => change.at <= position);
    const value = past.length ? past[past.length - 1].value : variable.first;
    const values = [{ at: -1, value: variable.first }, ...variable.history];
    // Of a long history the part round this step.
    const from = Math.max(0, Math.min(past.length - mostValues + 4, values.length - mostValues));
    const shown = values.slice(from, from + mostValues);
    const chips = shown.map(change => {
      const kind = change.at > position ? ' later' : change === values[past.length] ? ' current' : '';
      const where = change.at < 0 ? 'at first' : `step ${change.at + 1}, ${threadName(schedule.rows[change.at].thread)}`;
      return el('button', { type: 'button', class: 'chip' + kind, title: where, onclick: () => go(Math.max(0, change.at)) }, change.value);
    });
    const kind = variable.history.some(change => change.at === position) ? 'changed' : variable.reads.has(position) ? 'read' : '';
    const owner = variable.thread === null ? null : el('small', { class: 'gone' }, ` of ${variable.thread === 0 ? schedule.threads[0] : 'thread ' + variable.thread}`);
    return el('tr', { class: kind }, el('td', { class: 'mono' }, variable.name, owner), el('td', { class: 'mono value' }, value),
      el('td', {}, from > 0 ? '… ' : '', chips, from + mostValues < values.length ? ' …' : ''));
  });
  const headings = ['name', 'value', 'history'].map(text => el('th', { scope: 'col' }, text));
  byId('variables').replaceChildren(rows.length
    ? el('table', {}, el('thead', {}, el('tr', {}, headings)), el('tbody', {}, rows)) : el('p', { class: 'gone' }, 'No variable with a name changes.'));
}
