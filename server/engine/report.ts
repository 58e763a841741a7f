import type {
  Execution,
  ExecutionStatus,
  LogEntry,
  LogLevel,
  NodeResult,
  RunError,
  Trigger,
} from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { pool } from '../db/client';
import { nodeKinds } from '../nodes';
import type { Override } from './claim';
import { inputAt, outerFrame, spotAt, spotIn, type Spot } from './frame';
import type { Graph } from './graph';
import { isSettled, plan } from './plan';
import { askedOf, childOf, roundsOf, stateOf, type NodeState, type StateRow, type States } from './state';
import { versionLoader } from './versions';

interface Row {
  id: string;
  workflow_id: string;
  workflow_version: number;
  until_node: string | null;
  status: ExecutionStatus;
  trigger: Trigger;
  input: unknown;
  output: unknown;
  error: RunError | null;
  created_by: string | null;
  created_at: Date;
  started_at: Date;
  completed_at: Date | null;
  rerun_of: string | null;
  parent_id: string | null;
  override: Override | null;
  input_bytes: number;
  results: (StateRow & { bytes: number })[];
}

/** Bytes of outputs, and again of inputs, that one answer holds; the smallest come first. */
const MAX_SHOWN = 16 * 1024 * 1024;

/** One statement, so that the execution and its nodes are of the same moment. */
const READ = `
SELECT id, workflow_id, workflow_version, until_node, status, trigger, input, output, error, created_by, created_at, started_at,
  completed_at, rerun_of, parent_id, override, octet_length(input::text) AS input_bytes,
  (SELECT coalesce(json_agg(json_build_object('node_id', node_id, 'status', status, 'port', port, 'attempts', attempts, 'tries', tries,
    'output', CASE WHEN so_far <= $3 THEN output END, 'error', error, 'started_at', started_at, 'completed_at', completed_at,
    'wake_at', wake_at, 'held', CASE WHEN so_far <= $3 THEN held END, 'is_away', so_far > $3, 'bytes', bytes)), '[]')
    FROM (SELECT sized.*, sum(bytes) OVER (ORDER BY bytes, node_id) AS so_far FROM
      (SELECT *, coalesce(large_bytes, octet_length(output::text), 0) + coalesce(octet_length(held::text), 0) AS bytes
        FROM node_result WHERE execution_id = execution.id) sized) counted) AS results
FROM execution WHERE id = $1 AND workspace_id = $2`;

const load = versionLoader(new Map(nodeKinds.map((kind) => [kind.type, kind])));

export interface Read {
  row: Row;
  graph: Graph | undefined;
  states: States;
}

/** An execution with as many bytes of its nodes' outputs as are asked for; the others' are away. */
export async function read(workspaceId: string, id: string, maxBytes: number): Promise<Read | null> {
  const { rows } = await pool().query<Row>({ name: 'engine.read', text: READ, values: [id, workspaceId, maxBytes] });
  const [row] = rows;
  if (!row) return null;
  const { workflow_id: workflowId, workflow_version: workflowVersion, until_node: untilNodeId } = row;
  const [graph] = await load([{ workflowId, workflowVersion, untilNodeId }]);
  return { row, graph, states: new Map(row.results.map((result) => [result.node_id, stateOf(result)])) };
}

const time = (date: Date | null) => date?.toISOString();

function nodeResults({ row, graph, states }: Read): NodeResult[] {
  if (!graph) return [];
  const skipped = new Set(plan(graph, states).skipped);
  const untouched = (isSkipped: boolean) => (isSkipped || isFinal(row.status) ? 'skipped' : 'pending');
  const frame = outerFrame(graph, row.input, states);
  const bytes = new Map(row.results.map((result) => [result.node_id, result.bytes]));
  let left = MAX_SHOWN;
  const reached = (state: NodeState, spot: Spot | undefined): NodeResult => {
    const output = bytes.get(state.path);
    const { size, isAway } = spot ? inputBytes(spot, states, bytes, row.input_bytes) : NOTHING;
    if (isAway || size > left) return shown(state, { input: size, output });
    left -= size;
    return { ...shown(state, { output }), input: spot && inputAt(spot, states, row.override) };
  };
  const outer = [...graph.byId.values()].map((node): NodeResult => {
    const state = states.get(node.id);
    if (!state) return { nodeId: node.id, status: untouched(skipped.has(node)), error: null, attempts: 0 };
    return reached(state, spotIn(frame, node));
  });
  const inner = [...states.values()]
    .filter(({ path }) => !graph.byId.has(path))
    .toSorted((a, b) => byRound.compare(a.path, b.path))
    .map((state) => reached(state, spotAt(frame, state.path, states)));
  return [...outer, ...inner];
}

/** Round 2 comes before round 10. */
const byRound = new Intl.Collator('en', { numeric: true });

const NOTHING = { size: 0, isAway: false };

/** Bytes of what comes in at a node, roughly, and whether some of it is away. */
function inputBytes({ node, frame }: Spot, states: States, bytes: ReadonlyMap<string, number>, ofRun: number) {
  if (node.isRoot) {
    const owner = states.get(frame.owner?.path ?? '');
    const ofLoop = Math.ceil((bytes.get(owner?.path ?? '') ?? 0) / (roundsOf(owner)?.count ?? 1));
    return { size: frame.owner ? ofLoop : ofRun, isAway: false };
  }
  const senders = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(frame.prefix + source.id);
    return state && isSettled(state) && state.port === port ? [state] : [];
  });
  const size = senders.reduce((sum, { path }) => sum + (bytes.get(path) ?? 0), 0);
  return { size, isAway: senders.some(({ isAway }) => isAway) };
}

