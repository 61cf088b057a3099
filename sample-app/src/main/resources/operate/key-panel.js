// One key of the selected rule: look it up, reset it, override it.

import { get, ofRule, post, remove } from './endpoint.js';
import { KeyState } from './key-state.js';
import { OverrideForm } from './override-form.js';

export class KeyPanel {
  #form = document.getElementById('look-up');
  #panel = document.getElementById('key');
  #state = new KeyState();
  #rule = null;
  #key = null;

  // onLookedUp(address, sentences), onChanged(sentence), onRefused(refusal)
  constructor({ onLookedUp, onChanged, onRefused }) {
    this.on = { onLookedUp, onChanged, onRefused };
    this.override = new OverrideForm((json) => this.#do(post(this.#address(), json), 'is overridden'));
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.lookUp(this.#form.elements.key.value);
    });
    this.#on('reset', () => this.#do(remove(this.#address()), 'is reset'));
    this.#on('remove-override', () => this.#do(remove(this.#address({ override: true })), 'is no longer overridden'));
  }

  // the key of another rule is not looked at
  select(rule) {
    if (this.#rule !== rule.name) {
      this.#rule = rule.name;
      this.#key = null;
      this.#panel.hidden = true;
      this.#form.reset();
    }
    this.override.show(rule);
  }

  async lookUp(key) {
    this.#form.elements.key.value = key;
    this.#key = key;
    try {
      const { explanation } = await this.refresh();
      this.on.onLookedUp(this.#address({ explain: true }), explanation.join(' '));
    } catch (refusal) {
      this.on.onRefused(refusal);
    }
  }

  async refresh() {
    if (this.#key === null) {
      return null;
    }
    const [rule, key] = [this.#rule, this.#key];
    const state = await get(this.#address({ explain: true }));
    if (rule === this.#rule && key === this.#key) {
      this.#panel.hidden = false;
      this.#state.show(state);
      document.getElementById('reset').textContent = state.bannedUntil ? 'Reset counts and lift ban' : 'Reset counts';
      document.getElementById('remove-override').disabled = !state.override;
    }
    return state;
  }

  #address(more = {}) {
    return ofRule(this.#rule, { key: this.#key, ...more });
  }

  async #do(request, done) {
    const key = this.#key;
    await request;
    this.on.onChanged(`${key || 'The only counter'} ${done}.`);
  }

  #on(button, action) {
    document.getElementById(button).addEventListener('click', () => action().catch(this.on.onRefused));
  }
}
