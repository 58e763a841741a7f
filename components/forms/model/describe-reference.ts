import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { ReferenceDescription } from '@/components/code/pills/reference-description';
import { printJsonataPath, type PathSteps } from '@/components/ui/values/jsonata-path';
import type { PreviewData } from '../preview-context';
import { ROOT_LABELS, shortExampleText } from '../rules/model/pickable-fields';

type DescribedData = Pick<PreviewData, 'scope' | 'names' | 'inputFrom' | 'expected'>;

/** What a path begins with, as people call it, and how many of its steps that is. Undefined: it is not known. */
function nameRoot([root, id = '']: PathSteps, { scope, names = {}, inputFrom = [] }: DescribedData) {
  if (root === undefined || !Object.hasOwn(scope, root)) return undefined;
  if (root === 'nodes' || root === 'paired') {
    const name = Object.hasOwn(names, id) ? names[id] : undefined;
    return name === undefined ? undefined : { name: root === 'paired' ? `${name}, same item` : name, length: 2 };
  }
  // Where the node runs for each item, its input is one of them.
  if (root === 'input' && 'item' in scope) return { name: 'Item', length: 1 };
  const [only, ...others] = inputFrom;
  if (root === 'input' && only !== undefined && others.length === 0) return { name: only, length: 1 };
  const name = root === 'input' ? 'Input' : ROOT_LABELS[root];
  return name === undefined ? undefined : { name, length: 1 };
}

const NO_VALUE = Symbol('no value');

/**
 * The value at a path. JSONata reads a name of a list in each of its items; what such a path yields beyond one list is
 * not computed here.
 */
function sampleAt(scope: object, steps: PathSteps, language: ExpressionLanguage): unknown {
  let at: unknown = scope;
  for (const [place, step] of steps.entries()) {
    if (language === 'jsonata' && Array.isArray(at) && typeof step === 'string') {
      if (place < steps.length - 1 || at.some(Array.isArray)) return undefined;
      const found = at.map((item: unknown) => readOwnStep(item, step)).filter((value) => value !== NO_VALUE);
      if (found.some(Array.isArray)) return undefined;
      return found.length > 1 ? found : found[0];
    }
    at = readOwnStep(at, step);
    if (at === NO_VALUE) return undefined;
  }
  return at;
}

const readOwnStep = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string | number, unknown>)[step]
    : NO_VALUE;

/**
 * A path to data as people read it, `Call API › body.id`, with a sample of its value. Undefined: what it begins with is
 * not known here.
 */
export function describeReference(
  steps: PathSteps,
  preview: DescribedData,
  language: ExpressionLanguage,
): ReferenceDescription | undefined {
  const root = nameRoot(steps, preview);
  if (!root) return undefined;
  const inner = printJsonataPath(steps.slice(root.length));
  // A path that only JavaScript can write stays as it is written.
  if (inner === undefined) return undefined;
  const isExample = preview.expected?.has(steps.slice(0, steps[0] === 'nodes' ? 2 : 1).join('.')) ?? false;
  return {
    name: inner === '' ? root.name : `${root.name} › ${inner}`,
    sample: shortExampleText(sampleAt(preview.scope, steps, language), isExample),
    isExample,
  };
}
