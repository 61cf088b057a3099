// Requests to the actuator. Its root is the folder of this page.

const listeners = [];

export class Refusal extends Error {}

// called with each request that changes something, as a command of a shell
export function onChange(listener) {
  listeners.push(listener);
}

export async function get(path) {
  const response = await send(path);
  if (!response.ok) {
    throw await refusal(response);
  }
  return response.headers.get('Content-Type').includes('json') ? response.json() : response.text();
}

// an instance that is DOWN says so with 503
export async function health() {
  const response = await send('health');
  return response.json();
}

export function post(path, json) {
  return change('POST', path, JSON.stringify(json));
}

export function remove(path) {
  return change('DELETE', path);
}

export function ofRule(rule, parameters = {}) {
  const query = Object.entries(parameters).map(([name, value]) =>
    value === true ? name : `${name}=${encodeURIComponent(value)}`);
  return `ratelimits/${encodeURIComponent(rule)}${query.length ? '?' : ''}${query.join('&')}`;
}

export function curl(method, path, body) {
  const words = ['curl'];
  if (method !== 'GET') {
    words.push('-X', method);
  }
  if (body) {
    words.push('-H', quoted('Content-Type: application/json'), '-d', quoted(body));
  }
  return [...words, quoted(new URL(path, document.baseURI).href)].join(' ');
}

async function change(method, path, body) {
  listeners.forEach((listener) => listener(curl(method, path, body)));
  const headers = body ? { 'Content-Type': 'application/json' } : {};
  const response = await send(path, { method, body, headers });
  if (!response.ok) {
    throw await refusal(response);
  }
  return response.json();
}

function send(path, request) {
  return fetch(path, request).catch(() => {
    throw new Refusal('The application does not answer.');
  });
}

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  return new Refusal(problem.detail ?? `The endpoint answers with ${response.status}.`);
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
