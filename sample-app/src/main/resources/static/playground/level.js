// Fill level of a rule: its window, bucket or queue.

const MOST_CELLS = 40;

const words = {
  'leaky-bucket': ({ used, capacity }) => `${tenths(used)} of ${tenths(capacity)} in the queue`,
  'warm-up': ({ used, capacity }) => (used >= capacity ? 'warm' : `${Math.round((100 * used) / capacity)} % warmed up`),
  'token-bucket': ({ remaining, capacity }) => `${remaining} of ${capacity} tokens in the bucket`,
  concurrency: ({ used, capacity }) => `${used} of ${capacity} slots are held by calls that run`,
};

const continuous = ['leaky-bucket', 'warm-up', 'token-bucket'];

// windows and slots fill in steps, buckets continuously
export function isStepped(algorithm) {
  return !continuous.includes(algorithm);
}

export class Level {
  constructor(element) {
    this.vessel = element.querySelector('.vessel');
    this.fill = element.querySelector('.fill');
    this.text = element.querySelector('.level-text');
  }

  show(algorithm, reading) {
    const { used, capacity, max, banned } = reading;
    const text = banned ? 'banned: all calls are denied' : (words[algorithm] ?? inTheWindow)(reading) + `; max is ${max}`;
    this.text.textContent = text;
    this.fill.style.width = `${Math.min(100, (100 * used) / capacity)}%`;
    this.vessel.classList.toggle('full', algorithm !== 'warm-up' && used > capacity - 1);
    this.vessel.classList.toggle('cells', Number.isInteger(capacity) && capacity <= MOST_CELLS && algorithm !== 'warm-up');
    this.vessel.style.setProperty('--cells', capacity);
    this.vessel.ariaValueNow = tenths(used);
    this.vessel.ariaValueMax = tenths(capacity);
    this.vessel.ariaValueText = text;
  }
}

function inTheWindow({ used, capacity }) {
  return `${used} of ${capacity} used`;
}

function tenths(number) {
  return Math.round(number * 10) / 10;
}
