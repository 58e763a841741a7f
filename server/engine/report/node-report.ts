import type { NodeResult } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { findDeliveredStates, resolveNodeInput, createOuterScope, findNodeInstance } from '../run/graph-scope';
import { HELD_WITHOUT_LARGE_ITEMS, IN_MEMORY_OUTPUT_LIMIT } from '../store/large-values';
import { readLargeValues } from './large-texts';
import { loadExecution, parseReadableState, toNodeResult } from './report';
import type { NodeState } from '../store/state';
import type { StoredStateRow } from '../store/state-row';

/** Limit for the input of a node in bytes; several large outputs together may exceed it. */
const MAX_NODE_INPUT_BYTES = 32 * 1024 * 1024;

/** Returns the paths of the loops around a node: `a` and `a[3].b` for `a[3].b[1].c`. */
const enclosingLoopPaths = (path: string): string[] =>
  [...path.matchAll(/\[\d+\]\./g)].map(({ index }) => path.slice(0, index));

type ResultRowsByPath = ReadonlyMap<string, StoredStateRow>;

/** Loads the omitted values of these results in place. */
async function loadOmittedValues(
  states: Map<string, NodeState>,
  results: ResultRowsByPath,
  executionId: string,
  paths: string[],
): Promise<void> {
  const omitted = paths.filter((path) => results.get(path)?.is_away);
  if (omitted.length === 0) return;
  const parts = {
    output: 'output::text',
    held: `(${HELD_WITHOUT_LARGE_ITEMS})::text`,
    round: 'round::text',
    child_id: 'to_json(child_id)::text',
  };
  const source = Object.entries(parts)
    .map(
      ([part, text]) => `SELECT node_id AS path, '${part}' AS part, coalesce(${text}, 'null') AS text
        FROM node_result WHERE execution_id = $1 AND node_id = ANY($2)`,
    )
    .join(' UNION ALL ');
  const complete = new Map<string, StoredStateRow>();
  const values = [executionId, omitted];
  for (const { path, part, value } of await readLargeValues({ name: 'engine.read-nodes', source, values })) {
    const result = complete.get(path) ?? results.get(path);
    if (result) complete.set(path, { ...result, [part]: value, is_away: false });
  }
  for (const result of complete.values())
    for (const [path, state] of parseReadableState(result)) states.set(path, state);
}

/**
 * One node's result with its complete output, and its complete input up to `MAX_NODE_INPUT_BYTES`. Null: the workspace
 * has no such execution, or the execution has no such node.
 */
export async function readNodeResult(workspaceId: string, id: string, path: string): Promise<NodeResult | null> {
  const found = await loadExecution(workspaceId, id, 0);
  if (!found?.graph) return null;
  const { graph, row } = found;
  if (row.input_bytes > IN_MEMORY_OUTPUT_LIMIT) row.input = await readRunInput(id);
  const states = new Map(found.states);
  const stateBefore = states.get(path);
  if (!stateBefore) {
    const status = isFinalStatus(row.status) ? 'skipped' : 'pending';
    return graph.byId.has(path) ? { nodeId: path, status, error: null, attempts: 0 } : null;
  }
  const results = new Map(row.results.map((result) => [result.node_id, result]));
  await loadOmittedValues(states, results, id, [path, ...enclosingLoopPaths(path)]);
  const state = states.get(path) ?? stateBefore;
  const instance = findNodeInstance(createOuterScope(graph, row.input, states), path, states);
  if (!instance) return toNodeResult(state);
  const senders = findDeliveredStates(instance, states).map((sender) => sender.path);
  const size = senders.reduce((sum, sender) => sum + (results.get(sender)?.bytes ?? 0), 0);
  if (size > MAX_NODE_INPUT_BYTES) return toNodeResult(state, { input: size });
  await loadOmittedValues(states, results, id, senders);
  const { owner, index, isRepeated } = instance.graphScope;
  const item = instance.graphNode.isRoot && owner && !isRepeated ? await readRoundInput(id, owner.path, index) : null;
  return { ...toNodeResult(state), input: item ?? resolveNodeInput(instance, states, row.override) };
}

async function readRunInput(id: string): Promise<unknown> {
  const source = `SELECT '' AS path, 'input' AS part, input::text AS text FROM execution WHERE id = $1`;
  const [found] = await readLargeValues({ name: 'engine.read-input', source, values: [id] });
  return found?.value ?? null;
}

/** Returns the input of a round of a loop. Reads only this item, because all items together may be large. */
async function readRoundInput(id: string, loop: string, index: number): Promise<{ item: unknown; index: number }> {
  const source = `SELECT '' AS path, 'item' AS part, item::text AS text
    FROM node_result, json_array_elements(loop_items(held)) WITH ORDINALITY AS every(item, place)
    WHERE execution_id = $1 AND node_id = $2 AND place = $3`;
  const [found] = await readLargeValues({ name: 'engine.read-item', source, values: [id, loop, index + 1] });
  return { item: found?.value ?? null, index };
}
