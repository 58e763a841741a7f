import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseExpressionPath, printExpressionPath } from '@/components/ui/values/expression-path';
import { printJsonataPath, valueAtPathSteps, type PathSteps } from '@/components/ui/values/jsonata-path';
import { formatItemCount } from '@/components/ui/values/item-count-text';
import type { PreviewData } from '../../preview-context';

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
  const inner = Array.isArray(value) ? value.slice(0, 1).entries() : contentFirst(value);
  for (const [key, each] of inner)
    collectPickableFields(data, [...steps, key], { name: String(key), value: each, depth: depth + 1 }, found);
}

/** The fields of a value; those of an HTTP message with its content before its headers. */
function contentFirst(value: object): [string, unknown][] {
  const entries = Object.entries(value) as [string, unknown][];
  if (!('headers' in value)) return entries;
  const isContent = ([name]: [string, unknown]) => name === 'body' || name === 'items';
  return [
    ...entries.filter(isContent),
    ...entries.filter((entry) => !isContent(entry) && entry[0] !== 'headers'),
    ...entries.filter(([name]) => name === 'headers'),
  ];
}

/** The fields of one value of a scope. */
export interface PickableGroup {
  /** `input`, `nodes.<id>`, or another name of the scope. */
  root: string;
  label: string;
  /** What is to be known before the data is used. */
  note: string | undefined;
  /** The values are examples. */
  isExpected: boolean;
  fields: PickableField[];
}

type NamedPreview = Pick<PreviewData, 'names' | 'inputFrom' | 'notes' | 'expected'>;

/**
 * The fields of a scope in groups: the input, the output of each node, the nearest first, and what else the names stand
 * for.
 */
export function groupPickableFields(
  scope: Readonly<Record<string, unknown>>,
  preview: NamedPreview = {},
  language: ExpressionLanguage = 'jsonata',
): PickableGroup[] {
  return Object.entries(scope)
    .flatMap(([name, value]) =>
      (name === 'nodes' || name === 'paired') && isObjectOrList(value)
        ? Object.entries(value).map(([id, output]) => ({ steps: [name, id], value: output as unknown }))
        : [{ steps: [name], value }],
    )
    .filter(({ value }) => value !== undefined)
    .map(({ steps, value }) => {
      const fields: PickableField[] = [];
      collectPickableFields({ scope, language }, steps, { name: steps.at(-1) ?? '', value, depth: 0 }, fields);
      const root = steps.join('.');
      const label = rootLabel(steps, preview);
      return { root, label, note: preview.notes?.[root], isExpected: preview.expected?.has(root) ?? false, fields };
    })
    .filter(({ fields }) => fields.length > 0);
}

/**
 * What people call the first steps of a path: the title of its node, or the input with the nodes that it comes from.
 */
function rootLabel(steps: PathSteps, { names = {}, inputFrom = [] }: NamedPreview): string {
  const [root, id = ''] = steps;
  if (root === 'nodes') return names[id] ?? String(id);
  if (root === 'paired') return `${names[id] ?? String(id)}, same item`;
  if (root === 'input') return inputFrom.length > 0 ? `Input from ${inputFrom.join(' and ')}` : 'Input';
  return ROOT_LABELS[String(root)] ?? String(root);
}

/** What people call the names of a scope that are neither nodes nor the input. */
export const ROOT_LABELS: Readonly<Record<string, string>> = {
  item: 'Item',
  items: 'Items',
  index: 'Index',
  vars: 'Variables',
  execution: 'This run',
};

/** A path as people read it: `Call API › body.items`. The path itself, if it begins with no node. */
export function readablePath(
  path: string,
  { names = {} }: Pick<PreviewData, 'names'> = {},
  language: ExpressionLanguage = 'jsonata',
): string {
  const [root, id = '', ...rest] = parseExpressionPath(path, language) ?? [];
  if (root !== 'nodes' || !Object.hasOwn(names, id)) return path;
  const inner = printJsonataPath(rest);
  return inner ? `${names[id]} › ${inner}` : (names[id] ?? path);
}

/** Whether all words of a search occur in a path. */
export const matchesFieldSearch = (path: string, search: string): boolean =>
  search
    .toLowerCase()
    .split(/[\s.]+/)
    .every((word) => path.toLowerCase().includes(word));

const MAX_EXAMPLE_CHARACTERS = 40;

/** An example value in a few characters. `isExpected`: the number of items is not known. */
export function shortExampleText(value: unknown, isExpected = false): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return isExpected ? 'list' : formatItemCount(value.length);
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
