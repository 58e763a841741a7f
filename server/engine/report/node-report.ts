import type { NodeResult } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { deliveredTo, inputAt, outerScope, instanceAt } from '../run/graph-scope';
import { HELD, LARGE } from '../store/large-values';
import { readLargeValues } from './large-texts';
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
  const parts = {
    output: 'output::text',
    held: `(${HELD})::text`,
    round: 'round::text',
    child_id: 'to_json(child_id)::text',
  };
  const source = Object.entries(parts)
    .map(
      ([part, text]) => `SELECT node_id AS path, '${part}' AS part, coalesce(${text}, 'null') AS text
        FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)`,
    )
    .join(' UNION ALL ');
  const complete = new Map<string, StateRow>();
  const values = [executionId, omitted];
  for (const { path, part, value } of await readLargeValues({ name: 'engine.read-nodes', source, values })) {
    const result = complete.get(path) ?? results.get(path);
    if (result) complete.set(path, { ...result, [part]: value, is_away: false });
  }
  for (const result of complete.values()) for (const [path, state] of readableState(result)) states.set(path, state);
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
  const source = `SELECT '' AS path, 'input' AS part, input::text AS text FROM execution WHERE id = $1`;
  const [found] = await readLargeValues({ name: 'engine.read-input', source, values: [id] });
  return found?.value ?? null;
}

/** The input of a loop's round. Reads one item only, because the items may be large together. */
async function itemOf(id: string, loop: string, index: number): Promise<{ item: unknown; index: number }> {
  const source = `SELECT '' AS path, 'item' AS part, item::text AS text
    FROM node_result, json_array_elements(loop_items(held)) WITH ORDINALITY AS every(item, place)
    WHERE execution_id = $1 AND node_id = $2 AND place = $3`;
  const [found] = await readLargeValues({ name: 'engine.read-item', source, values: [id, loop, index + 1] });
  return { item: found?.value ?? null, index };
}
