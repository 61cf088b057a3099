// Keys of a rule that are overridden or banned.

import { ofRule, remove } from './endpoint.js';
import { ban, override } from './override-text.js';
import { Rows, write } from './rows.js';

export class Exceptions {
  #rows = new Rows(document.getElementById('exceptions'), 'exception', (row, item) => this.#fill(row, item), (row) => this.#listen(row));
  #items = new Map();

  // onLookUp(key), onChanged(sentence), onRefused(refusal)
  constructor({ onLookUp, onChanged, onRefused }) {
    this.on = { onLookUp, onChanged, onRefused };
  }

  show(rule, banned) {
    const items = [
      ...(rule.keyOverrides ?? []).map((each) => ({ key: each.key, isBan: false, text: override(each) })),
      ...banned.map((each) => ({ key: each.key, isBan: true, text: ban(each) })),
    ].map((item) => ({ ...item, rule: rule.name }));
    document.getElementById('no-exceptions').hidden = items.length > 0;
    this.#rows.show(items, ({ key, isBan }) => `${rule.name} ${isBan} ${key}`);
  }

  #fill(row, item) {
    this.#items.set(row, item);
    write(row.querySelector('.key-of'), item.key || '(no key)');
    write(row.querySelector('.what'), item.text);
    const end = row.querySelector('.end');
    write(end, item.isBan ? 'Lift ban' : 'Remove');
    end.ariaLabel = `${end.textContent} of ${item.key}`;
  }

  #listen(row) {
    row.querySelector('.key-of').addEventListener('click', () => this.on.onLookUp(this.#items.get(row).key));
    row.querySelector('.end').addEventListener('click', () => this.#end(this.#items.get(row)));
  }

  async #end({ rule, key, isBan }) {
    try {
      await remove(ofRule(rule, isBan ? { key } : { key, override: true }));
      document.getElementById('exceptions-title').focus();
      this.on.onChanged(isBan ? `The ban of ${key} is lifted.` : `The override of ${key} is removed.`);
    } catch (refusal) {
      this.on.onRefused(refusal);
    }
  }
}
