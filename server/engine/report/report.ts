import type { Execution, ExecutionStatus, NodeResult, RunError, Trigger, TriggerSource } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { pool } from '@/server/db/client';
import { parseStoredJson } from '@/server/json-in-pieces';
import { kindsByType } from '@/server/nodes';
import type { Override } from '../queue/claim';
import { deliveredTo, inputAt, outerScope, instanceAt, instanceIn, type NodeInstance } from '../run/graph-scope';
import type { Graph } from '@/server/workflow/graph';
import { HELD, LARGE } from '../store/large-values';
import { plan } from '../store/plan';
import { isFinished, isOffloaded, loopRounds, nodeError, startedChildId, takenPort } from '../store/state';
import type { NodeState, States } from '../store/state';
import { askedDecision, readState, storedStatus, UnreadableState, type StateRow } from '../store/state-row';
import { readLargeValues } from './large-texts';
import { nameAt } from './node-names';
import { originalTriggers } from './original-trigger';
import { versionLoader } from '@/server/workflow/versions';

export interface Row {
  id: string;
  workflow_id: string;
  workflow_version: number;
  until_node: string | null;
  status: ExecutionStatus;
  trigger: Trigger;
  triggered_by: TriggerSource | null;
  input: unknown;
  output: unknown;
  error: RunError | null;
  created_by: string | null;
  created_at: Date;
  started_at: Date;
  completed_at: Date | null;
  rerun_of: string | null;
  data_removed_at: Date | null;
  parent_id: string | null;
  override: Override | null;
  input_bytes: number;
  output_bytes: number | null;
  results: (StateRow & { bytes: number; is_large: boolean })[];
}

/** Limit of one response for the outputs of nodes, and again for their inputs, in bytes; the smallest come first. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024;

/** Bytes of outputs and states that come with the execution and are parsed in one go; the others come one by one. */
const INLINE = 128 * 1024;
const IS_INLINE = `so_far <= least($3, ${INLINE}) AND output_bytes <= ${LARGE}`;

/** One statement, so that the execution and its nodes come from one snapshot. */
const READ = `
SELECT id, workflow_id, workflow_version, until_node, status, trigger, triggered_by, error, created_by, created_at, started_at,
  CASE WHEN octet_length(input::text) <= ${LARGE} THEN input END AS input, octet_length(input::text) AS input_bytes,
  CASE WHEN octet_length(output::text) <= ${LARGE} THEN output END AS output, octet_length(output::text) AS output_bytes,
  completed_at, rerun_of, parent_id, override, data_removed_at,
  (SELECT coalesce(json_agg(json_build_object('node_id', node_id, 'status', status, 'port', port, 'attempts', attempts, 'tries', tries,
    'output', CASE WHEN ${IS_INLINE} THEN output END, 'error', error, 'started_at', started_at,
    'completed_at', completed_at, 'wake_at', wake_at, 'held', CASE WHEN ${IS_INLINE} THEN ${HELD} END,
    'round', CASE WHEN so_far <= $3 THEN round END, 'child_id', CASE WHEN so_far <= $3 THEN child_id END,
    'is_away', so_far > $3, 'is_large', so_far <= $3 AND NOT (${IS_INLINE}), 'bytes', output_bytes + held_bytes)), '[]')::text
    FROM (SELECT sized.*, sum(output_bytes + held_bytes) OVER (ORDER BY output_bytes + held_bytes, node_id) AS so_far FROM
      (SELECT *, coalesce(large_bytes, octet_length(output::text), 0) AS output_bytes, coalesce(octet_length(held::text), 0) AS held_bytes
        FROM node_result WHERE execution_id = execution.id) sized) counted) AS results
FROM execution WHERE id = $1 AND workspace_id = $2`;

