/** The steps of a path into a value: names of fields and indexes of lists. */
export type PathSteps = readonly (string | number)[];

/** Words that have another meaning in JSONata unless they are in backticks. */
const RESERVED_JSONATA_WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);
const JSONATA_IDENTIFIER = /^[A-Za-z_]\w*$/;

/** A name as JSONata reads it; undefined: JSONata has no way to write it. */
export function quoteJsonataName(name: string): string | undefined {
  if (JSONATA_IDENTIFIER.test(name) && !RESERVED_JSONATA_WORDS.has(name)) return name;
  return name === '' || name.includes('`') ? undefined : `\`${name}\``;
}

/** Steps as a path of JSONata; undefined: a name cannot be written. */
export function printJsonataPath(steps: PathSteps): string | undefined {
  let path = '';
  for (const step of steps) {
    const name = typeof step === 'number' ? `[${step}]` : quoteJsonataName(step);
    if (name === undefined) return undefined;
    path += typeof step === 'number' || path === '' ? name : `.${name}`;
  }
  return path;
}

const PATH_STEP_REGEX = /\s*(?:\.?\s*(?:([A-Za-z_]\w*)|`([^`]+)`)|\[\s*(\d+)\s*\])\s*/y;

/** The steps of a path of JSONata; undefined: the text is something else. */
export function parseJsonataPath(text: string): PathSteps | undefined {
  const steps: (string | number)[] = [];
  for (let at = 0; at < text.length; at = PATH_STEP_REGEX.lastIndex) {
    PATH_STEP_REGEX.lastIndex = at;
    const [whole, plain, quoted, index] = PATH_STEP_REGEX.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const hasDot = whole.trimStart().startsWith('.');
    if (index === undefined ? hasDot !== steps.length > 0 : steps.length === 0) return undefined;
    if (plain !== undefined && RESERVED_JSONATA_WORDS.has(plain)) return undefined;
    steps.push(index === undefined ? (plain ?? quoted ?? '') : Number(index));
  }
  return steps.length > 0 ? steps : undefined;
}

/** The value at a path; undefined: there is none. */
export function valueAtPathSteps(value: unknown, steps: PathSteps): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
