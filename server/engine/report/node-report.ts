import type { NodeResult } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { pool } from '@/server/db/client';
import { deliveredTo, inputAt, outerScope, instanceAt } from '../run/graph-scope';
import { fromJson } from '@/server/expressions/large-json';
import { HELD, LARGE } from '../store/large-values';
import { read, readableState, toNodeResult } from './report';
import type { NodeState } from '../store/state';
import type { StateRow } from '../store/state-row';

/** Limit for the input of a node in bytes; several large outputs together may exceed it. */
const MAX_INPUT = 32 * 1024 * 1024;

/** The loops around a path such as `a[3].b[1].c`: `a`, `a[3].b`. */
const loopsAround = (path: string): string[] =>
  [...path.matchAll(/\[\d+\]\./g)].map(({ index }) => path.slice(0, index));

type Results = ReadonlyMap<string, StateRow>;

/** Loads the omitted values of these results in place. */
async function fetchInto(
  states: Map<string, NodeState>,
  results: Results,
  executionId: string,
  paths: string[],
): Promise<void> {
  const omitted = paths.filter((path) => results.get(path)?.is_away);
  if (omitted.length === 0) return;
  const { rows } = await pool().query<
    { node_id: string; output: string } & Pick<StateRow, 'held' | 'round' | 'child_id'>
  >(
    `SELECT node_id, output::text, ${HELD} AS held, round, child_id FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)`,
    [executionId, omitted],
  );
  for (const { output, ...row } of rows) {
    const result = results.get(row.node_id);
    if (!result) continue;
    const complete = { ...result, ...row, output: fromJson(output ?? 'null'), is_away: false };
    for (const [path, state] of readableState(complete)) states.set(path, state);
  }
}

/**
 * One node's result with its complete output, and its complete input up to `MAX_INPUT`. Null: the workspace has no such
 * execution, or the execution has no such node.
 */
export async function readNodeResult(workspaceId: string, id: string, path: string): Promise<NodeResult | null> {
  const found = await read(workspaceId, id, 0);
  if (!found?.graph) return null;
  const { graph, row } = found;
  if (row.input_bytes > LARGE) row.input = await inputOfRun(id);
  const states = new Map(found.states);
  const stateBefore = states.get(path);
  if (!stateBefore) {
    const status = isFinal(row.status) ? 'skipped' : 'pending';
    return graph.byId.has(path) ? { nodeId: path, status, error: null, attempts: 0 } : null;
  }
  const results = new Map(row.results.map((result) => [result.node_id, result]));
  await fetchInto(states, results, id, [path, ...loopsAround(path)]);
  const state = states.get(path) ?? stateBefore;
  const instance = instanceAt(outerScope(graph, row.input, states), path, states);
  if (!instance) return toNodeResult(state);
  const senders = deliveredTo(instance, states).map((sender) => sender.path);
  const size = senders.reduce((sum, sender) => sum + (results.get(sender)?.bytes ?? 0), 0);
  if (size > MAX_INPUT) return toNodeResult(state, { input: size });
  await fetchInto(states, results, id, senders);
  const { owner, index, isRepeated } = instance.graphScope;
  const item = instance.node.isRoot && owner && !isRepeated ? await itemOf(id, owner.path, index) : null;
  return { ...toNodeResult(state), input: item ?? inputAt(instance, states, row.override) };
}

async function inputOfRun(id: string): Promise<unknown> {
  const { rows } = await pool().query<{ input: string }>('SELECT input::text FROM execution WHERE id = $1', [id]);
  return fromJson(rows[0]?.input ?? 'null');
}

/** The input of a loop's round. Reads one item only, because the items may be large together. */
async function itemOf(id: string, loop: string, index: number): Promise<{ item: unknown; index: number }> {
  const { rows } = await pool().query<{ item: string | null }>(
    `SELECT item::text FROM node_result, json_array_elements(loop_items(held)) WITH ORDINALITY AS every(item, place)
     WHERE execution_id = $1 AND node_id = $2 AND place = $3`,
    [id, loop, index + 1],
  );
  return { item: fromJson(rows[0]?.item ?? 'null'), index };
}