/** What `READ` omits. Outputs of nodes never change once they are written. */
const LARGE_VALUES = `
SELECT '' AS path, 'input' AS part, input::text AS text FROM execution WHERE id = $1 AND $2
UNION ALL SELECT '', 'output', output::text FROM execution WHERE id = $1 AND $3
UNION ALL SELECT node_id, 'output', output::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($4)
UNION ALL SELECT node_id, 'held', (${HELD})::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($4)`;

const { load } = versionLoader(kindsByType);

export interface Read {
  row: Row;
  graph: Graph | undefined;
  states: States;
}

/** A result by its path; none if it cannot be read, as the error of the run says then. */
export function readableState(result: StateRow): [string, NodeState][] {
  try {
    return [[result.node_id, readState(result)]];
  } catch (error) {
    if (error instanceof UnreadableState) return [];
    throw error;
  }
}

/** Reads an execution with up to `maxBytes` of its nodes' outputs; the other outputs are not loaded (`isOffloaded`). */
export async function read(workspaceId: string, id: string, maxBytes: number): Promise<Read | null> {
  const { rows } = await pool().query<Omit<Row, 'results'> & { results: string }>({
    name: 'engine.read',
    text: READ,
    values: [id, workspaceId, maxBytes],
  });
  const [found] = rows;
  if (!found) return null;
  const row: Row = { ...found, results: (await parseStoredJson(found.results)) as Row['results'] };
  await readLarge(row, maxBytes);
  const { workflow_id: workflowId, workflow_version: workflowVersion, until_node: untilNodeId } = row;
  const [graph] = await load([{ workflowId, workflowVersion, untilNodeId }]);
  return { row, graph, states: new Map(row.results.flatMap(readableState)) };
}

interface PartialRun {
  id: string;
  workflowId: string;
  workflowVersion: number;
  untilNodeId: string | null;
}

/** The names of the nodes at which partial runs end, by the id of the run. */
export async function untilNodeNames(runs: readonly PartialRun[]): Promise<ReadonlyMap<string, string>> {
  const partial = runs.filter(({ untilNodeId }) => untilNodeId !== null);
  const graphs = await load(partial);
  return new Map(
    partial.flatMap(({ id, untilNodeId }, index) => {
      const name = nameAt(graphs[index], untilNodeId ?? '');
      return name === undefined ? [] : [[id, name]];
    }),
  );
}

/** Reads the values that `READ` omits; large ones stay text. */
async function readLarge(row: Row, maxBytes: number): Promise<void> {
  const large = new Map(row.results.flatMap((result) => (result.is_large ? [[result.node_id, result]] : [])));
  const hasInput = maxBytes > 0 && row.input_bytes > LARGE;
  const hasOutput = maxBytes > 0 && (row.output_bytes ?? 0) > LARGE;
  if (!hasInput && !hasOutput && large.size === 0) return;
  const values = [row.id, hasInput, hasOutput, [...large.keys()]];
  for (const { path, part, value } of await readLargeValues({
    name: 'engine.read-large',
    source: LARGE_VALUES,
    values,
  })) {
    const result = path === '' ? undefined : large.get(path);
    if (part === 'input') row.input = value;
    else if (part === 'held' && result) result.held = value as StateRow['held'];
    else if (part === 'output') (result ?? row).output = value;
  }
}

const time = (date: Date | null) => date?.toISOString();

function nodeResults({ row, graph, states }: Read): NodeResult[] {
  if (!graph || row.data_removed_at) return [];
  const skipped = new Set(plan(graph, states).skipped);
  const statusWithoutState = (isSkipped: boolean) => (isSkipped || isFinal(row.status) ? 'skipped' : 'pending');
  const graphScope = outerScope(graph, row.input, states);
  const bytes = new Map(row.results.map((result) => [result.node_id, result.bytes]));
  let remaining = MAX_VALUE_BYTES;
  const withInput = (state: NodeState, instance: NodeInstance | undefined): NodeResult => {
    const output = bytes.get(state.path);
    const { size, isPartial } = instance ? inputBytes(instance, states, bytes, row.input_bytes) : NOTHING;
    if (isPartial || size > remaining) return toNodeResult(state, { input: size, output });
    remaining -= size;
    return { ...toNodeResult(state, { output }), input: instance && inputAt(instance, states, row.override) };
  };
  const outer = [...graph.byId.values()].map((node): NodeResult => {
    const state = states.get(node.id);
    if (!state) return { nodeId: node.id, status: statusWithoutState(skipped.has(node)), error: null, attempts: 0 };
    return withInput(state, instanceIn(graphScope, node));
  });
  const inner = [...states.values()]
    .filter(({ path }) => !graph.byId.has(path))
    .toSorted((a, b) => byRound.compare(a.path, b.path))
    .map((state) => withInput(state, instanceAt(graphScope, state.path, states)));
  return [...outer, ...inner];
}

