import { evaluateLeniently } from './failure';

/** The parameters of a node. A text that n8n evaluates is a function here. */
export type N8nParameters = Record<string, unknown>;

/** A parameter with its expressions evaluated, also those inside of it. */
export function evaluateParameter(value: unknown): unknown {
  if (typeof value === 'function') return evaluateLeniently(value as () => unknown);
  if (Array.isArray(value)) return value.map(evaluateParameter);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, evaluateParameter(inner)]));
}

/** The parameter at a dotted path; `otherwise`: the default of this version of the node. */
export function readParameter(parameters: N8nParameters, path: string, otherwise?: unknown): unknown {
  let value: unknown = parameters;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return otherwise;
    value = (value as N8nParameters)[step];
  }
  const found = evaluateParameter(value);
  return found === undefined && typeof value !== 'function' ? otherwise : found;
}

/** A value as a part of a text: what is no number is nothing there. */
const toTextPart = (value: unknown): unknown => (Number.isNaN(value) ? '' : value);

/** A text with expressions: what n8n joins. */
export const joinText = (...parts: unknown[]): string =>
  parts
    .map((part) => toTextPart(typeof part === 'function' ? evaluateLeniently(part as () => unknown) : part))
    .join('');

/** A value in a text with several parts. */
export const writeAsText = (value: unknown): string => joinText(value);
