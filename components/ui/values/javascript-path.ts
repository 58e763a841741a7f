import type { PathSteps } from './jsonata-path';

/** Items of a list that decide whether their fields may be missing. */
const MAX_COMPARED_ITEMS = 100;
const JAVASCRIPT_IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const printStep = (step: string | number, isOptional: boolean): string => {
  if (typeof step === 'string' && JAVASCRIPT_IDENTIFIER.test(step)) return `${isOptional ? '?.' : '.'}${step}`;
  return `${isOptional ? '?.' : ''}[${JSON.stringify(step)}]`;
};

/** What a step may lead to, from what it may begin at: in a list, each item counts, and none. */
function listStepValues(values: readonly unknown[], step: string | number): unknown[] {
  return values.flatMap((value): unknown[] => {
    if (typeof value !== 'object' || value === null) return [undefined];
    if (typeof step === 'number' && Array.isArray(value)) return [...value.slice(0, MAX_COMPARED_ITEMS), undefined];
    return [Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined];
  });
}

const mayBeMissing = (values: readonly unknown[]) =>
  values.some((value) => value !== undefined) && values.some((value) => value === undefined || value === null);

/**
 * Steps as a path of JavaScript; undefined: it begins with no name. A step after a value that may be missing is
 * optional (`?.`): the data of `scope` lacks it somewhere, or it is an item of a list.
 */
export function printJavascriptPath(
  steps: PathSteps,
  scope?: Readonly<Record<string, unknown>>,
  isAlwaysOptional = false,
): string | undefined {
  const [root, ...rest] = steps;
  if (typeof root !== 'string' || !JAVASCRIPT_IDENTIFIER.test(root)) return undefined;
  return printSteps(root, rest, [scope?.[root]], isAlwaysOptional);
}

function printSteps(root: string, rest: PathSteps, values: readonly unknown[], isAlwaysOptional = false): string {
  let path = root;
  let last: string | number = root;
  let reached = values;
  for (const step of rest) {
    path += printStep(step, isAlwaysOptional || typeof last === 'number' || mayBeMissing(reached));
    reached = listStepValues(reached, step);
    last = step;
  }
  return path;
}

/**
 * Steps as an expression of JavaScript that finds the same values as a path of JSONata, which leads through lists: a
 * name after a list is read in each of its items.
 */
export function printMappedPath(steps: PathSteps, scope: Readonly<Record<string, unknown>>): string | undefined {
  const [root, ...rest] = steps;
  if (typeof root !== 'string' || !JAVASCRIPT_IDENTIFIER.test(root)) return undefined;
  return printMappedSteps(root, rest, [scope[root]]).path;
}

/** `isMapped`: the value is a list made by `map`. `isList`: it is a list of the data. */
interface MappedPath {
  path: string;
  isMapped: boolean;
  isList: boolean;
}

function printMappedSteps(root: string, steps: PathSteps, values: readonly unknown[]): MappedPath {
  let reached = values;
  for (const [place, step] of steps.entries()) {
    const list = reached.find(Array.isArray) as unknown[] | undefined;
    if (list && typeof step === 'string') {
      const items = reached.flatMap((value): unknown[] =>
        Array.isArray(value) ? value.slice(0, MAX_COMPARED_ITEMS) : [],
      );
      const inner = printMappedSteps('item', steps.slice(place), items);
      const isNested = inner.isMapped || inner.isList;
      return {
        path: `${printSteps(root, steps.slice(0, place), values)}.${isNested ? 'flatMap' : 'map'}((item) => ${inner.path})`,
        isMapped: true,
        isList: false,
      };
    }
    reached = listStepValues(reached, step);
  }
  return { path: printSteps(root, steps, values), isMapped: false, isList: reached.some(Array.isArray) };
}

const PATH_STEP_REGEX =
  /\s*(?:(?:(\?\.|\.)\s*)?([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(?:(\d+)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))\s*\])\s*/y;

/** Words that are no variables. */
const RESERVED_WORDS = new Set([
  'true',
  'false',
  'null',
  'undefined',
  'this',
  'new',
  'typeof',
  'void',
  'return',
  'NaN',
]);

function readQuotedName(text: string): string | undefined {
  if (text.startsWith("'")) return text.includes('\\') ? undefined : text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** The steps of a path of JavaScript; undefined: the text is something else. */
export function parseJavascriptPath(text: string): PathSteps | undefined {
  const steps: (string | number)[] = [];
  for (let at = 0; at < text.length; at = PATH_STEP_REGEX.lastIndex) {
    PATH_STEP_REGEX.lastIndex = at;
    const [whole, dot, name, index, quoted] = PATH_STEP_REGEX.exec(text) ?? [];
    if (whole === undefined) return undefined;
    if (steps.length === 0) {
      if (name === undefined || dot !== undefined || RESERVED_WORDS.has(name)) return undefined;
      steps.push(name);
      continue;
    }
    if (name !== undefined && dot === undefined) return undefined;
    const step = name ?? (index === undefined ? readQuotedName(quoted ?? '') : Number(index));
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps.length > 0 ? steps : undefined;
}
