// Chart of the history of one rule: fill level and calls, calls per second, and waits, on one time axis.

import { BIN, SECONDS } from './history.js';
import { palette } from './palette.js';

export class LaneChart {
  #chart;
  #history;
  #animation = 0;

  // whether the level changes in steps or continuously
  isStepped = true;

  constructor(canvas, history) {
    this.#history = history;
    Chart.defaults.font.family = getComputedStyle(canvas).fontFamily;
    this.#chart = new Chart(canvas, { data: { datasets: datasets() }, options: options() });
    palette.onChange(() => this.draw());
  }

  // at most once per frame, however many reports arrive
  draw() {
    cancelAnimationFrame(this.#animation);
    this.#animation = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const history = this.#history;
    const { data, options, chartArea } = this.#chart;
    const drawn = {
      used: history.levels,
      capacity: history.capacities,
      admitted: history.admitted,
      denied: history.denied,
      'admitted per second': history.rates('admitted'),
      'denied per second': history.rates('denied'),
      wait: history.waits,
    };
    for (const dataset of data.datasets) {
      dataset.data = drawn[dataset.label];
      if (dataset.yAxisID === 'rate') {
        dataset.barThickness = ((chartArea?.width ?? 0) * BIN * 0.8) / SECONDS;
      }
    }
    data.datasets[0].stepped = this.isStepped && 'before';
    options.scales.x.min = history.now - SECONDS;
    options.scales.x.max = history.now;
    options.scales.level.max = 1.15 * Math.max(1, ...[...history.capacities, ...history.levels].map(({ y }) => y));
    options.scales.level.min = -0.05 * options.scales.level.max;
    options.scales.wait.display = history.waits.length > 0;
    options.scales.wait.stackWeight = history.waits.length > 0 ? 2 : 0.001;
    this.#chart.update('none');
  }
}

function datasets() {
  const coloured = (line, area = line) => ({ borderColor: () => palette[line], backgroundColor: () => palette[area] });
  const line = { type: 'line', yAxisID: 'level', pointRadius: 0, borderWidth: 1.5, order: 3 };
  const dots = { type: 'scatter', yAxisID: 'level', order: 1, clip: 6 };
  const bars = { type: 'bar', yAxisID: 'rate', stack: 'rate' };
  return [
    { ...line, label: 'used', ...coloured('admitted', 'admitted-soft'), fill: 'origin' },
    { ...line, label: 'capacity', ...coloured('quiet'), borderDash: [5, 4], stepped: 'before' },
    { ...dots, label: 'admitted', ...coloured('admitted'), pointRadius: 3 },
    { ...dots, label: 'denied', ...coloured('denied', 'panel'), pointBorderWidth: 1.5, pointRadius: 4 },
    { ...bars, label: 'admitted per second', ...coloured('admitted') },
    { ...bars, label: 'denied per second', ...coloured('denied', 'denied-soft'), borderWidth: 1 },
    { type: 'bar', yAxisID: 'wait', label: 'wait', ...coloured('wait'), barThickness: 2 },
  ];
}

function options() {
  return {
    animation: false,
    parsing: false,
    normalized: true,
    responsive: true,
    maintainAspectRatio: false,
    events: [],
    plugins: { legend: { display: false }, tooltip: { enabled: false } },
    scales: {
      x: time(),
      wait: axis('wait, s', 2),
      rate: axis('calls/s', 2.5, { stacked: true, suggestedMax: 4 }),
      level: axis('used', 6),
    },
  };
}

function time() {
  const ago = (value, index, ticks) => {
    const seconds = Math.round(value - ticks.at(-1).value);
    return seconds === 0 ? 'now' : `−${-seconds} s`;
  };
  const fromNow = (scale) => {
    scale.ticks = [4, 3, 2, 1, 0].map((part) => ({ value: scale.max - (part * SECONDS) / 4 }));
  };
  return { ...lines(), type: 'linear', offset: false, afterBuildTicks: fromNow, ticks: { ...text, callback: ago, maxRotation: 0 } };
}

function axis(name, stackWeight, more = {}) {
  return {
    ...lines(),
    type: 'linear',
    axis: 'y',
    stack: 'lane',
    stackWeight,
    beginAtZero: true,
    grace: '15%',
    afterBuildTicks: leaveRoom,
    ticks: { ...text, maxTicksLimit: 4, precision: 0, includeBounds: false },
    title: { ...text, display: true, text: name },
    afterFit: (scale) => (scale.width = 52),
    ...more,
  };
}

// the labels of one scale do not touch those of the next
function leaveRoom(scale) {
  scale.ticks = scale.ticks.filter(({ value }) => value >= 0 && value < 0.92 * scale.max);
}

const text = { color: () => palette.quiet };

function lines() {
  const color = () => palette.grid;
  return { grid: { color, offset: false }, border: { color } };
}