/** Round 2 comes before round 10. */
const byRound = new Intl.Collator('en', { numeric: true });

const NOTHING = { size: 0, isPartial: false };

/** Approximate size of a node's input in bytes, and whether a part of it is not loaded. */
function inputBytes(instance: NodeInstance, states: States, bytes: ReadonlyMap<string, number>, ofRun: number) {
  const { node, graphScope } = instance;
  if (node.isRoot && !graphScope.isRepeated) {
    const owner = states.get(graphScope.owner?.path ?? '');
    const ofLoop = Math.ceil((bytes.get(owner?.path ?? '') ?? 0) / (loopRounds(owner)?.count ?? 1));
    return {
      size: graphScope.owner ? ofLoop : ofRun,
      isPartial: graphScope.owner !== null && graphScope.input === undefined,
    };
  }
  const senders = deliveredTo(instance, states);
  const size = senders.reduce((sum, { path }) => sum + (bytes.get(path) ?? 0), 0);
  return { size, isPartial: senders.some(isOffloaded) };
}

/** A node's result without its input. `input`: the bytes of an input that is omitted because of its size. */
export function toNodeResult(
  state: NodeState,
  { input, output }: { input?: number; output?: number } = {},
): NodeResult {
  const isDone = state.status === 'completed';
  const isOutputOmitted = isOffloaded(state);
  const omitted = [...(input === undefined ? [] : ['input' as const]), ...(isOutputOmitted ? ['output' as const] : [])];
  return {
    nodeId: state.path,
    status: storedStatus(state),
    startedAt: time(state.startedAt),
    completedAt: isFinished(state) ? time(state.completedAt) : undefined,
    output: isDone && !isOutputOmitted ? state.output : undefined,
    omitted: omitted.length > 0 ? omitted : undefined,
    omittedBytes: omitted.length > 0 ? { input, output: isOutputOmitted ? output : undefined } : undefined,
    error: nodeError(state),
    attempts: state.attemptNumber,
    tries: state.attempts.length > 0 ? [...state.attempts] : undefined,
    port: takenPort(state) ?? undefined,
    asked: askedDecision(state),
    childExecutionId: startedChildId(state),
  };
}

/** A snapshot of an execution with every node of its version; null: the workspace has no such execution. */
export async function readExecution(workspaceId: string, id: string): Promise<Execution | null> {
  const found = await read(workspaceId, id, MAX_VALUE_BYTES);
  if (!found) return null;
  const { row } = found;
  const original = row.trigger === 'rerun' ? await originalTriggers(workspaceId, [id]) : undefined;
  return {
    id: row.id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    status: row.status,
    trigger: row.trigger,
    triggeredBy: row.triggered_by,
    startedAt: row.started_at.toISOString(),
    completedAt: time(row.completed_at),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    rerunOf: row.rerun_of,
    originalTrigger: original?.get(id),
    parentExecutionId: row.parent_id,
    untilNodeId: row.until_node,
    untilNodeName: row.until_node === null ? undefined : nameAt(found.graph, row.until_node),
    input: row.input,
    output: row.status === 'completed' ? row.output : undefined,
    error: row.error,
    dataRemovedAt: time(row.data_removed_at),
    nodeResults: nodeResults(found),
  };
}
