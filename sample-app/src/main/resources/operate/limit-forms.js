// Forms that change the limits of a rule for all instances.

import { ofRule, post, remove } from './endpoint.js';
import { Mistake } from './mistake.js';
import { Rows, write } from './rows.js';

export class LimitForms {
  #rows = new Rows(document.getElementById('limits'), 'limit-form', (form, item) => this.#fill(form, item), (form) => this.#listen(form));
  #inForce = new Map();

  // onChanged(rule, sentence)
  constructor(onChanged) {
    this.onChanged = onChanged;
  }

  show(rule) {
    this.rule = rule;
    this.#rows.show(rule.limits, ({ name }) => `${rule.name} ${name}`);
  }

  #listen(form) {
    const mistake = new Mistake(form);
    const attempt = async (request, sentence) => {
      try {
        const rule = await request();
        mistake.hide();
        this.#inForce.delete(form);
        this.onChanged(rule, sentence(rule));
      } catch (refusal) {
        mistake.show(refusal.message);
      }
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const changes = this.#changes(form);
      attempt(() => post(ofRule(this.rule.name), changes), () => `${this.rule.name} is changed for all instances.`);
    });
    form.querySelector('.restore').addEventListener('click', () =>
      attempt(() => remove(ofRule(this.rule.name)), () => `${this.rule.name} is as configured.`));
  }

  // fields that differ from what is in force; if none does, max is sent again. A mode is that of the whole rule
  #changes(form) {
    const inForce = this.#inForce.get(form);
    const fields = ['max', 'period', 'mode'].map((name) => form.elements[name]).filter((field) => !field.disabled);
    const changed = fields.filter((field) => field.value.trim() !== inForce[field.name]);
    const changes = Object.fromEntries((changed.length ? changed : [form.elements.max]).map(({ name, value }) => [name, number(value.trim())]));
    const isOfLimit = 'max' in changes || 'period' in changes;
    return inForce.limit && isOfLimit ? { ...changes, limit: inForce.limit } : changes;
  }

  // leaves alone what somebody is typing
  #fill(form, limit) {
    const several = this.rule.limits.length > 1;
    const values = { max: String(limit.max), period: limit.period ?? '', mode: this.rule.mode };
    const before = this.#inForce.get(form);
    for (const [name, value] of Object.entries(values)) {
      const field = form.elements[name];
      if (!before || field.value === before[name]) {
        field.value = value;
      }
    }
    this.#inForce.set(form, { ...values, limit: several ? limit.name.slice(this.rule.name.length + 1) : '' });
    form.elements.max.disabled = limit.adaptive !== undefined;
    form.elements.period.disabled = limit.period === undefined;
    form.querySelector('.restore').disabled = !this.rule.override;
    write(form.querySelector('h3'), several ? limit.name : 'Change it for all instances');
  }
}

function number(text) {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
