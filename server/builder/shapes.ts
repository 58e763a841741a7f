/** How much of a value a model is told: levels, fields of an object, and fields together. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 40;
const MAX_TOTAL = 300;

/** Names of fields. Keys that are data themselves, such as addresses or numbers, are left out. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$ -]{0,59}$/u;

/** The shape of a value: names of fields and types, no values. `{body: [{id: number, name: text}]}` */
export function shapeOf(value: unknown): string {
  let remaining = MAX_TOTAL;
  const shape = (at: unknown, depth: number): string => {
    if (at === null) return 'null';
    if (typeof at === 'string') return 'text';
    if (typeof at !== 'object') return typeof at;
    if (depth >= MAX_DEPTH || remaining <= 0) return '…';
    if (Array.isArray(at)) return at.length > 0 ? `[${shape(at[0], depth + 1)}]` : '[]';
    const named = Object.entries(at).filter(([name]) => NAME.test(name));
    const shown = named.slice(0, Math.min(MAX_FIELDS, remaining));
    remaining -= shown.length;
    const fields = shown.map(([name, inner]) => `${name}: ${shape(inner, depth + 1)}`);
    return `{${[...fields, ...(shown.length < Object.keys(at).length ? ['…'] : [])].join(', ')}}`;
  };
  return shape(value, 0);
}
