/** Limits of a shape: levels, fields of one object, and fields in total. */
const MAX_SHAPE_DEPTH = 6;
const MAX_SHAPE_FIELDS = 40;
const MAX_TOTAL_FIELDS = 300;

/** Matches names of fields. Keys that are data themselves, such as addresses or numbers, are left out. */
const FIELD_NAME_PATTERN = /^[\p{L}_$][\p{L}\p{N}_$ -]{0,59}$/u;

/** The shape of a value: names of fields and types, no values. `{body: [{id: number, name: text}]}` */
export function describeShape(value: unknown): string {
  let remaining = MAX_TOTAL_FIELDS;
  const shape = (at: unknown, depth: number): string => {
    if (at === null) return 'null';
    if (typeof at === 'string') return 'text';
    if (typeof at !== 'object') return typeof at;
    if (depth >= MAX_SHAPE_DEPTH || remaining <= 0) return '…';
    if (Array.isArray(at)) return at.length > 0 ? `[${shape(at[0], depth + 1)}]` : '[]';
    const named = Object.entries(at).filter(([name]) => FIELD_NAME_PATTERN.test(name));
    const shown = named.slice(0, Math.min(MAX_SHAPE_FIELDS, remaining));
    remaining -= shown.length;
    const fields = shown.map(([name, inner]) => `${name}: ${shape(inner, depth + 1)}`);
    return `{${[...fields, ...(shown.length < Object.keys(at).length ? ['…'] : [])].join(', ')}}`;
  };
  return shape(value, 0);
}
