// Folding of what no other thread sees, and search.
let folded = false, folds = [];
const fewRows = 40, fewestFolded = 3;

// Rows that tell something: ends of arrows, locks, shared values, switches of threads, the violation.
function rowsThatMatter() {
  const ends = new Set(schedule.arrows.flatMap(arrow => [arrow.from, arrow.to]));
  return schedule.rows.map((row, at) => at === 0 || at === schedule.rows.length - 1 || at === schedule.repeats_from || ends.has(at)
    || row.fails || row.ends || row.takes.length || row.gives.length || row.remarks.length || row.reads.length || row.writes.some(value => value.shared)
    || row.thread !== schedule.rows[at - 1].thread || row.thread !== schedule.rows[at + 1].thread);
}

// Each run of rows that can go is one fold, with a line in their place.
function buildFolds() {
  const matter = rowsThatMatter();
  for (let from = 0; from < matter.length; from++) {
    let to = from;
    while (to < matter.length && !matter[to]) to++;
    if (to - from >= fewestFolded) folds.push(buildFold(from, to));
    from = to;
  }
  if (!folds.length) return;
  const box = el('input', { type: 'checkbox', id: 'fold', onchange: event => foldAll(event.target.checked) });
  byId('legend').prepend(el('label', { title: 'Fold steps that no other thread sees (f)' }, box, 'fold'));
  foldAll(schedule.rows.length > fewRows);
}

function buildFold(from, to) {
  const thread = schedule.rows[from].thread;
  const button = el('button', { type: 'button', '--c': threadColour(thread), onclick: () => { setFold(fold, true); drawOverlay(); } },
    `${to - from} steps that no other thread sees`);
  button.style.gridColumn = thread + 2;
  const fold = { from, to, open: true, node: el('div', { class: 'fold', role: 'presentation', hidden: true }, button) };
  rowNodes[from].before(fold.node);
  return fold;
}

function setFold(fold, on) {
  fold.open = on;
  fold.node.hidden = on;
  for (let at = fold.from; at < fold.to; at++) rowNodes[at].hidden = !on;
}

function foldAll(on) {
  folded = on;
  folds.forEach(fold => setFold(fold, !on || (fold.from <= position && position < fold.to)));
  if (byId('fold')) byId('fold').checked = on;
  drawOverlay();
}

// A row that somebody goes to can be seen.
function unfold(at) {
  const fold = folds.find(fold => !fold.open && fold.from <= at && at < fold.to);
  if (!fold) return;
  setFold(fold, true);
  drawOverlay();
}

function nextShown(way) {
  let at = position + way;
  while (rowNodes[at] && rowNodes[at].hidden) at += way;
  return at;
}

function buildSearch() {
  const find = byId('find');
  find.hidden = false;
  find.addEventListener('input', () => search(0));
  find.addEventListener('keydown', event => {
    if (event.key === 'Enter') search(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') { find.value = ''; search(0); grid.focus(); }
  });
}

// Marks the rows that hold the text; goes to the next or the previous of them.
function search(way) {
  const text = byId('find').value.trim().toLowerCase();
  const matches = rowNodes.map((_, at) => at).filter(at => text && rowNodes[at].textContent.toLowerCase().includes(text));
  rowNodes.forEach((node, at) => node.classList.toggle('match', matches.includes(at)));
  if (matches.length && way) go(way > 0 ? matches.find(at => at > position) ?? matches[0] : matches.findLast(at => at < position) ?? matches[matches.length - 1]);
  const at = matches.indexOf(position);
  byId('found').textContent = !text ? '' : !matches.length ? 'nothing' : at < 0 ? `${matches.length} found` : `${at + 1} of ${matches.length}`;
}
