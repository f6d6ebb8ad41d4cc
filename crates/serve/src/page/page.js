'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const source = byId('source'), lineHeight = 20;
let running = null, events = null, started = 0, ticking = null, marked = null, shown = null;

function option(select, text, value) {
  const node = document.createElement('option');
  node.textContent = text;
  node.value = value;
  select.append(node);
}

// Line numbers, and a strip behind the line that a message is about.
function number() {
  const count = source.value.split('\n').length, lines = [];
  for (let line = 1; line <= count; line++) {
    if (line === marked) { const node = document.createElement('b'); node.textContent = line; lines.push(node, '\n'); } else lines.push(line + '\n');
  }
  byId('numbers').replaceChildren(...lines);
  follow();
}
function follow() {
  byId('numbers').scrollTop = source.scrollTop;
  byId('mark').hidden = marked === null;
  if (marked !== null) byId('mark').style.top = `${10 + (marked - 1) * lineHeight - source.scrollTop}px`;
}
function mark(line, kind) {
  marked = line;
  byId('mark').className = kind ?? 'wrong';
  number();
  if (line === null) return;
  const top = (line - 1) * lineHeight;
  if (top < source.scrollTop || top > source.scrollTop + source.clientHeight - 3 * lineHeight) source.scrollTop = Math.max(0, top - source.clientHeight / 3);
}

function complain(text, line) {
  byId('message').textContent = text;
  byId('message').hidden = !text;
  mark(line ?? null);
}
function say(text, verdict, property) {
  const parts = [];
  if (verdict) { const word = document.createElement('b'); word.className = verdict; word.textContent = verdict.toUpperCase(); parts.push(word, ' '); }
  if (property) parts.push(`${property}: `);
  byId('status').replaceChildren(...parts, text);
}
function show(report) {
  byId('empty').hidden = !!report;
  byId('report').hidden = !report;
  if (report) byId('report').src = report;
  else { byId('tabs').hidden = true; shown = null; }
}

// One tab for each property that was checked; none if that is only one.
function buildTabs(check, answers) {
  byId('tabs').hidden = answers.length < 2;
  byId('tabs').replaceChildren(...answers.map(answer => {
    const tab = document.createElement('button'), word = document.createElement('b');
    tab.type = 'button';
    tab.setAttribute('role', 'tab');
    tab.title = answer.message || answer.verdict;
    word.className = answer.verdict;
    word.textContent = answer.verdict;
    tab.append(answer.property, ' ', word);
    tab.addEventListener('click', () => choose(check, answers, answer));
    return tab;
  }));
}
function choose(check, answers, answer) {
  shown = answer;
  answers.forEach((other, at) => byId('tabs').children[at].setAttribute('aria-selected', other === answer));
  say(answer.message.split('\n')[0], answer.verdict, answers.length > 1 ? answer.property : null);
  mark(answer.verdict === 'unsafe' ? answer.line : null);
  show(answer.has_report ? `/checks/${check}/report/${answer.property}` : null);
  if (answers.length > 1) byId('tabs').hidden = false;
}

function working(on) {
  byId('check').disabled = on;
  byId('cancel').hidden = !on;
  // What is shown is about an earlier text.
  byId('report').classList.toggle('old', on);
  clearInterval(ticking);
  if (on) ticking = setInterval(() => tell(), 200);
}
let progress = '';
function tell() {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  say(`${seconds} s of ${data.timeout_s} s${progress ? ' · ' + progress : ''}`);
}

async function check() {
  if (running !== null || byId('check').disabled) return;
  complain('', null);
  working(true);
  started = performance.now();
  progress = '';
  tell();
  let answer, body;
  try {
    answer = await fetch('/checks', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ source: source.value, property: byId('property').value, engine: byId('engine').value }) });
    body = await answer.json();
  } catch (error) {
    body = { error: `the server does not answer: ${error.message}`, line: null };
  }
  if (!answer || !answer.ok) {
    working(false);
    say('refused');
    show(null);
    complain(body.error, body.line);
    return;
  }
  running = body.check;
  events = new EventSource(`/checks/${running}/events`);
  events.addEventListener('progress', event => { progress = event.data; tell(); });
  events.addEventListener('done', event => finish(JSON.parse(event.data)));
  events.onerror = () => { if (running !== null) finish({ verdict: null, message: 'the server has gone away', line: null, has_report: false }); };
}

