import type { RunError } from '@/contract/execution';
import { timeOf } from '@/server/db/ids';
import { log } from '@/server/log';
import { countRun, type RunResult } from '@/server/meters/meters';
import { runtime } from '@/server/runtime';
import type { Span } from '@/server/tracing/tracing';
import type { AttemptOutcome } from '../attempt/outcome';
import type { ClaimedRun } from '../queue/claim';
import type { NodeState } from '../store/state';
import { nextAttemptNumber } from '../store/transitions';
import { countedResult } from './endings';
import { nodeTypeLabel, type NodeInstance } from './graph-scope';

const factsOf = ({ id, workflowId, workspaceId, workflowVersion, trigger }: ClaimedRun) => ({
  executionId: id,
  workflowId,
  workspaceId,
  version: workflowVersion,
  trigger: trigger.kind,
});

/** Notes that a worker has a run now: at first, or again after a wait or a crash. Returns its span, if traces are exported. */
export function noteStart(run: ClaimedRun): Span | undefined {
  const { env, tracing } = runtime();
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
    timeOf(run.id),
  );
  if (env.isRunLogged) {
    const isResumed = run.states.length > 0 || undefined;
    log().info({ ...factsOf(run), isResumed, traceId: span?.traceId }, 'run started');
  }
  return span;
}

/** Counts a run whose end is stored, writes its line of the log and exports its span. */
export function noteEnd(run: ClaimedRun, error: RunError | null): void {
  const result: RunResult = countedResult(error);
  countRun(run.workflowId, result);
  run.span?.end({ attributes: { 'weft.result': result }, error: error?.code });
  if (!runtime().env.isRunLogged) return;
  const ms = Date.now() - timeOf(run.id);
  const facts = { ...factsOf(run), result, code: error?.code, nodeId: error?.nodeId ?? undefined };
  log().info({ ...facts, ms, traceId: run.span?.traceId }, 'run ended');
}

/** The span of an attempt of a node. */
export const startAttemptSpan = (
  parent: Span,
  { node, path }: NodeInstance,
  previous: NodeState | undefined,
): Span | undefined =>
  runtime().tracing?.start({
    name: `node ${nodeTypeLabel(node)}`,
    kind: 'internal',
    parent,
    attributes: {
      'weft.node.id': path,
      'weft.node.type': nodeTypeLabel(node),
      'weft.attempt': nextAttemptNumber(previous),
    },
  });

export const endSpan = (span: Span, outcome: AttemptOutcome): void =>
  span.end({
    attributes: { 'weft.outcome': outcome.kind },
    error: outcome.kind === 'failed' ? outcome.code : undefined,
  });
