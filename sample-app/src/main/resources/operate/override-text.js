// Overrides, bans and times in words.

export function override({ blocked, unlimited, max, limits, until }) {
  const what = [
    blocked && 'blocked',
    unlimited && 'unlimited',
    max !== undefined && `max ${max}`,
    ...Object.entries(limits ?? {}).map(([limit, numbers]) => `${limit}: max ${numbers.max}`),
  ].filter(Boolean);
  return `${what.join(', ')} ${until ? `until ${time(until)}` : 'until removed'}`;
}

export function ban({ until }) {
  return `banned until ${time(until)}`;
}

// as they are stored: max=900 until=2026-12-06T11:56:22.933Z
export function settings(stored) {
  return stored.replace(/(\S+)=(\S+)/g, (_, name, value) => `${name} ${name === 'until' ? time(value) : value}`);
}

const DAY_AND_TIME = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' };

export function time(instant) {
  const date = new Date(instant);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString('en-GB') : date.toLocaleString('en-GB', DAY_AND_TIME);
}
