// State of one key: how full its limits are, and why.

import { Rows, write } from './rows.js';

export class KeyState {
  #limits = new Rows(document.getElementById('key-limits'), 'key-limit', fillLimit);
  #explanation = document.getElementById('explanation');

  show({ key, limits, explanation }) {
    write(document.getElementById('key-name'), key || '(no key)');
    this.#limits.show(limits, ({ name }) => name);
    explanation.forEach((sentence, index) => {
      const item = this.#explanation.children[index] ?? this.#explanation.appendChild(document.createElement('li'));
      write(item, sentence);
    });
    [...this.#explanation.children].slice(explanation.length).forEach((item) => item.remove());
  }
}

function fillLimit(row, { name, used, capacity, remaining }) {
  const vessel = row.querySelector('.vessel');
  const text = `${name}: ${used} of ${capacity} used, ${remaining} left`;
  vessel.ariaLabel = name;
  vessel.ariaValueNow = used;
  vessel.ariaValueMax = capacity;
  vessel.ariaValueText = text;
  vessel.classList.toggle('full', remaining === 0);
  row.querySelector('.fill').style.width = `${Math.min(100, (100 * used) / capacity)}%`;
  write(row.querySelector('.level-text'), text);
}
