import { readPath, valueAt, writePath, type Steps } from '@/components/ui/values/path';

/** A field that can be picked, with its example value. */
export interface Pickable {
  path: string;
  name: string;
  depth: number;
  value: unknown;
}

const MAX_DEPTH = 6;
const MAX_FIELDS = 400;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

function collect(steps: Steps, name: string, value: unknown, depth: number, found: Pickable[]): void {
  const path = writePath(steps);
  if (path === undefined || found.length >= MAX_FIELDS) return;
  found.push({ path, name, depth, value });
  if (!isBranch(value) || depth >= MAX_DEPTH) return;
  // The items of a list are alike: the first one shows their fields.
  const inner = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value);
  for (const [key, each] of inner) collect([...steps, key], String(key), each, depth + 1, found);
}

/**
 * The fields of a scope in groups: the input, the output of each node, and what else the names stand for. `names`: what
 * the canvas calls the nodes, by id.
 */
export function pickables(
  scope: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
): { label: string; fields: Pickable[] }[] {
  return Object.entries(scope)
    .flatMap(([name, value]) =>
      name === 'nodes' && isBranch(value)
        ? Object.entries(value).map(([id, output]) => ({ steps: ['nodes', id], value: output as unknown }))
        : [{ steps: [name], value }],
    )
    .filter(({ value }) => value !== undefined)
    .map(({ steps, value }) => {
      const fields: Pickable[] = [];
      collect(steps, steps.at(-1) ?? '', value, 0, fields);
      const [root, id = ''] = steps;
      const name = root === 'nodes' && Object.hasOwn(names, id) ? `${names[id]} · ` : '';
      return { label: name + steps.join('.'), fields };
    })
    .filter(({ fields }) => fields.length > 0);
}

/** Whether all words of a search occur in a path. */
export const isFound = (path: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/[\s.]+/)
    .every((word) => path.toLowerCase().includes(word));

const MAX_EXAMPLE = 40;

/** An example value in a few characters. */
export function exampleText(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (isBranch(value)) return '{ }';
  const text = JSON.stringify(value);
  return text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
}

/** The value at a path of a scope; undefined: none is known. */
export function exampleAt(scope: Readonly<Record<string, unknown>>, path: string): unknown {
  const steps = readPath(path);
  return steps && valueAt(scope, steps);
}