/** A node's result without its input. `input`: the bytes of one that is left out for its size. */
export function shown(state: NodeState, { input, output }: { input?: number; output?: number } = {}): NodeResult {
  const isDone = state.status === 'completed';
  const isOutputOmitted = isDone && state.isAway;
  const omitted = [...(input === undefined ? [] : ['input' as const]), ...(isOutputOmitted ? ['output' as const] : [])];
  return {
    nodeId: state.path,
    status: state.status,
    startedAt: time(state.startedAt),
    completedAt: time(state.completedAt),
    output: isDone && !state.isAway ? state.output : undefined,
    omitted: omitted.length > 0 ? omitted : undefined,
    omittedBytes: omitted.length > 0 ? { input, output: isOutputOmitted ? output : undefined } : undefined,
    error: state.error,
    attempts: state.attempts,
    tries: state.tries.length > 0 ? state.tries : undefined,
    port: state.port ?? undefined,
    asked: askedOf(state),
    childExecutionId: childOf(state),
  };
}

/** An execution with every node that it is to run, as of one moment; null: the workspace has no such execution. */
export async function readExecution(workspaceId: string, id: string): Promise<Execution | null> {
  const found = await read(workspaceId, id, MAX_SHOWN);
  if (!found) return null;
  const { row } = found;
  return {
    id: row.id,
    workflowId: row.workflow_id,
    workflowVersion: row.workflow_version,
    status: row.status,
    trigger: row.trigger,
    startedAt: row.started_at.toISOString(),
    completedAt: time(row.completed_at),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    rerunOf: row.rerun_of,
    parentExecutionId: row.parent_id,
    untilNodeId: row.until_node,
    input: row.input,
    output: row.status === 'completed' ? row.output : undefined,
    error: row.error,
    nodeResults: nodeResults(found),
  };
}

interface Line {
  at: Date;
  level: LogLevel;
  message: string;
  nodeId?: string;
}

/** What a node's own row tells. */
function history(state: NodeState, { created_at: at, rerun_of: before }: Row): Line[] {
  const { path: nodeId, startedAt, completedAt, error } = state;
  if (before && completedAt && completedAt < at) {
    return [{ at, level: 'info', message: `${nodeId}: its result in ${before} stands`, nodeId }];
  }
  const lines: Line[] = [{ at: startedAt, level: 'info', message: `${nodeId}: started`, nodeId }];
  if (state.status === 'paused') {
    lines.push({ at: startedAt, level: 'info', message: `${nodeId}: waits for a decision`, nodeId });
  }
  if (!completedAt) return lines;
  if (!error)
    lines.push({ at: completedAt, level: 'info', message: `${nodeId}: completed by "${state.port}"`, nodeId });
  else
    lines.push({
      at: completedAt,
      level: 'error',
      message: `${nodeId}: failed with ${error.code}: ${error.message}`,
      nodeId,
    });
  return lines;
}

/**
 * An execution's log, oldest first: what its rows tell of its course, and what its nodes wrote. With `nodeId` only
 * that node's lines. Null: the workspace has no such execution.
 */
export async function readLogs(workspaceId: string, id: string, nodeId?: string): Promise<LogEntry[] | null> {
  const found = await read(workspaceId, id, 0);
  if (!found) return null;
  const { row, graph, states } = found;
  const written = await pool().query<{ at: Date; level: LogLevel; message: string; node_id: string | null }>({
    name: 'engine.logs',
    text: 'SELECT timestamp AS at, level, message, node_id FROM log_entry WHERE execution_id = $1 ORDER BY id',
    values: [id],
  });
  const own = written.rows.map(({ node_id, ...line }): Line => ({ ...line, nodeId: node_id ?? undefined }));
  const order = new Map(graph?.nodes.map((node, index) => [node.id, index]));
  const nodes = [...states.values()].toSorted(
    (a, b) => (order.get(a.path) ?? Infinity) - (order.get(b.path) ?? Infinity),
  );

  const lines: Line[] = [{ at: row.created_at, level: 'info', message: `The run was accepted (${row.trigger})` }];
  // Within a millisecond the order of this list decides: a node's start, its own lines, its end.
  for (const state of nodes) {
    const told = history(state, row);
    const ends = isSettled(state) ? told.splice(-1) : [];
    lines.push(...told, ...own.filter((line) => line.nodeId === state.path), ...ends);
  }
  lines.push(...own.filter((line) => line.nodeId === undefined || !states.has(line.nodeId)));
  if (row.completed_at) lines.push(ending(row.completed_at, row.error));
  return lines
    .filter((line) => nodeId === undefined || line.nodeId === nodeId)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, ...line }) => ({ timestamp: at.toISOString(), ...line }));
}

const ending = (at: Date, error: RunError | null): Line =>
  error
    ? { at, level: 'error', message: `The run failed with ${error.code}: ${error.message}` }
    : { at, level: 'info', message: 'The run has completed' };
