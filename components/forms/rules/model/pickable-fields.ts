import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath, printExpressionPath } from '@/components/ui/values/expression-path';
import { valueAtPathSteps, type PathSteps } from '@/components/ui/values/jsonata-path';

/** A field that can be picked, with its example value. */
export interface PickableField {
  path: string;
  name: string;
  depth: number;
  value: unknown;
}

const MAX_PICKABLE_DEPTH = 6;
const MAX_PICKABLE_FIELDS = 400;

const isObjectOrList = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The data from which fields are picked, and the language that their paths are written in. */
interface PickedData {
  scope: Readonly<Record<string, unknown>>;
  language: ExpressionLanguage;
}

function collectPickableFields(
  data: PickedData,
  steps: PathSteps,
  { name, value, depth }: Omit<PickableField, 'path'>,
  found: PickableField[],
): void {
  const path = printExpressionPath(steps, data.language, data.scope);
  if (path === undefined || found.length >= MAX_PICKABLE_FIELDS) return;
  found.push({ path, name, depth, value });
  if (!isObjectOrList(value) || depth >= MAX_PICKABLE_DEPTH) return;
  // The items of a list are alike: the first one shows their fields.
  const inner = Array.isArray(value) ? value.slice(0, 1).entries() : Object.entries(value);
  for (const [key, each] of inner)
    collectPickableFields(
      data,
      [...steps, key],
      { name: String(key), value: each as unknown, depth: depth + 1 },
      found,
    );
}

/**
 * The fields of a scope in groups: the input, the output of each node, and what else the names stand for. `names`: what
 * the canvas calls the nodes, by id.
 */
export function groupPickableFields(
  scope: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>> = {},
  language: ExpressionLanguage = 'jsonata',
): { label: string; fields: PickableField[] }[] {
  return Object.entries(scope)
    .flatMap(([name, value]) =>
      name === 'nodes' && isObjectOrList(value)
        ? Object.entries(value).map(([id, output]) => ({ steps: ['nodes', id], value: output as unknown }))
        : [{ steps: [name], value }],
    )
    .filter(({ value }) => value !== undefined)
    .map(({ steps, value }) => {
      const fields: PickableField[] = [];
      collectPickableFields({ scope, language }, steps, { name: steps.at(-1) ?? '', value, depth: 0 }, fields);
      const [root, id = ''] = steps;
      const name = root === 'nodes' && Object.hasOwn(names, id) ? `${names[id]} · ` : '';
      return { label: name + steps.join('.'), fields };
    })
    .filter(({ fields }) => fields.length > 0);
}

/** Whether all words of a search occur in a path. */
export const matchesFieldSearch = (path: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/[\s.]+/)
    .every((word) => path.toLowerCase().includes(word));

const MAX_EXAMPLE_CHARACTERS = 40;

/** An example value in a few characters. */
export function shortExampleText(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (isObjectOrList(value)) return '{ }';
  const text = JSON.stringify(value);
  return text.length > MAX_EXAMPLE_CHARACTERS ? `${text.slice(0, MAX_EXAMPLE_CHARACTERS)}…` : text;
}

/** The value at a path of a scope; undefined: none is known. */
export function exampleValueAt(
  scope: Readonly<Record<string, unknown>>,
  path: string,
  language: ExpressionLanguage = 'jsonata',
): unknown {
  const steps = parseExpressionPath(path, language);
  return steps && valueAtPathSteps(scope, steps);
}
