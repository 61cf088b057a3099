// A rule in words.

export function admits(rule) {
  return rule.limits.map(ofLimit).join('; ');
}

function ofLimit({ algorithm, max, period, calendar, burst }) {
  const window = calendar ?? period;
  const atOnce = burst === undefined ? '' : `, ${burst} at once`;
  return `${max} ${window ? `per ${window}` : 'at once'}${atOnce} · ${algorithm}`;
}

// where the numbers come from
export function origin(rule) {
  return `max from ${[...new Set(rule.limits.map(({ sources }) => sources.max))].join(', ')}`;
}

export function counts(rule) {
  const keys = rule.key ?? [...new Set(Object.values(rule.keys ?? {}))].join(', ');
  const wait = rule.maxWait ? ` Calls wait up to ${rule.maxWait}.` : '';
  const ban = rule.ban ? ` ${rule.ban.after} denials within ${rule.ban.within} ban a key for ${rule.ban.lasting}.` : '';
  return `${keys ? `Counts ${keys}.` : 'Has keys that a program chooses, or none.'}${wait}${ban} While Redis is unavailable: ${rule.onStoreFailure}.`;
}

export function marks(rule, bannedKeys) {
  const overridden = Array.isArray(rule.keyOverrides) ? rule.keyOverrides.length : (rule.keyOverrides ?? 0);
  return [
    rule.mode !== 'enforce' && rule.mode,
    rule.override && 'changed at run time',
    rule.override?.ignoredBecause && 'change ignored here',
    overridden && `${keys(overridden)} overridden`,
    bannedKeys && `${keys(bannedKeys)} banned`,
  ].filter(Boolean);
}

export function sources(rule) {
  const ofRule = Object.entries(rule.sources).map(([name, source]) => [name, text(rule[name]), source]);
  const ofLimits = rule.limits.flatMap((limit) => Object.entries(limit.sources).map(([name, source]) =>
    [rule.limits.length > 1 ? `${limit.name}: ${name}` : name, text(limit[name]), source]));
  return [...ofLimits, ...ofRule];
}

function keys(count) {
  return `${count} ${count === 1 ? 'key' : 'keys'}`;
}

function text(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
