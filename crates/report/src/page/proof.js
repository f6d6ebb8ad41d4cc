// Why a program is safe, or why there is no answer.
const tile = (number, text) => el('div', { class: 'tile' }, el('b', {}, number), el('span', {}, text));

function hint(lines, on) {
  for (const line of lines) sourceNodes.get(line)?.classList.toggle('hint', on);
  const first = sourceNodes.get(lines[0]);
  if (on && first) reveal(byId('code'), first);
}
const hinting = lines => ({ tabindex: 0, onmouseenter: () => hint(lines, true), onmouseleave: () => hint(lines, false),
  onfocus: () => hint(lines, true), onblur: () => hint(lines, false) });

// The parts of `((a && b) && c)`, without the parentheses that only hold them together.
function conjuncts(text) {
  let depth = 0, from = 0, whole = text.startsWith('(');
  const parts = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0 && at < text.length - 1) whole = false;
    if (depth === 0 && text.startsWith(' && ', at)) { parts.push(text.slice(from, at)); from = at + 4; }
  }
  if (parts.length) return [...parts, text.slice(from)].flatMap(conjuncts);
  return whole ? conjuncts(text.slice(1, -1)) : [text];
}

function buildProof(proof) {
  byId('story-title').textContent = 'Proof';
  const stage = byId('stage'), apart = report.stats.filter(([name]) => name.startsWith('pairs apart: '));
  const prose = el('div', { class: 'prose' }, el('p', { class: 'big' }, `${proof.sentence}.`));
  if (proof.precision.length) prose.append(el('p', {}, 'Only this was looked at: ', [...new Set(proof.precision)].map(text => el('span', { class: 'chip' }, text))));
  if (apart.length) prose.append(el('div', { class: 'tiles' }, apart.map(([name, count]) => tile(grouped(count), 'by ' + name.slice(13)))));
  else prose.append(el('div', { class: 'tiles' }, report.stats.slice(0, 4).map(([name, count]) => tile(grouped(count), name))));
  if (proof.missing) prose.append(el('p', { class: 'gone' }, proof.missing));
  stage.append(prose);
  const possible = proof.invariants.filter(invariant => invariant.formula !== 'false');
  for (const invariant of possible) {
    stage.append(el('div', { class: 'inv', ...hinting(invariant.lines) }, el('span', { class: 'where' }, invariant.place),
      el('code', {}, conjuncts(invariant.formula).map(part => el('span', { class: 'chip' }, part)))));
  }
  const never = proof.invariants.length - possible.length;
  if (never) stage.append(el('p', { class: 'prose gone' }, `${grouped(never)} more combinations of places are never reached.`));
  if (proof.graph) stage.append(buildTree(proof.graph));
}

function buildUnknown() {
  byId('story-title').textContent = 'Why there is no answer';
  const tried = report.explanation ? report.explanation.tried : [];
  byId('stage').append(el('div', { class: 'prose' },
    el('p', { class: 'big' }, report.headline),
    tried.length ? el('table', {}, el('thead', {}, el('tr', {}, ['engine', 'for', 'gave up because'].map(text => el('th', { scope: 'col' }, text)))),
      el('tbody', {}, tried.map(attempt => el('tr', {}, el('td', {}, attempt.engine), el('td', {}, `${attempt.wall_s.toFixed(1)} s`), el('td', {}, attempt.result))))) : null,
    report.lines.length ? el('p', { class: 'gone' }, 'Lines that were reached are marked in the program. That proves nothing about them: another schedule or another input may still go wrong there.') : null,
    el('p', { class: 'gone' }, 'An answer is given only if it is certain.')));
}

// The graph of an abstraction: a tree, leaves side by side, and dashed lines to the nodes that cover others.
function buildTree(graph) {
  const wide = 196, high = 112, boxWide = 176, boxHigh = 62;
  const byNumber = new Map(graph.nodes.map(node => [node.id, { ...node, children: [], x: 0, y: 0 }]));
  const roots = [];
  for (const node of byNumber.values()) {
    const parent = byNumber.get(node.parent);
    if (parent) { parent.children.push(node); node.y = parent.y + 1; } else roots.push(node);
  }
  let next = 0;
  // Children before parents, without recursion because trees may be deep.
  const work = roots.map(node => [node, false]).reverse();
  while (work.length) {
    const [node, done] = work.pop();
    if (!done) work.push([node, true], ...node.children.map(child => [child, false]).reverse());
    else node.x = node.children.length ? (node.children[0].x + node.children[node.children.length - 1].x) / 2 : next++;
  }
  const cut = text => text.length > 27 ? text.slice(0, 26) + '…' : text;
  const x = node => node.x * wide + wide / 2, y = node => node.y * high + 12;
  const all = [...byNumber.values()], lines = [], boxes = [];
  for (const node of all) {
    const parent = byNumber.get(node.parent), cover = byNumber.get(node.covered_by);
    if (parent) lines.push(svg('path', { d: `M${x(parent)} ${y(parent) + boxHigh} C${x(parent)} ${y(node) - 20} ${x(node)} ${y(parent) + boxHigh + 20} ${x(node)} ${y(node)}` }));
    if (cover) lines.push(svg('path', { class: 'cover', d: `M${x(node)} ${y(node)} L${x(cover)} ${y(cover) + boxHigh}` }));
    const text = [...node.threads.map(line => ['', line]), ...node.known.map(line => ['known', line])];
    const shown = text.length > 4 ? [...text.slice(0, 3), ['', `… ${text.length - 3} more`]] : text;
    const at = node.threads.flatMap(line => (line.match(/line (\d+)/) || []).slice(1).map(Number));
    boxes.push(svg('g', { class: 'node' + (cover ? ' covered' : ''), ...hinting(at) },
      svg('rect', { x: x(node) - boxWide / 2, y: y(node), width: boxWide, height: boxHigh, rx: 6 }),
      shown.map(([kind, line], number) => svg('text', { class: kind, x: x(node) - boxWide / 2 + 7, y: y(node) + 15 + 14 * number }, cut(line))),
      parent ? svg('text', { class: 'by', x: x(node), y: y(node) - 9 }, cut(node.by)) : '',
      svg('title', {}, [...node.threads, ...node.known, cover ? `covered by node ${cover.id}` : ''].filter(Boolean).join('\n'))));
  }
  const width = next * wide, height = (Math.max(0, ...all.map(node => node.y)) + 1) * high;
  const note = graph.all > graph.nodes.length ? `The first ${grouped(graph.nodes.length)} of ${grouped(graph.all)} abstract states` : `All ${grouped(graph.all)} abstract states`;
  return el('div', {}, el('p', { class: 'prose gone' }, `${note}; a dashed box is covered by a state that was seen before.`),
    el('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'Abstract reachability graph' }, svg('svg', { width, height }, lines, boxes)));
}

// An execution under a weak memory model: its graph, and the cycle that no interleaving has.
function buildExecution(execution) {
  byId('story-title').textContent = `Execution under ${execution.model}`;
  const picture = el('img', { src: `data:image/svg+xml,${encodeURIComponent(execution.svg)}`, alt: execution.cycle.join('; ') || 'The execution graph' });
  const prose = el('div', { class: 'prose' }, el('p', {}, execution.cycle.length ? 'No interleaving does this:' : 'An interleaving does this, too.'),
    execution.cycle.map(line => el('p', {}, line)));
  byId('stage').append(picture, prose);
}
