// Latest changes of a rule at run time, and who made them.

import { get } from './endpoint.js';
import { settings, time } from './override-text.js';
import { Rows, write } from './rows.js';

export class Changes {
  #rows = new Rows(document.getElementById('changes'), 'change', (row, change) => this.#fill(row, change));

  static async read() {
    return (await get('ratelimits?changes')).changes;
  }

  show(rule, all) {
    const ofRule = all.filter((change) => change.rule === rule.name);
    document.getElementById('no-changes').hidden = ofRule.length > 0;
    this.#rows.show(ofRule, ({ at, key, candidate }) => `${rule.name} ${at} ${candidate} ${key}`);
  }

  #fill(row, { at, changedBy, key, candidate, from, to }) {
    const what = [candidate && `candidate ${candidate}`, key !== undefined && `key ${key || '(no key)'}`].filter(Boolean);
    write(row.querySelector('.made'), `${time(at)} · ${changedBy}`);
    write(row.querySelector('.what'), `${what.map((each) => `${each}: `).join('')}${settings(from)} → ${settings(to)}`);
  }
}
