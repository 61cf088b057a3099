// Form that overrides the rule for one key.

import { Mistake } from './mistake.js';

export class OverrideForm {
  #form = document.getElementById('override');
  #mistake = new Mistake(this.#form);

  // send(json) returns a promise that rejects with a Refusal
  constructor(send) {
    this.#form.elements.what.addEventListener('change', () => this.#showWhatApplies());
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      try {
        await send(this.#json);
        this.#mistake.hide();
      } catch (refusal) {
        this.#mistake.show(refusal.message);
      }
    });
  }

  // offers max of each limit
  show(rule) {
    if (this.rule === rule.name) {
      return;
    }
    this.rule = rule.name;
    const maxima = rule.limits.length === 1 ? [['max', 'max']]
      : rule.limits.map(({ name }) => [`max ${name.slice(rule.name.length + 1)}`, `max of ${name}`]);
    const options = [['blocked', 'blocked'], ['unlimited', 'unlimited'], ...maxima];
    this.#form.elements.what.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
    this.#mistake.hide();
    this.#showWhatApplies();
  }

  get #json() {
    const [what, limit] = this.#form.elements.what.value.split(' ');
    const lasting = this.#form.elements.lasting.value.trim();
    const max = this.#form.elements.max.value.trim();
    const numbers = what === 'max' ? { max: /^\d{1,15}$/.test(max) ? Number(max) : max } : { [what]: true };
    return { ...numbers, ...(limit && { limit }), ...(lasting && { lasting }) };
  }

  #showWhatApplies() {
    const max = this.#form.elements.max;
    max.disabled = max.parentElement.hidden = !this.#form.elements.what.value.startsWith('max');
  }
}