function finish(done) {
  const checked = running;
  events.close();
  running = null;
  working(false);
  if (done.verdict) {
    const of = verdict => done.answers.find(answer => answer.verdict === verdict);
    buildTabs(checked, done.answers);
    choose(checked, done.answers, of('unsafe') || of('unknown') || done.answers[0]);
  } else {
    say(done.message.split('\n')[0]);
    show(null);
    complain(done.message === 'cancelled' ? '' : done.message, done.line);
  }
}

function cancel() {
  if (running !== null) fetch(`/checks/${running}`, { method: 'DELETE', keepalive: true });
}

function take(text) {
  source.value = text;
  source.scrollTop = 0;
  complain('', null);
  explain();
  keep();
}

// The first comment of an example says what it shows.
function explain() {
  const comment = /^\/\*([^]*?)\*\//.exec(source.value), example = data.examples.some(example => example.source === source.value);
  const text = comment && example ? comment[1].split('\n').map(line => line.replace(/^ \* ?/, '')).join('\n').trim() : '';
  byId('explanation').replaceChildren(...(text ? text.split(/\n\n+/) : []).map(part => {
    const node = document.createElement(part.startsWith('    ') ? 'pre' : 'p');
    node.textContent = node.tagName === 'PRE' ? part.replace(/^    /gm, '') : part.replace(/\s+/g, ' ');
    return node;
  }));
}
function describe() {
  const property = data.properties.find(property => property.name === byId('property').value);
  byId('about').textContent = property ? `${property.name}: ${property.text}` : '';
}

// The text survives a reload of its tab; a link holds it in its fragment, which no server sees.
const state = () => ({ source: source.value, property: byId('property').value, engine: byId('engine').value });
function keep() {
  // A page that may not keep anything forgets the text, and that is all.
  try { sessionStorage.setItem('mazurka-program', JSON.stringify(state())); } catch { /* see above */ }
}
function kept() {
  try { return JSON.parse(sessionStorage.getItem('mazurka-program')); } catch { return null; }
}
function linked() {
  const text = /^#program=([\w-]+)$/.exec(location.hash);
  if (!text) return null;
  try {
    const bytes = Uint8Array.from(atob(text[1].replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch { return null; }
}
function recall(state) {
  if (typeof state?.source !== 'string') return false;
  for (const name of ['property', 'engine']) {
    const known = [...byId(name).options].some(option => option.value === state[name]);
    if (known) byId(name).value = state[name];
  }
  take(state.source);
  const example = data.examples.findIndex(example => example.source === state.source);
  byId('example').value = example < 0 ? '' : example;
  return true;
}
async function link() {
  let letters = '';
  for (const byte of new TextEncoder().encode(JSON.stringify(state()))) letters += String.fromCharCode(byte);
  const text = btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  history.replaceState(null, '', `#program=${text}`);
  try { await navigator.clipboard.writeText(location.href); say('the link is copied'); } catch { say('the link is in the address bar'); }
}

data.examples.forEach((example, at) => option(byId('example'), example.title, at));
option(byId('example'), 'your own', '');
data.properties.forEach(property => option(byId('property'), property.name, property.name));
data.engines.forEach(name => option(byId('engine'), name, name));
byId('example').addEventListener('change', () => { const example = data.examples[byId('example').value]; if (example) { take(example.source); show(null); } });
byId('property').addEventListener('change', () => { describe(); keep(); });
byId('engine').addEventListener('change', keep);
byId('check').addEventListener('click', check);
byId('cancel').addEventListener('click', cancel);
byId('link').addEventListener('click', link);
source.addEventListener('input', () => { marked = null; byId('example').value = ''; number(); keep(); });
source.addEventListener('scroll', follow);
source.addEventListener('keydown', event => {
  // Tab indents; Escape and then Tab leaves the editor.
  if (event.key === 'Tab' && !event.shiftKey && !source.dataset.leave) {
    event.preventDefault();
    source.setRangeText('    ', source.selectionStart, source.selectionEnd, 'end');
    number();
    keep();
  }
  source.dataset.leave = event.key === 'Escape' ? 'yes' : '';
});
addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });
// The report says which step it shows: the editor goes along.
addEventListener('message', event => {
  const step = event.data;
  if (event.source !== byId('report').contentWindow || step?.mazurka !== 'step' || !Number.isInteger(step.line)) return;
  // A report that is on its way out may still say something.
  if (running === null && shown && shown.property === step.property) mark(step.line, step.line === shown.line ? 'wrong' : 'step');
});
addEventListener('hashchange', () => { if (recall(linked())) show(null); describe(); });
addEventListener('pagehide', cancel);
if (!recall(linked()) && !recall(kept())) take(data.examples[0].source);
describe();
