// Limits that are tried beside those of the selected rule, with their figures.

import { get, ofRule, post, remove } from './endpoint.js';
import { Mistake } from './mistake.js';
import { Rows, write } from './rows.js';
import { admits } from './rule-text.js';

export class Candidates {
  #rows = new Rows(document.getElementById('candidates'), 'candidate', (row, item) => this.#fill(row, item), (row) => this.#listen(row));
  #form = document.getElementById('try-candidate');
  #mistake = new Mistake(this.#form);
  #items = new Map();
  #rule = null;

  // onChanged(sentence), onRefused(refusal)
  constructor({ onChanged, onRefused }) {
    this.on = { onChanged, onRefused };
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#try();
    });
  }

  static read(rule) {
    return get(ofRule(rule, { candidates: true }));
  }

  // before its candidates are read, so that nothing is lost that is typed meanwhile
  select(rule) {
    if (this.#rule !== rule.name) {
      this.#rule = rule.name;
      this.#form.reset();
      this.#mistake.hide();
    }
  }

  show(rule, { limits, candidates }) {
    this.select(rule);
    document.getElementById('candidates-table').hidden = candidates.length === 0;
    const items = candidates.flatMap((each) => [
      { ...each, id: `${each.name} live`, title: 'in force', limits, denied: each.liveDenied, isLive: true },
      { ...each, id: each.name, title: each.name, isLive: false }]);
    this.#rows.show(items, ({ id }) => `${rule.name} ${id}`);
  }

  #fill(row, item) {
    this.#items.set(row, item);
    write(row.querySelector('.name'), item.title);
    write(row.querySelector('.admits'), admits(item));
    write(row.querySelector('.denials'), `${item.denied} of ${item.calls}`);
    write(row.querySelector('.share'), item.calls ? `${(100 * item.denied / item.calls).toFixed(1)} %` : '');
    write(row.querySelector('.keys'), item.isLive ? '' : `${item.deniedKeys}`);
    const buttons = [row.querySelector('.adopt'), row.querySelector('.remove')];
    for (const button of buttons) {
      button.hidden = item.isLive;
      button.ariaLabel = `${button.textContent} ${item.name}`;
    }
  }

  #listen(row) {
    const name = () => this.#items.get(row).name;
    row.querySelector('.adopt').addEventListener('click', () =>
      this.#do(post(ofRule(this.#rule), { adopt: name() }), `The numbers of ${name()} are in force in all instances.`));
    row.querySelector('.remove').addEventListener('click', () =>
      this.#do(remove(ofRule(this.#rule, { candidate: name() })), `${name()} is not tried any more.`));
  }

  async #try() {
    const { name, max } = this.#form.elements;
    try {
      await post(ofRule(this.#rule), { candidate: name.value.trim(), max: max.value.trim() });
      this.on.onChanged(`${name.value.trim()} is tried beside ${this.#rule}, and denies nothing.`);
      this.#form.reset();
    } catch (refusal) {
      this.#mistake.show(refusal.message);
    }
  }

  async #do(request, sentence) {
    try {
      await request;
      document.getElementById('candidates-title').focus();
      this.on.onChanged(sentence);
    } catch (refusal) {
      this.on.onRefused(refusal);
    }
  }
}
