// Keys of the selected rule with most denials, to be blocked or to be given more.

import { get, ofRule, post } from './endpoint.js';
import { Rows, write } from './rows.js';

const LASTING = '10m';
const MOST_ROWS = 10;
const HASHED = /^sha256:[0-9a-f]{64}$/;

export class Talkers {
  #rows = new Rows(document.getElementById('talkers'), 'talker', (row, item) => this.#fill(row, item), (row) => this.#listen(row));
  #table = document.getElementById('talkers-table');
  #items = new Map();

  // onLookUp(key), onChanged(sentence), onRefused(refusal)
  constructor({ onLookUp, onChanged, onRefused }) {
    this.on = { onLookUp, onChanged, onRefused };
  }

  static read(rule) {
    return get(ofRule(rule, { top: true }));
  }

  show(rule, { denied, countedIn, since, top }) {
    const from = since ? ` since ${new Date(since).toLocaleTimeString('en-GB')}` : ' in the last ten minutes';
    write(document.getElementById('talkers-counted'),
      `${denied === 1 ? '1 call' : `${denied} calls`} denied${from}, counted in ${countedIn}.`);
    this.#table.hidden = top.length === 0;
    const items = top.slice(0, MOST_ROWS).map((each) => ({ ...each, rule: rule.name, raised: raised(rule) }));
    this.#rows.show(items, ({ key }) => `${rule.name} ${key}`);
  }

  #fill(row, item) {
    this.#items.set(row, item);
    const name = item.key || '(no key)';
    write(row.querySelector('.key-of'), name);
    // the true number is between the two
    write(row.querySelector('.denials'), item.error ? `${item.denied - item.error}–${item.denied}` : `${item.denied}`);
    write(row.querySelector('.share'), `${(100 * item.share).toFixed(1)} %`);
    const [block, raise] = [row.querySelector('.block'), row.querySelector('.raise')];
    write(raise, item.raised.length === 1 ? `Raise to ${item.raised[0].max}` : 'Raise');
    block.ariaLabel = `Block ${name} for ten minutes`;
    raise.ariaLabel = `${raise.textContent} for ${name}, for ten minutes`;
    // of a key that is too long only its hash is known, and of one without numbers nothing can be raised
    block.disabled = HASHED.test(item.key);
    raise.disabled = block.disabled || item.raised.length === 0;
  }

  #listen(row) {
    const item = () => this.#items.get(row);
    row.querySelector('.key-of').addEventListener('click', () => this.on.onLookUp(item().key));
    row.querySelector('.block').addEventListener('click', () => this.#do(item(), [{ blocked: true }], 'is blocked'));
    row.querySelector('.raise').addEventListener('click', () => this.#do(item(), item().raised, 'may do twice as much'));
  }

  async #do({ rule, key }, overrides, done) {
    try {
      for (const override of overrides) {
        await post(ofRule(rule, { key }), { ...override, lasting: LASTING });
      }
      this.on.onChanged(`${key || 'The only counter'} ${done} for ten minutes.`);
    } catch (refusal) {
      this.on.onRefused(refusal);
    }
  }
}

// twice the numbers of each limit
function raised({ name, limits }) {
  return limits.filter(({ adaptive }) => adaptive === undefined).map((limit) =>
    (limits.length > 1 ? { max: 2 * limit.max, limit: limit.name.slice(name.length + 1) } : { max: 2 * limit.max }));
}
