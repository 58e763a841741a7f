import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '../db/client';
import { isTransient } from '../db/transient';
import { NodeFailure } from '../nodes/node';
import { Budget } from './budget';
import type { GraphNode } from './graph';
import type { NodeState } from './state';

/** Outputs with more characters of JSON are not kept in memory once they are stored. */
export const LARGE = 256 * 1024;
/** Most that a value may come to. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Characters of stored JSON that all runs of a process have loaded at a time. */
const budget = new Budget(128 * 1024 * 1024);
const RETRY_MS = 200;

/** States by their paths, some of them filled in. */
export interface Lent {
  get(path: string): NodeState | undefined;
  release(): void;
}

/** Loads large outputs of a run for as long as somebody needs them; waits its turn, and for a database that is away. */
export async function lend(
  executionId: string,
  states: ReadonlyMap<string, NodeState>,
  paths: string[],
  signal: AbortSignal,
): Promise<Lent> {
  const away = [...new Set(paths)].filter((path) => states.get(path)?.isAway);
  if (away.length === 0) return { get: (path) => states.get(path), release: () => undefined };
  const release = await budget.take(away.reduce((sum, path) => sum + (states.get(path)?.largeBytes ?? 0), 0));
  try {
    const outputs = await load(executionId, away, signal);
    const get = (path: string) => {
      const state = states.get(path);
      return state?.isAway && outputs.has(path) ? { ...state, output: outputs.get(path), isAway: false } : state;
    };
    return { get, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function load(executionId: string, paths: string[], signal: AbortSignal): Promise<Map<string, unknown>> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const { rows } = await pool().query<{ node_id: string; output: unknown }>({
        name: 'engine.large',
        text: 'SELECT node_id, output FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)',
        values: [executionId, paths],
      });
      return new Map(rows.map((row) => [row.node_id, row.output]));
    } catch (error) {
      if (!isTransient(error)) throw error;
      await pause(RETRY_MS);
    }
  }
}

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

/** Whether a node's config may read `nodes.<id>`; rather once too often. */
export function mentions(node: GraphNode, id: string): boolean {
  let text = texts.get(node);
  if (text === undefined) {
    const inner = node.kind?.inner;
    const config = Object.entries(node.node.config).filter(([field]) => field !== inner);
    text = config.flatMap(([, value]) => textsIn(value)).join('\n');
    texts.set(node, text);
  }
  return text.includes('nodes') && (text.includes(id) || DYNAMIC.test(text));
}
