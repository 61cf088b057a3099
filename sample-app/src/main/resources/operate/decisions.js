// Decisions per second of each rule, from the counters that Prometheus reads.

export const SECONDS = 60;
const RECENT = 5;
const SHORTEST = 0.5;
const COUNTER = /^ratelimit_decisions_total\{(.+)\} (\S+)$/gm;

export class Decisions {
  #totals = new Map();
  #at = 0;
  #rates = new Map();

  // at: milliseconds; the first reading has nothing to compare with, and one too soon says little
  add(at, text) {
    const totals = totalsOf(text);
    const seconds = (at - this.#at) / 1000;
    if (seconds < SHORTEST) {
      return;
    }
    if (this.#at > 0) {
      totals.forEach((total, rule) => this.#addRate(rule, at, seconds, total));
    }
    this.#totals = totals;
    this.#at = at;
  }

  #addRate(rule, at, seconds, total) {
    const before = this.#totals.get(rule) ?? { allowed: 0, denied: 0 };
    const rates = this.#rates.get(rule) ?? [];
    const rate = (outcome) => Math.max(0, total[outcome] - before[outcome]) / seconds;
    rates.push({ at: at / 1000, seconds, allowed: rate('allowed'), denied: rate('denied') });
    this.#rates.set(rule, rates.filter((each) => each.at > at / 1000 - SECONDS));
  }

  get now() {
    return this.#at / 1000;
  }

  of(rule) {
    return this.#rates.get(rule) ?? [];
  }

  // calls per second, over the last seconds
  recent(rule, outcome) {
    const recent = this.of(rule).filter(({ at }) => at > this.now - RECENT);
    const seconds = recent.reduce((sum, each) => sum + each.seconds, 0);
    return seconds && recent.reduce((sum, each) => sum + each[outcome] * each.seconds, 0) / seconds;
  }
}

// calls that shadow mode would deny are allowed
function totalsOf(text) {
  const totals = new Map();
  for (const [, tags, value] of text.matchAll(COUNTER)) {
    const { rule, outcome } = Object.fromEntries([...tags.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, tag]) => [name, tag]));
    const total = totals.get(rule) ?? { allowed: 0, denied: 0 };
    total[outcome === 'denied' ? 'denied' : 'allowed'] += Number(value);
    totals.set(rule, total);
  }
  return totals;
}
