// Rules in force, with what each decides at the moment. A link selects one.

import { perSecond } from './decision-chart.js';
import { Rows, write } from './rows.js';
import { admits, marks, origin } from './rule-text.js';

export class RuleList {
  #rows = new Rows(document.getElementById('rules'), 'rule-row', (row, item) => this.#fill(row, item));

  show(rules, selected, banned, decisions) {
    this.#rows.show(rules.map((rule) => ({ rule, isSelected: rule.name === selected, banned: banned.get(rule.name), decisions })),
      ({ rule }) => rule.name);
  }

  #fill(row, { rule, isSelected, banned, decisions }) {
    const link = row.querySelector('a');
    link.href = `${location.pathname}#${rule.name}`;
    link.ariaCurrent = String(isSelected);
    write(row.querySelector('.name'), rule.name);
    write(row.querySelector('.admits'), admits(rule));
    write(row.querySelector('.origin'), origin(rule));
    this.#mark(row.querySelector('.marks'), marks(rule, banned?.length));
    for (const outcome of ['allowed', 'denied']) {
      const rate = row.querySelector(`.rate-${outcome}`);
      write(rate, `${perSecond(decisions, rule.name, outcome)} ${outcome}`);
      rate.classList.toggle('none', decisions.recent(rule.name, outcome) === 0);
    }
  }

  #mark(element, texts) {
    if (element.textContent === texts.join('')) {
      return;
    }
    element.replaceChildren(...texts.map((text) => Object.assign(document.createElement('span'), { className: 'mark', textContent: text })));
  }
}

// those of the forum first
export function ordered(rules) {
  const isOfPlayground = ({ name }) => Number(name.startsWith('playground'));
  return rules.toSorted((one, other) => isOfPlayground(one) - isOfPlayground(other));
}
