import type {
  ExecutionResponse,
  ExecutionStatus,
  NodeResult,
  RunError,
  TriggerType,
  TriggerSource,
} from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { databasePool } from '@/server/platform/db/client';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import type { RunOverride } from '../queue/claim';
import {
  findDeliveredStates,
  resolveNodeInput,
  createOuterScope,
  findNodeInstance,
  createNodeInstance,
  type NodeInstance,
} from '../run/graph-scope';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { HELD_WITHOUT_LARGE_ITEMS, IN_MEMORY_OUTPUT_LIMIT } from '../store/large-values';
import { planNextNodes } from '../store/plan';
import {
  isNodeFinished,
  isOutputOffloaded,
  readLoopRounds,
  currentNodeError,
  startedChildId,
  takenOutputPort,
} from '../store/state';
import type { NodeState, NodeStates } from '../store/state';
import {
  toDecisionPrompt,
  readNodeState,
  toStoredStatus,
  UnreadableStateError,
  type StoredStateRow,
} from '../store/state-row';
import { readLargeValues } from './large-texts';
import { nodeDisplayName } from './node-names';
import { findOriginalTriggers } from './original-trigger';
import { createVersionLoader } from '@/server/workflow/definition/versions';

export interface ExecutionReportRow {
  id: string;
  workflow_id: string;
  workflow_version: number;
  until_node: string | null;
  status: ExecutionStatus;
  trigger: TriggerType;
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
  override: RunOverride | null;
  input_bytes: number;
  output_bytes: number | null;
  results: (StoredStateRow & { bytes: number; is_large: boolean })[];
}

/**
 * Limit in bytes for the outputs of all nodes in one response, and again for their inputs; the smallest values are
 * included first.
 */
const MAX_REPORTED_VALUE_BYTES = 16 * 1024 * 1024;

/** Bytes of outputs and states that come with the execution and are parsed in one go; the others come one by one. */
const INLINE = 128 * 1024;
const IS_INLINE = `so_far <= least($3, ${INLINE}) AND output_bytes <= ${IN_MEMORY_OUTPUT_LIMIT}`;

/** One statement, so that the execution and its nodes come from one snapshot. */
const READ_EXECUTION_SQL = `
SELECT id, workflow_id, workflow_version, until_node, status, trigger, triggered_by, error, created_by, created_at, started_at,
  CASE WHEN octet_length(input::text) <= ${IN_MEMORY_OUTPUT_LIMIT} THEN input END AS input, octet_length(input::text) AS input_bytes,
  CASE WHEN octet_length(output::text) <= ${IN_MEMORY_OUTPUT_LIMIT} THEN output END AS output, octet_length(output::text) AS output_bytes,
  completed_at, rerun_of, parent_id, override, data_removed_at,
  (SELECT coalesce(json_agg(json_build_object('node_id', node_id, 'status', status, 'port', port, 'attempts', attempts, 'tries', tries,
    'output', CASE WHEN ${IS_INLINE} THEN output END, 'error', error, 'started_at', started_at,
    'completed_at', completed_at, 'wake_at', wake_at, 'held', CASE WHEN ${IS_INLINE} THEN ${HELD_WITHOUT_LARGE_ITEMS} END,
    'round', CASE WHEN so_far <= $3 THEN round END, 'child_id', CASE WHEN so_far <= $3 THEN child_id END,
    'is_away', so_far > $3, 'is_large', so_far <= $3 AND NOT (${IS_INLINE}), 'bytes', output_bytes + held_bytes)), '[]')::text
    FROM (SELECT sized.*, sum(output_bytes + held_bytes) OVER (ORDER BY output_bytes + held_bytes, node_id) AS so_far FROM
      (SELECT *, coalesce(large_bytes, octet_length(output::text), 0) AS output_bytes, coalesce(octet_length(held::text), 0) AS held_bytes
        FROM node_result WHERE execution_id = execution.id) sized) counted) AS results
FROM execution WHERE id = $1 AND workspace_id = $2`;

/** What `READ_EXECUTION_SQL` omits. Outputs of nodes never change once they are written. */
const LARGE_VALUES = `
SELECT '' AS path, 'input' AS part, input::text AS text FROM execution WHERE id = $1 AND $2
UNION ALL SELECT '', 'output', output::text FROM execution WHERE id = $1 AND $3
UNION ALL SELECT node_id, 'output', output::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($4)
UNION ALL SELECT node_id, 'held', (${HELD_WITHOUT_LARGE_ITEMS})::text FROM node_result WHERE execution_id = $1 AND node_id = ANY($4)`;

