// Puts the page together and listens to keys.
let position = Math.max(0, positions - 1);
const allVariables = schedule ? variables() : [];

function go(to) {
  const next = Math.max(0, Math.min(positions - 1, to));
  position = next;
  unfold(position);
  showState();
  showRow();
  tellFrame();
}

// Scrolls the diagram to where we are, also to a thread far to the right.
function showRow() {
  reveal(byId('stage'), rowNodes[position]);
  revealAcross(byId('stage'), rowNodes[position].querySelector('.box'));
}

// A page round this one may show the same line.
function tellFrame() {
  const row = schedule.rows[position] || schedule.blocked[0];
  if (parent !== window) parent.postMessage({ mazurka: 'step', property: report.property, line: row.line }, '*');
}

function showState() {
  mark();
  showSource();
  showThreads();
  showVariables(allVariables);
  byId('slider').value = position;
  const row = schedule.rows[position];
  const what = row ? [el('b', {}, `Step ${position + 1} of ${schedule.rows.length}`), ` · ${threadName(row.thread)} · ${row.ends ? 'ends' : `line ${row.line}`}`]
    : [el('b', {}, 'End'), ` · ${schedule.blocked.length} threads wait for ever`];
  byId('now').replaceChildren(...what);
}

// The next row of the same thread, in one direction or the other.
function sameThread(way) {
  const thread = schedule.rows[Math.min(position, schedule.rows.length - 1)].thread;
  for (let at = position + way; at >= 0 && at < schedule.rows.length; at += way) if (schedule.rows[at].thread === thread) return at;
  return position;
}

// The next row of another thread than the one before it.
function nextSwitch(way) {
  const switches = at => at === positions - 1 || (at > 0 && schedule.rows[at].thread !== schedule.rows[at - 1].thread);
  for (let at = position + way; at >= 0 && at < positions; at += way) if (switches(at)) return at;
  return way > 0 ? positions - 1 : 0;
}

const moves = {
  ArrowDown: () => nextShown(1), ArrowRight: () => nextShown(1), j: () => nextShown(1),
  ArrowUp: () => nextShown(-1), ArrowLeft: () => nextShown(-1), k: () => nextShown(-1),
  s: () => nextSwitch(1), S: () => nextSwitch(-1),
  Home: () => 0, End: () => positions - 1, PageDown: () => position + 10, PageUp: () => position - 10,
  n: () => sameThread(1), p: () => sameThread(-1),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open || event.target === byId('find')) return;
  if (event.key === '?') { byId('help').showModal(); event.preventDefault(); return; }
  if (event.key === 't') { changeTheme(); return; }
  if (event.key === '/' && schedule) { byId('find').focus(); event.preventDefault(); return; }
  if (event.key === 'f' && schedule) { foldAll(!folded); return; }
  const native = event.target.type === 'range' || event.target.type === 'checkbox';
  if (!schedule || !moves[event.key] || (native && event.key.length > 1)) return;
  event.preventDefault();
  go(moves[event.key]());
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}
function changeTheme() {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  // A page that may not keep anything forgets the choice, and that is all.
  try { localStorage.setItem('mazurka-theme', document.documentElement.dataset.theme); } catch { /* see above */ }
}
function recallTheme() {
  let theme = null;
  try { theme = localStorage.getItem('mazurka-theme'); } catch { /* as above */ }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

function buildHead() {
  document.body.className = report.verdict;
  byId('verdict').textContent = report.verdict.toUpperCase();
  byId('headline').textContent = report.headline;
  const time = `${report.wall_s.toFixed(2)} s`;
  const how = report.engine === 'replay' ? 'replayed' : report.verdict === 'unknown' ? `no answer from ${report.engine} in ${time}` : `found by ${report.engine} in ${time}`;
  byId('about').append(el('b', {}, report.title), ` · ${report.property} · ${how} · mazurka ${report.version}`);
  byId('details').append(...report.details.map(line => el('li', { class: report.verdict === 'unsafe' ? 'blame' : '' }, line)),
    ...report.assumptions.map(line => el('li', { class: 'assumption' }, line)));
}

function buildEffort() {
  if (report.verdict === 'unknown') byId('effort-title').textContent = 'What was tried';
  const explanation = report.explanation;
  if (explanation) {
    const end = Math.max(.01, ...explanation.tried.map(attempt => attempt.started_s + attempt.wall_s));
    const attempts = explanation.tried.map(attempt => {
      const won = ['safe', 'unsafe'].includes(attempt.result) ? ` won ${attempt.result}` : '';
      const bar = el('span', { class: won.trim() });
      bar.style.left = `${100 * attempt.started_s / end}%`;
      bar.style.width = `${100 * attempt.wall_s / end}%`;
      return el('div', { class: 'attempt' }, el('span', { class: 'name' }, attempt.engine), el('span', { class: 'track' }, bar),
        el('small', {}, `${attempt.wall_s.toFixed(2)} s, ${grouped(attempt.rss_kb >> 10)} MiB`), el('span', { class: 'result' + won }, attempt.result));
    });
    byId('engines').append(el('p', { class: 'gone' }, explanation.program), el('div', { class: 'attempts' }, attempts));
  }
  byId('stats').append(...report.stats.map(([name, value]) => el('div', { class: 'figure' }, el('span', {}, name), el('b', {}, grouped(value)))));
  byId('effort').hidden = !explanation && !report.stats.length;
}

function buildHelp() {
  const keys = [['j ↓ →', 'next step'], ['k ↑ ←', 'step back'], ['s, S', 'next or previous switch of threads'], ['n, p', 'next or previous step of the same thread'],
    ['/', 'search; Enter goes to the next match'], ['f', 'fold or unfold steps that no other thread sees'], ['PgDn, PgUp', 'ten steps on or back'],
    ['Home, End', 'first or last step'], ['t', 'light or dark'], ['?', 'this help']];
  byId('keys').append(...(schedule ? keys : keys.slice(-2)).flatMap(([key, text]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, text)]));
  byId('help-text').textContent = schedule
    ? 'Time goes down, one column for each thread. Bars beside the boxes are locks that are held. Arrows say why one step comes before another. '
      + 'Click a step, a line of the program, or a value in the history of a variable to go there.'
    : report.execution ? 'One column for each thread, program order goes down. Thick arrows are the cycle that no interleaving has.'
    : 'Point at an invariant or at an abstract state to see its lines in the program.';
}

recallTheme();
buildHead();
buildSource();
buildEffort();
buildHelp();
if (schedule) {
  byId('player').hidden = byId('state').hidden = false;
  byId('slider').max = positions - 1;
  byId('slider').addEventListener('input', event => go(+event.target.value));
  const buttons = { first: 'Home', back: 'k', on: 'j', switch: 's', last: 'End' };
  for (const button of document.querySelectorAll('[data-go]')) button.addEventListener('click', () => go(moves[buttons[button.dataset.go]]()));
  buildDiagram();
  buildFolds();
  buildSearch();
  showState();
  showRow();
  addEventListener('resize', showRow);
  tellFrame();
} else if (report.execution) buildExecution(report.execution);
else if (report.proof) buildProof(report.proof);
else buildUnknown();
byId('theme').addEventListener('click', changeTheme);
byId('help-open').addEventListener('click', () => byId('help').showModal());
addEventListener('keydown', onKey);
