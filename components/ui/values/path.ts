/** The steps of a path into a value: names of fields and indexes of lists. */
export type Steps = readonly (string | number)[];

/** Words that have another meaning in JSONata unless they are in backticks. */
const RESERVED = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** A name as JSONata reads it; undefined: JSONata has no way to write it. */
export function writtenName(name: string): string | undefined {
  if (IDENTIFIER.test(name) && !RESERVED.has(name)) return name;
  return name === '' || name.includes('`') ? undefined : `\`${name}\``;
}

/** Steps as a path of JSONata; undefined: a name cannot be written. */
export function writePath(steps: Steps): string | undefined {
  let path = '';
  for (const step of steps) {
    const name = typeof step === 'number' ? `[${step}]` : writtenName(step);
    if (name === undefined) return undefined;
    path += typeof step === 'number' || path === '' ? name : `.${name}`;
  }
  return path;
}

const STEP = /\s*(?:\.?\s*(?:([A-Za-z_]\w*)|`([^`]+)`)|\[\s*(\d+)\s*\])\s*/y;

/** The steps of a path of JSONata; undefined: the text is something else. */
export function readPath(text: string): Steps | undefined {
  const steps: (string | number)[] = [];
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const [whole, plain, quoted, index] = STEP.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const hasDot = whole.trimStart().startsWith('.');
    if (index === undefined ? hasDot !== steps.length > 0 : steps.length === 0) return undefined;
    if (plain !== undefined && RESERVED.has(plain)) return undefined;
    steps.push(index === undefined ? (plain ?? quoted ?? '') : Number(index));
  }
  return steps.length > 0 ? steps : undefined;
}

/** The value at a path; undefined: there is none. */
export function valueAt(value: unknown, steps: Steps): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