const { load } = createVersionLoader(definitionsByNodeType);

export interface LoadedExecution {
  row: ExecutionReportRow;
  graph: WorkflowGraph | undefined;
  states: NodeStates;
}

/** Parses a result row into an entry by path. Returns none if the row is damaged; the error of the run then says so. */
export function parseReadableState(result: StoredStateRow): [string, NodeState][] {
  try {
    return [[result.node_id, readNodeState(result)]];
  } catch (error) {
    if (error instanceof UnreadableStateError) return [];
    throw error;
  }
}

/**
 * Reads an execution with up to `maxBytes` of its nodes' outputs; the other outputs are not loaded
 * (`isOutputOffloaded`).
 */
export async function loadExecution(
  workspaceId: string,
  id: string,
  maxBytes: number,
): Promise<LoadedExecution | null> {
  const { rows } = await databasePool().query<Omit<ExecutionReportRow, 'results'> & { results: string }>({
    name: 'engine.read',
    text: READ_EXECUTION_SQL,
    values: [id, workspaceId, maxBytes],
  });
  const [found] = rows;
  if (!found) return null;
  const row: ExecutionReportRow = {
    ...found,
    results: (await parseStoredJson(found.results)) as ExecutionReportRow['results'],
  };
  await loadLargeValues(row, maxBytes);
  const { workflow_id: workflowId, workflow_version: workflowVersion, until_node: untilNodeId } = row;
  const [graph] = await load([{ workflowId, workflowVersion, untilNodeId }]);
  return { row, graph, states: new Map(row.results.flatMap(parseReadableState)) };
}

interface PartialRun {
  id: string;
  workflowId: string;
  workflowVersion: number;
  untilNodeId: string | null;
}

/** The names of the nodes at which partial runs end, by the id of the run. */
export async function readUntilNodeNames(runs: readonly PartialRun[]): Promise<ReadonlyMap<string, string>> {
  const partial = runs.filter(({ untilNodeId }) => untilNodeId !== null);
  const graphs = await load(partial);
  return new Map(
    partial.flatMap(({ id, untilNodeId }, index) => {
      const name = nodeDisplayName(graphs[index], untilNodeId ?? '');
      return name === undefined ? [] : [[id, name]];
    }),
  );
}

/** Reads the values that `READ_EXECUTION_SQL` omits; large ones stay text. */
async function loadLargeValues(row: ExecutionReportRow, maxBytes: number): Promise<void> {
  const large = new Map(row.results.flatMap((result) => (result.is_large ? [[result.node_id, result]] : [])));
  const hasInput = maxBytes > 0 && row.input_bytes > IN_MEMORY_OUTPUT_LIMIT;
  const hasOutput = maxBytes > 0 && (row.output_bytes ?? 0) > IN_MEMORY_OUTPUT_LIMIT;
  if (!hasInput && !hasOutput && large.size === 0) return;
  const values = [row.id, hasInput, hasOutput, [...large.keys()]];
  for (const { path, part, value } of await readLargeValues({
    name: 'engine.read-large',
    source: LARGE_VALUES,
    values,
  })) {
    const result = path === '' ? undefined : large.get(path);
    if (part === 'input') row.input = value;
    else if (part === 'held' && result) result.held = value as StoredStateRow['held'];
    else if (part === 'output') (result ?? row).output = value;
  }
}

const toIsoTime = (date: Date | null) => date?.toISOString();

