// Colors of the style sheet for canvas drawings. They change with the color scheme that the visitor prefers.

const NAMES = ['panel', 'quiet', 'grid', 'admitted', 'admitted-soft', 'denied', 'denied-soft', 'wait'];
const listeners = [];

export const palette = {
  onChange(listener) {
    listeners.push(listener);
  },
};

function read() {
  const style = getComputedStyle(document.documentElement);
  NAMES.forEach((name) => (palette[name] = style.getPropertyValue(`--${name}`).trim()));
  listeners.forEach((listener) => listener());
}

read();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', read);
