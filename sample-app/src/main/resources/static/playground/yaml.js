// Fields of a rule in the form of application.yml.

export function yaml(name, values) {
  const lines = ['ratelimit:', '  rules:', `    ${name}:`];
  const adaptive = {};
  for (const [field, value] of values) {
    const [, point, part] = field.split('.');
    if (point) {
      (adaptive[point] ??= []).push(`${part}: ${value}`);
    } else {
      lines.push(`      ${field}: ${value}`);
    }
  }
  if (adaptive.low) {
    lines.push(`      adaptive: { signal: load, low: { ${adaptive.low.join(', ')} }, high: { ${adaptive.high.join(', ')} } }`);
  }
  return lines.join('\n');
}
