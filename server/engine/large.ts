import { NodeFailure } from '../nodes/node';
import type { GraphNode } from './graph';
import type { NodeState } from './state';

/** Outputs with more characters of JSON are not kept in memory once they are stored. */
export const LARGE = 256 * 1024;
/** The same for a run that keeps many already. */
export const VERY_SMALL = 4 * 1024;
/** Most that a value may come to. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Refuses to put together what is too large anyway, before it is loaded. */
export function requireFitting(states: (NodeState | undefined)[]): void {
  const bytes = states.reduce((sum, state) => sum + (state?.largeBytes ?? 0), 0);
  if (bytes > MAX_BYTES)
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The outputs together are larger than 10 MiB.', false);
}

const texts = new WeakMap<GraphNode, string>();

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** `nodes` other than `nodes.name`, `nodes."name"`, `nodes['name']`: the name is seen only when it runs. */
const DYNAMIC = /\bnodes\b(?!\s*(\.\s*[\p{L}_"'`]|\[\s*["'`]))/u;

function textOf(node: GraphNode): string {
  const known = texts.get(node);
  if (known !== undefined) return known;
  const inner = node.kind?.inner;
  const config = Object.entries(node.node.config).filter(([field]) => field !== inner);
  const text = config.flatMap(([, value]) => textsIn(value)).join('\n');
  texts.set(node, text);
  return text;
}

/** Whether a node's config may read `nodes.<id>`; rather once too often. */
export function mentions(node: GraphNode, id: string): boolean {
  const text = textOf(node);
  return text.includes('nodes') && (text.includes(id) || DYNAMIC.test(text));
}

/** What stands for all that an expression sees. */
const EVERYTHING = /\*|\$\$|\$(?![\p{L}\d_])/u;

/** Whether a node may look at what comes in; rather once too often. */
export function readsInput(node: GraphNode): boolean {
  if (node.kind?.seesInput !== false || node.node.disabled === true) return true;
  return says(node, 'input');
}

/** Whether a node may look at the run's own input; rather once too often. */
export const readsExecution = (node: GraphNode): boolean => says(node, 'execution');

function says(node: GraphNode, word: string): boolean {
  const text = textOf(node);
  return text.includes(word) || EVERYTHING.test(text);
}
