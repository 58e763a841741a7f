import { nodeDisplayName } from './node-names';
import type { RunError } from '@/contract/execution';
import type { LogEntry, LogLevel } from '@/contract/execution-log';
import { databasePool } from '@/server/platform/db/client';
import { loadExecution, type ExecutionReportRow } from './report';
import { countPortShares } from '../store/port-shares';
import {
  awaitsDecision,
  currentNodeError,
  isNodeFinished,
  takenOutputPort,
  takenPortShares,
  type NodeState,
} from '../store/state';

interface ReportedLogLine {
  at: Date;
  level: LogLevel;
  message: string;
  nodeId?: string;
  error?: RunError;
}

/** Log lines that are derived from a node's row. */
function nodeHistoryLines(
  state: NodeState,
  { created_at: at, rerun_of: before }: ExecutionReportRow,
): ReportedLogLine[] {
  const { path: nodeId, startedAt } = state;
  if (before && isNodeFinished(state) && state.completedAt < at) {
    return [{ at, level: 'info', message: `${nodeId}: reuses its result from ${before}`, nodeId }];
  }
  const lines: ReportedLogLine[] = [{ at: startedAt, level: 'info', message: `${nodeId}: started`, nodeId }];
  if (awaitsDecision(state)) {
    lines.push({ at: startedAt, level: 'info', message: `${nodeId}: waits for a decision`, nodeId });
  }
  if (!isNodeFinished(state)) return lines;
  const { completedAt } = state;
  const error = currentNodeError(state);
  if (!error)
    lines.push({
      at: completedAt,
      level: 'info',
      message: `${nodeId}: completed ${describeTakenPorts(state)}`,
      nodeId,
    });
  else
    lines.push({
      at: completedAt,
      level: 'error',
      message: `${nodeId}: failed with ${error.code}: ${error.message}`,
      nodeId,
      error,
    });
  return lines;
}

function describeTakenPorts(state: NodeState): string {
  const shares = takenPortShares(state);
  if (!shares) return `by "${takenOutputPort(state)}"`;
  const counts = Object.entries(countPortShares(shares));
  return counts.length === 0
    ? 'without items'
    : `by ${counts.map(([port, count]) => `"${port}" (${count})`).join(', ')}`;
}

/**
 * Returns an execution's log, oldest first: lines derived from its rows, and lines that its nodes wrote. With `nodeId`,
 * only the lines of that node. Null: the workspace has no such execution.
 */
export async function readExecutionLog(workspaceId: string, id: string, nodeId?: string): Promise<LogEntry[] | null> {
  const found = await loadExecution(workspaceId, id, 0);
  if (!found) return null;
  const { row, graph, states } = found;
  const written = await databasePool().query<{ at: Date; level: LogLevel; message: string; node_id: string | null }>({
    name: 'engine.logs',
    text: 'SELECT timestamp AS at, level, message, node_id FROM log_entry WHERE execution_id = $1 ORDER BY id',
    values: [id],
  });
  const nodeLines = written.rows.map(({ node_id, ...line }): ReportedLogLine => ({
    ...line,
    nodeId: node_id ?? undefined,
  }));
  const order = new Map(graph?.nodes.map((node, index) => [node.id, index]));
  const nodes = [...states.values()].toSorted(
    (a, b) => (order.get(a.path) ?? Infinity) - (order.get(b.path) ?? Infinity),
  );

  const lines: ReportedLogLine[] = [
    { at: row.created_at, level: 'info', message: `The run was accepted (${row.trigger})` },
  ];
  // Lines of the same millisecond keep the order of this list: a node's start, its lines, its end.
  for (const state of nodes) {
    const stateLines = nodeHistoryLines(state, row);
    const ends = isNodeFinished(state) ? stateLines.splice(-1) : [];
    lines.push(...stateLines, ...nodeLines.filter((line) => line.nodeId === state.path), ...ends);
  }
  lines.push(...nodeLines.filter((line) => line.nodeId === undefined || !states.has(line.nodeId)));
  if (row.completed_at) lines.push(runEndLine(row.completed_at, row.error));
  return lines
    .filter((line) => nodeId === undefined || line.nodeId === nodeId)
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, ...line }) => ({
      timestamp: at.toISOString(),
      ...line,
      nodeName: line.nodeId === undefined ? undefined : nodeDisplayName(graph, line.nodeId),
    }));
}

const runEndLine = (at: Date, error: RunError | null): ReportedLogLine =>
  error
    ? { at, level: 'error', message: `The run failed with ${error.code}: ${error.message}`, error }
    : { at, level: 'info', message: 'The run has completed' };
