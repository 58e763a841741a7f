import type { RunError } from '@/contract/execution';
import { orderedIdTime } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { countEndedRun, type RunResult } from '@/server/platform/counters/meters';
import { getRuntime } from '@/server/platform/runtime';
import type { TraceSpan } from '@/server/platform/tracing/tracing';
import type { AttemptOutcome } from '../attempt/outcome';
import type { ClaimedRun } from '../queue/claim';
import type { NodeState } from '../store/state';
import { nextAttemptNumber } from '../store/transitions';
import { classifyRunResult } from './run-errors';
import { nodeTypeLabel, type NodeInstance } from './graph-scope';

const runLogFields = ({ id, workflowId, workspaceId, workflowVersion, trigger }: ClaimedRun) => ({
  executionId: id,
  workflowId,
  workspaceId,
  version: workflowVersion,
  trigger: trigger.kind,
});

/**
 * Logs that a worker has taken a run: for the first time, or again after a wait or a crash. Returns its span if traces
 * are exported.
 */
export function recordRunStart(run: ClaimedRun): TraceSpan | undefined {
  const { env, tracing } = getRuntime();
  const span = tracing?.startStored(
    {
      name: 'run',
      kind: 'consumer',
      parent: run.traceParent,
      attributes: {
        'weft.execution.id': run.id,
        'weft.workflow.id': run.workflowId,
        'weft.workflow.version': run.workflowVersion,
        'weft.workspace.id': run.workspaceId,
        'weft.trigger': run.trigger.kind,
      },
    },
    run.id,
    orderedIdTime(run.id),
  );
  if (env.isRunLogged) {
    const isResumed = run.states.length > 0 || undefined;
    serviceLog().info({ ...runLogFields(run), isResumed, traceId: span?.traceId }, 'run started');
  }
  return span;
}

/** Counts a run whose end is stored, writes its line of the log and exports its span. */
export function recordRunEnd(run: ClaimedRun, error: RunError | null): void {
  const result: RunResult = classifyRunResult(error);
  countEndedRun(run.workflowId, result);
  run.span?.end({ attributes: { 'weft.result': result }, error: error?.code });
  if (!getRuntime().env.isRunLogged) return;
  const ms = Date.now() - orderedIdTime(run.id);
  const facts = { ...runLogFields(run), result, code: error?.code, nodeId: error?.nodeId ?? undefined };
  serviceLog().info({ ...facts, ms, traceId: run.span?.traceId }, 'run ended');
}

/** Starts the span of an attempt of a node; undefined if traces are not exported. */
export const startAttemptSpan = (
  parent: TraceSpan,
  { graphNode: node, path }: NodeInstance,
  previous: NodeState | undefined,
): TraceSpan | undefined =>
  getRuntime().tracing?.start({
    name: `node ${nodeTypeLabel(node)}`,
    kind: 'internal',
    parent,
    attributes: {
      'weft.node.id': path,
      'weft.node.type': nodeTypeLabel(node),
      'weft.attempt': nextAttemptNumber(previous),
    },
  });

export const endAttemptSpan = (span: TraceSpan, outcome: AttemptOutcome): void =>
  span.end({
    attributes: { 'weft.outcome': outcome.kind },
    error: outcome.kind === 'failed' ? outcome.code : undefined,
  });
