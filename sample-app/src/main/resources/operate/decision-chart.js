// Bars of allowed and denied calls per second over the last minute.

import { SECONDS } from './decisions.js';

export class DecisionChart {
  #svg = document.getElementById('decisions');
  #scale = document.getElementById('decisions-scale');

  show(rule, decisions) {
    const rates = decisions.of(rule);
    const highest = Math.max(1, ...rates.map(({ allowed, denied }) => allowed + denied));
    const bar = ({ at, seconds }, from, value) => {
      const width = Math.max(0.2, seconds - 0.2);
      const top = 1 - (from + value) / highest;
      return value > 0 ? `M${SECONDS - decisions.now + at - seconds} ${top}h${width}V${1 - from / highest}h${-width}z` : '';
    };
    this.#draw('.is-allowed', rates.map((rate) => bar(rate, 0, rate.allowed)));
    this.#draw('.is-denied', rates.map((rate) => bar(rate, rate.allowed, rate.denied)));
    this.#scale.textContent = `calls per second in the last minute, at most ${Math.round(highest)}`;
    this.#svg.ariaLabel = `${perSecond(decisions, rule, 'allowed')} allowed and ${perSecond(decisions, rule, 'denied')} denied`;
  }

  #draw(path, bars) {
    this.#svg.querySelector(path).setAttribute('d', bars.join(''));
  }
}

export function perSecond(decisions, rule, outcome) {
  const rate = decisions.recent(rule, outcome);
  return rate === 0 ? '0/s' : `${rate.toFixed(1)}/s`;
}