function listNodeResults({ row, graph, states }: LoadedExecution): NodeResult[] {
  if (!graph || row.data_removed_at) return [];
  const skipped = new Set(planNextNodes(graph, states).skipped);
  const statusWithoutState = (isSkipped: boolean) => (isSkipped || isFinalStatus(row.status) ? 'skipped' : 'pending');
  const graphScope = createOuterScope(graph, row.input, states);
  const bytes = new Map(row.results.map((result) => [result.node_id, result.bytes]));
  let remaining = MAX_REPORTED_VALUE_BYTES;
  const withInput = (state: NodeState, instance: NodeInstance | undefined): NodeResult => {
    const output = bytes.get(state.path);
    const { size, isPartial } = instance
      ? estimateInputSize(instance, states, bytes, row.input_bytes)
      : EMPTY_INPUT_SIZE;
    if (isPartial || size > remaining) return toNodeResult(state, { input: size, output });
    remaining -= size;
    return { ...toNodeResult(state, { output }), input: instance && resolveNodeInput(instance, states, row.override) };
  };
  const outer = [...graph.byId.values()].map((node): NodeResult => {
    const state = states.get(node.id);
    if (!state) return { nodeId: node.id, status: statusWithoutState(skipped.has(node)), error: null, attempts: 0 };
    return withInput(state, createNodeInstance(graphScope, node));
  });
  const inner = [...states.values()]
    .filter(({ path }) => !graph.byId.has(path))
    .toSorted((a, b) => nodePathCollator.compare(a.path, b.path))
    .map((state) => withInput(state, findNodeInstance(graphScope, state.path, states)));
  return [...outer, ...inner];
}

/** Round 2 comes before round 10. */
const nodePathCollator = new Intl.Collator('en', { numeric: true });

const EMPTY_INPUT_SIZE = { size: 0, isPartial: false };

/** Approximate size of a node's input in bytes, and whether a part of it is not loaded. */
function estimateInputSize(
  instance: NodeInstance,
  states: NodeStates,
  bytes: ReadonlyMap<string, number>,
  ofRun: number,
) {
  const { graphNode: node, graphScope } = instance;
  if (node.isRoot && !graphScope.isRepeated) {
    const owner = states.get(graphScope.owner?.path ?? '');
    const ofLoop = Math.ceil((bytes.get(owner?.path ?? '') ?? 0) / (readLoopRounds(owner)?.count ?? 1));
    return {
      size: graphScope.owner ? ofLoop : ofRun,
      isPartial: graphScope.owner !== null && graphScope.input === undefined,
    };
  }
  const senders = findDeliveredStates(instance, states);
  const size = senders.reduce((sum, { path }) => sum + (bytes.get(path) ?? 0), 0);
  return { size, isPartial: senders.some(isOutputOffloaded) };
}

/** A node's result without its input. `input`: the bytes of an input that is omitted because of its size. */
export function toNodeResult(
  state: NodeState,
  { input, output }: { input?: number; output?: number } = {},
): NodeResult {
  const isDone = state.status === 'completed';
  const isOutputOmitted = isOutputOffloaded(state);
  const omitted = [...(input === undefined ? [] : ['input' as const]), ...(isOutputOmitted ? ['output' as const] : [])];
  return {
    nodeId: state.path,
    status: toStoredStatus(state),
    startedAt: toIsoTime(state.startedAt),
    completedAt: isNodeFinished(state) ? toIsoTime(state.completedAt) : undefined,
    output: isDone && !isOutputOmitted ? state.output : undefined,
    omitted: omitted.length > 0 ? omitted : undefined,
    omittedBytes: omitted.length > 0 ? { input, output: isOutputOmitted ? output : undefined } : undefined,
    error: currentNodeError(state),
    attempts: state.attemptNumber,
    tries: state.attempts.length > 0 ? [...state.attempts] : undefined,
    port: takenOutputPort(state) ?? undefined,
    asked: toDecisionPrompt(state),
    childExecutionId: startedChildId(state),
  };
}

/** A snapshot of an execution with every node of its version; null: the workspace has no such execution. */
export async function readExecutionReport(workspaceId: string, id: string): Promise<ExecutionResponse | null> {
  const found = await loadExecution(workspaceId, id, MAX_REPORTED_VALUE_BYTES);
  if (!found) return null;
  const { row } = found;
  const original = row.trigger === 'rerun' ? await findOriginalTriggers(workspaceId, [id]) : undefined;
  return {
    id: row.id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    status: row.status,
    trigger: row.trigger,
    triggeredBy: row.triggered_by,
    startedAt: row.started_at.toISOString(),
    completedAt: toIsoTime(row.completed_at),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    rerunOf: row.rerun_of,
    originalTrigger: original?.get(id),
    parentExecutionId: row.parent_id,
    untilNodeId: row.until_node,
    untilNodeName: row.until_node === null ? undefined : nodeDisplayName(found.graph, row.until_node),
    input: row.input,
    output: row.status === 'completed' ? row.output : undefined,
    error: row.error,
    dataRemovedAt: toIsoTime(row.data_removed_at),
    nodeResults: listNodeResults(found),
  };
}
