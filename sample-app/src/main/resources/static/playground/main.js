// Puts the page together.

import { Lane } from './lane.js';
import { scenes } from './scenes.js';
import { TrafficPanel } from './traffic-panel.js';
import { Visit } from './visit.js';

const ANNOUNCEMENT_INTERVAL = 5000;
const origins = {
  redis: 'Redis',
  'deny-cache': 'Redis',
  local: 'this process',
  fallback: 'this process, because Redis cannot be reached',
};

const visit = new Visit({
  onOpen: () => {
    clear();
    return Promise.all(lanes.map((lane) => lane.form.apply()));
  },
  onReport: report,
  onEnd: (why) => traffic.showNotice(why),
});
const lanes = ['a', 'b'].map((name) => new Lane(name, visit));
const traffic = new TrafficPanel(visit);
const summary = document.getElementById('summary');
const announcement = document.getElementById('announcement');
let nextAnnouncement = 0;
let round = 0;

function clear() {
  lanes.forEach((lane) => lane.clear());
}

function report(report) {
  if (report.round !== round) {
    round = report.round;
    clear();
  }
  traffic.report(report);
  for (const lane of lanes) {
    const of = report.lanes[lane.name];
    if (of) {
      lane.report(report.at, of);
      document.getElementById('origin').textContent = origins[of.reading.origin] ?? 'nobody';
    }
  }
  summarize();
}

// announced no more often than a screen reader can read it
function summarize() {
  const text = lanes.map((lane) => lane.summary).join(' ');
  summary.textContent = text;
  if (Date.now() >= nextAnnouncement && text !== announcement.textContent) {
    nextAnnouncement = Date.now() + ANNOUNCEMENT_INTERVAL;
    announcement.textContent = text;
  }
}

async function play(scene, button) {
  document.querySelectorAll('#scenes button').forEach((other) => (other.ariaPressed = String(other === button)));
  lanes.forEach((lane) => lane.form.set(scene[lane.name]));
  traffic.set(scene);
  try {
    await visit.open();
    await traffic.stop();
    await Promise.all(lanes.map((lane) => lane.form.apply()));
    await traffic.start();
  } catch (refusal) {
    traffic.showNotice(refusal.message);
  }
}

lanes.forEach((lane) => lane.appendTo(document.getElementById('lanes')));
lanes.forEach((lane) => lane.form.set(scenes[0][lane.name]));
traffic.set(scenes[0]);

for (const scene of scenes) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = scene.name;
  button.ariaPressed = 'false';
  button.addEventListener('click', () => play(scene, button));
  const item = document.createElement('li');
  item.append(button);
  document.getElementById('scenes').append(item);
}

// who prefers less motion begins with charts at rest
if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
  visit.open().catch(() => {});
} else {
  document.querySelector('#scenes button').click();
}
