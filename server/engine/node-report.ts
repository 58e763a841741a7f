import type { NodeResult } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { pool } from '../db/client';
import { inputAt, outerFrame, spotAt } from './frame';
import { isSettled } from './plan';
import { read, shown } from './report';
import type { Held, NodeState } from './state';

/** Bytes that come in at a node at most; several large outputs together may be more. */
const MAX_INPUT = 32 * 1024 * 1024;

/** The loops around a path such as `a[3].b[1].c`: `a`, `a[3].b`. */
const loopsAround = (path: string): string[] =>
  [...path.matchAll(/\[\d+\]\./g)].map(({ index }) => path.slice(0, index));

/** Brings what these states left out, as far as it fits. */
async function fetchInto(states: Map<string, NodeState>, executionId: string, paths: string[]): Promise<void> {
  const away = paths.filter((path) => states.get(path)?.isAway);
  if (away.length === 0) return;
  const { rows } = await pool().query<{ node_id: string; output: unknown; held: Held | null }>(
    'SELECT node_id, output, held FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)',
    [executionId, away],
  );
  for (const { node_id: path, output, held } of rows) {
    const state = states.get(path);
    if (state) states.set(path, { ...state, output, held, isAway: false });
  }
}

/**
 * One node's result with all that came in and out, however large. Null: the workspace has no such execution, or it
 * no such node.
 */
export async function readNodeResult(workspaceId: string, id: string, path: string): Promise<NodeResult | null> {
  const found = await read(workspaceId, id, 0);
  if (!found?.graph) return null;
  const { graph, row } = found;
  const states = new Map(found.states);
  const known = states.get(path);
  if (!known) {
    const status = isFinal(row.status) ? 'skipped' : 'pending';
    return graph.byId.has(path) ? { nodeId: path, status, error: null, attempts: 0 } : null;
  }
  await fetchInto(states, id, [path, ...loopsAround(path)]);
  const state = states.get(path) ?? known;
  const spot = spotAt(outerFrame(graph, row.input, states), path, states);
  if (!spot) return shown(state);
  const bytes = new Map(row.results.map((result) => [result.node_id, result.bytes]));
  const senders = spot.node.incoming.flatMap(({ source, port }) => {
    const sender = states.get(spot.frame.prefix + source.id);
    return sender && isSettled(sender) && sender.port === port ? [sender.path] : [];
  });
  const size = senders.reduce((sum, sender) => sum + (bytes.get(sender) ?? 0), 0);
  if (size > MAX_INPUT) return shown(state, { input: size });
  await fetchInto(states, id, senders);
  return { ...shown(state), input: inputAt(spot, states, row.override) };
}
