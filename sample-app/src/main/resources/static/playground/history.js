// Decisions of one rule within the seconds that are drawn.

export const SECONDS = 20;
export const BIN = 0.5;
const KEPT = SECONDS + 2;

export class History {
  now = 0;

  constructor() {
    this.clear();
  }

  clear() {
    this.levels = [];
    this.capacities = [];
    this.admitted = [];
    this.denied = [];
    this.waits = [];
    this.bins = new Map();
  }

  // a report of the server: its calls, and the state of the rule
  add(at, { calls, reading }) {
    this.now = at / 1000;
    for (const call of calls) {
      this.#addCall(call);
    }
    this.levels.push({ x: this.now, y: reading.used });
    this.levels.sort((one, other) => one.x - other.x);
    this.capacities.push({ x: this.now, y: reading.capacity });
    this.#forget(this.now - KEPT);
  }

  #addCall({ at, allowed, delay, used }) {
    const x = at / 1000;
    const bin = Math.floor(x / BIN) * BIN + BIN / 2;
    const counts = this.bins.get(bin) ?? { admitted: 0, denied: 0 };
    this.bins.set(bin, counts);
    if (allowed) {
      counts.admitted++;
      this.admitted.push({ x, y: used });
      this.levels.push({ x, y: used });
    } else {
      counts.denied++;
      this.denied.push({ x, y: used });
    }
    if (delay > 0) {
      this.waits.push({ x, y: delay / 1000 });
    }
  }

  // calls per second, in steps of half a second
  rates(outcome) {
    return [...this.bins].map(([x, counts]) => ({ x, y: counts[outcome] / BIN }));
  }

  #forget(before) {
    for (const points of [this.levels, this.capacities, this.admitted, this.denied, this.waits]) {
      const first = points.findIndex(({ x }) => x >= before);
      points.splice(0, first < 0 ? points.length : first);
    }
    for (const bin of this.bins.keys()) {
      if (bin < before) {
        this.bins.delete(bin);
      }
    }
  }
}
