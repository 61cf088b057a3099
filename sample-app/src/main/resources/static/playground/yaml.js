// Fields of a rule in the form of application.yml.

const numbers = ['max', 'period', 'burst'];
const isNoProperty = ['plan', 'call-takes'];

export function yaml(name, values) {
  const plan = values.find(([field]) => field === 'plan')?.[1];
  const lines = ['ratelimit:', '  rules:', `    ${name}:`];
  const adaptive = {};
  const ban = [];
  for (const [field, value] of values) {
    const [group, point, part] = field.split('.');
    if (group === 'ban') {
      ban.push(`${point}: ${value}`);
    } else if (point) {
      (adaptive[point] ??= []).push(`${part}: ${value}`);
    } else if (!isNoProperty.includes(field)) {
      lines.push(`      ${field}: ${value}`);
    }
  }
  if (adaptive.low) {
    lines.push(`      adaptive: { signal: load, low: { ${adaptive.low.join(', ')} }, high: { ${adaptive.high.join(', ')} } }`);
  }
  if (ban.length) {
    lines.push(`      ban: { ${ban.join(', ')} }`);
  }
  if (plan) {
    const changed = values.filter(([field]) => numbers.includes(field)).map(([field, value]) => `${field}: ${value}`);
    lines.push(`      plans: { ${plan}: { ${changed.join(', ')} } }`);
  }
  return lines.join('\n');
}
