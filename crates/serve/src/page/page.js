'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const source = byId('source'), lineHeight = 20;
let running = null, events = null, started = 0, ticking = null, marked = null;

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
function mark(line) {
  marked = line;
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
function say(text, verdict) {
  const parts = [];
  if (verdict) { const word = document.createElement('b'); word.className = verdict; word.textContent = verdict.toUpperCase(); parts.push(word, ' '); }
  byId('status').replaceChildren(...parts, text);
}
function show(report) {
  byId('empty').hidden = !!report;
  byId('report').hidden = !report;
  if (report) byId('report').src = report;
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
    say(done.message.split('\n')[0], done.verdict);
    mark(done.verdict === 'unsafe' ? done.line : null);
    show(done.has_report ? `/checks/${checked}/report` : null);
  } else {
    say(done.message.split('\n')[0]);
    show(null);
    complain(done.message === 'cancelled' ? '' : done.message, done.line);
  }
}

function cancel() {
  if (running !== null) fetch(`/checks/${running}`, { method: 'DELETE', keepalive: true });
}

function choose() {
  const example = data.examples[byId('example').value];
  source.value = example.source;
  byId('property').value = example.property;
  source.scrollTop = 0;
  complain('', null);
}

data.examples.forEach((example, at) => option(byId('example'), example.title, at));
data.properties.forEach(name => option(byId('property'), name, name));
data.engines.forEach(name => option(byId('engine'), name, name));
byId('example').addEventListener('change', choose);
byId('check').addEventListener('click', check);
byId('cancel').addEventListener('click', cancel);
source.addEventListener('input', () => { marked = null; number(); });
source.addEventListener('scroll', follow);
source.addEventListener('keydown', event => {
  // Tab indents; Escape and then Tab leaves the editor.
  if (event.key === 'Tab' && !event.shiftKey && !source.dataset.leave) {
    event.preventDefault();
    source.setRangeText('    ', source.selectionStart, source.selectionEnd, 'end');
    number();
  }
  source.dataset.leave = event.key === 'Escape' ? 'yes' : '';
});
addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });
addEventListener('pagehide', cancel);
choose();
