// Simulated users of the forum. A name looks its key up.

import { get, post, remove } from './endpoint.js';

export class VisitorsPanel {
  #button = document.getElementById('visitors');
  #active = false;

  // onLookUp(key, rule), onRefused(refusal)
  constructor({ onLookUp, onRefused }) {
    this.onLookUp = onLookUp;
    this.#button.addEventListener('click', async () => {
      try {
        this.#show(await (this.#active ? remove('visitors') : post('visitors', {})));
      } catch (refusal) {
        onRefused(refusal);
      }
    });
  }

  async refresh() {
    this.#show(await get('visitors'));
  }

  #show({ active, visitors }) {
    this.#active = active;
    this.#button.textContent = active ? 'Send them away' : 'Let them come';
    const habits = document.getElementById('habits');
    if (!habits.hasChildNodes()) {
      document.getElementById('known-keys').append(...visitors.map(({ key, rule }) => new Option(`counted by ${rule}`, key)));
      habits.append(...visitors.flatMap((visitor, index) => this.#describe(visitor, index === visitors.length - 1)));
    }
  }

  #describe({ name, habit, rule, key }, isLast) {
    const look = Object.assign(document.createElement('button'), { type: 'button', className: 'link', textContent: name });
    look.ariaLabel = `${name}: look up ${key} of ${rule}`;
    look.addEventListener('click', () => this.onLookUp(key, rule));
    return [look, ` ${habit}${isLast ? '.' : '; '}`];
  }
}
