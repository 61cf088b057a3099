// One of the two rules: its form, its decisions and its chart.

import { History } from './history.js';
import { LaneChart } from './lane-chart.js';
import { isStepped, Level } from './level.js';
import { RuleForm } from './rule-form.js';
import { yaml } from './yaml.js';

// the end of a denial that waits for other calls to end
const UNKNOWN = -2;

export class Lane {
  #element;
  #history = new History();
  #shown = {};

  constructor(name, visit) {
    this.name = name;
    this.#element = document.getElementById('lane').content.firstElementChild.cloneNode(true);
    this.#element.dataset.lane = name;
    this.#element.ariaLabel = `Rule ${name.toUpperCase()}`;
    this.#find('h2').textContent = name.toUpperCase();
    this.form = new RuleForm(this.#find('.rule'), (values) => this.#send(visit, values));
    this.level = new Level(this.#find('.level'));
  }

  // charts need to know their size
  appendTo(parent) {
    parent.append(this.#element);
    this.chart = new LaneChart(this.#find('canvas'), this.#history);
  }

  async #send(visit, values) {
    await visit.put(`rules/${this.name}`, values);
    this.#find('code').textContent = yaml('reply', values);
  }

  clear() {
    this.#history.clear();
    this.#shown = {};
    this.#showNumbers();
    this.chart.draw();
  }

  report(at, report) {
    this.#history.add(at, report);
    const { admitted, denied, calls, reading } = report;
    const lastAllowed = calls.findLast((call) => call.allowed);
    const lastDenied = calls.findLast((call) => !call.allowed);
    this.#shown = {
      ...this.#shown,
      admitted,
      denied,
      remaining: reading.remaining,
      ...(lastAllowed && { wait: seconds(lastAllowed.delay) }),
      ...(lastDenied && { retryAfter: seconds(lastDenied.retryAfter) }),
    };
    this.#showNumbers();
    this.level.show(this.form.algorithm, reading);
    this.#find('canvas').ariaLabel = `The last 20 seconds. ${this.summary}`;
    this.#find('.key-capacity').textContent = this.form.algorithm === 'warm-up' ? 'warm' : 'capacity';
    this.chart.isStepped = isStepped(this.form.algorithm);
    this.chart.draw();
  }

  #showNumbers() {
    for (const number of this.#element.querySelectorAll('[data-number]')) {
      number.textContent = this.#shown[number.dataset.number] ?? '–';
    }
  }

  get summary() {
    const { admitted = 0, denied = 0, remaining = 0 } = this.#shown;
    return `${this.name.toUpperCase()}, ${this.form.algorithm}: ${admitted} admitted, ${denied} denied, ${remaining} remaining.`;
  }

  #find(selector) {
    return this.#element.querySelector(selector);
  }
}

function seconds(millis) {
  if (millis === UNKNOWN) {
    return 'unknown';
  }
  if (millis < 0) {
    return 'never';
  }
  if (millis < 1000) {
    return millis === 0 ? 'none' : `${millis} ms`;
  }
  return millis < 10000 ? `${(millis / 1000).toFixed(1)} s` : `${Math.round(millis / 1000)} s`;
}
