// Puts the page together, and reads the state of the rules once a second.

import { Candidates } from './candidates.js';
import { Changes } from './changes.js';
import { Decisions } from './decisions.js';
import { curl, get, health, ofRule, onChange } from './endpoint.js';
import { Exceptions } from './exceptions.js';
import { KeyPanel } from './key-panel.js';
import { ordered, RuleList } from './rule-list.js';
import { RulePanel } from './rule-panel.js';
import { Talkers } from './talkers.js';
import { VisitorsPanel } from './visitors-panel.js';

const INTERVAL = 1000;
const FIRST = 'search';

const notice = document.getElementById('notice');
const decisions = new Decisions();
const list = new RuleList();
const rulePanel = new RulePanel((rule, sentence) => say(sentence));
const keyPanel = new KeyPanel({ onLookedUp: showKey, onChanged: say, onRefused: complain });
const exceptions = new Exceptions({ onLookUp: lookUp, onChanged: say, onRefused: complain });
const candidates = new Candidates({ onChanged: say, onRefused: complain });
const changes = new Changes();
const talkers = new Talkers({ onLookUp: lookUp, onChanged: say, onRefused: complain });
const visitors = new VisitorsPanel({ onLookUp: lookUp, onRefused: complain });
let rules = [];
let isLost = false;
let timer;
let turn = 0;

function selected() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  return [wanted, FIRST].find((name) => rules.some((rule) => rule.name === name)) ?? rules[0]?.name;
}

async function read() {
  const [answer, meters, state] = await Promise.all([get('ratelimits'), get('prometheus'), health(), visitors.refresh()]);
  rules = ordered(answer.rules);
  decisions.add(Date.now(), meters);
  showHealth(state); // first: a store that cannot answer lists no bans, figures and changes
  const banned = new Map(await Promise.all(rules.filter((rule) => rule.ban).map(async ({ name }) =>
    [name, (await get(ofRule(name, { banned: true }))).banned])));
  const [rule, tried, top, made] = await Promise.all([get(ofRule(selected())), Candidates.read(selected()), Talkers.read(selected()),
    Changes.read()]);
  if (rule.name === selected()) {
    list.show(rules, rule.name, banned, decisions);
    show(rule);
    candidates.show(rule, tried);
    talkers.show(rule, top);
    exceptions.show(rule, banned.get(rule.name) ?? []);
    changes.show(rule, made);
  }
  await keyPanel.refresh();
}

// one after the other; a newer turn ends an older one
async function refresh() {
  clearTimeout(timer);
  const mine = ++turn;
  try {
    await read();
    notice.hidden ||= isLost;
    isLost = false;
  } catch (refusal) {
    isLost = true;
    complain(refusal);
  }
  if (mine === turn && !document.hidden) {
    timer = setTimeout(refresh, INTERVAL);
  }
}

function showHealth({ components }) {
  const { details } = components.ratelimit;
  document.getElementById('health').textContent =
    `The store is ${details.state}${details.reason ? `: ${details.reason}` : ''}.`;
}

function show(rule) {
  rulePanel.show(rule, decisions);
  keyPanel.select(rule);
  candidates.select(rule);
}

// at once, by what is known of it; the work on a rule begins at its title
function select() {
  show(rules.find(({ name }) => name === selected()));
  document.getElementById('rule-title').focus();
  refresh();
}

async function lookUp(key, rule = selected()) {
  if (rule !== selected()) {
    history.pushState(null, '', `#${rule}`);
    show(rules.find(({ name }) => name === rule));
    refresh();
  }
  await keyPanel.lookUp(key);
  document.getElementById('key-title').focus();
}

function showKey(address, sentences) {
  showCommand(curl('GET', address));
  announce(sentences);
}

function showCommand(command) {
  document.getElementById('curl').textContent = command;
}

function say(sentence) {
  announce(sentence);
  refresh();
}

function announce(text) {
  notice.hidden = true;
  document.getElementById('announcement').textContent = text;
}

function complain(refusal) {
  notice.textContent = refusal.message;
  notice.hidden = false;
}

onChange(showCommand);
addEventListener('hashchange', select);
document.addEventListener('visibilitychange', () => !document.hidden && refresh());
showCommand(curl('GET', 'ratelimits'));
refresh();
