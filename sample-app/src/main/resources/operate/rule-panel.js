// Selected rule: what it counts, decides and admits, and where that comes from.

import { DecisionChart } from './decision-chart.js';
import { LimitForms } from './limit-forms.js';
import { write } from './rows.js';
import { counts, sources } from './rule-text.js';

export class RulePanel {
  #chart = new DecisionChart();
  #sources = '';

  constructor(onChanged) {
    this.forms = new LimitForms(onChanged);
  }

  show(rule, decisions) {
    write(document.getElementById('rule-title'), rule.name);
    write(document.getElementById('rule-counts'), counts(rule));
    this.#chart.show(rule.name, decisions);
    this.forms.show(rule);
    this.#showSources(sources(rule));
  }

  #showSources(entries) {
    const shown = JSON.stringify(entries);
    if (shown !== this.#sources) {
      this.#sources = shown;
      document.getElementById('sources').replaceChildren(...entries.flatMap(([name, value, source]) =>
        [element('dt', `${name}: ${value}`), element('dd', source)]));
    }
  }
}

function element(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}
