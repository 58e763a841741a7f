import { createReplyWriter } from '../attempt/answer-writer';
import { executeAttempt } from '../attempt/attempt';
import { toFailedOutcome, type AttemptOutcome } from '../attempt/outcome';
import type { AttemptDetails, AttemptScope } from '../attempt/context';
import { readReferenceData, type NodeReferenceData } from '../attempt/reference-data';
import { readReceivedCall } from '../queue/calls';
import type { ClaimedRun } from '../queue/claim';
import { awaitsRetry, type NodeState } from '../store/state';
import { nextAttemptNumber, nodeWaitingSince } from '../store/transitions';
import { nodeTypeLabel, writesCallerResponse, type NodeInstance } from './graph-scope';
import type { InputResolver, ResolvedInput } from './values/input-resolver';
import type { PreludeFacts } from '@/server/evaluation/expressions/scope';
import type { MaybePromise } from '@/server/platform/timers/maybe-promise';
import { getRuntime } from '@/server/platform/runtime';
import { processMeters } from '@/server/platform/counters/meters';
import { findOutsideReferences } from './values/node-references';
import type { TraceSpan } from '@/server/platform/tracing/tracing';
import { endAttemptSpan, startAttemptSpan } from './run-records';
import { buildResumeUrls } from './resume-urls';
import type { StoppableWork } from '../load/stop';

/** Runs single attempts of a run's nodes, each with all that it reads. Decides nothing about the run. */
export class AttemptRunner {
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly inputs: InputResolver,
    private readonly attemptScope: AttemptScope,
  ) {}

  /**
   * `resolved`: null if values have to be loaded. Synchronous if nothing has to be awaited; never throws or rejects.
   */
  execute(
    resolved: ResolvedInput | null,
    instance: NodeInstance,
    until: StoppableWork,
    previous: NodeState | undefined,
  ): MaybePromise<AttemptOutcome> {
    const startedAt = performance.now();
    const span = this.claimed.span && startAttemptSpan(this.claimed.span, instance, previous);
    const outcome = span
      ? span.run(() => this.executeResolved(resolved, instance, until, previous))
      : this.executeResolved(resolved, instance, until, previous);
    if (outcome instanceof Promise) return outcome.then((one) => recordAttempt(instance, one, startedAt, span));
    return recordAttempt(instance, outcome, startedAt, span);
  }

  private executeResolved(
    resolved: ResolvedInput | null,
    instance: NodeInstance,
    until: StoppableWork,
    previous: NodeState | undefined,
  ): MaybePromise<AttemptOutcome> {
    if (!resolved) return this.executeWithLoadedInput(instance, until, previous);
    // A retried loop keeps its rounds.
    if (awaitsRetry(previous) && previous.resumeData)
      return { kind: 'rounds', resumeData: previous.resumeData, resumeJson: null };
    const data = readReferenceData(findOutsideReferences(instance.graphNode), this.claimed, until);
    if (!(data instanceof Promise))
      return executeAttempt(this.describeAttempt(resolved, data, instance, until, previous));
    return data.then(
      (read) => executeAttempt(this.describeAttempt(resolved, read, instance, until, previous)),
      (error: unknown) => toFailedOutcome(error, this.attemptScope.redactor),
    );
  }

  private async executeWithLoadedInput(
    instance: NodeInstance,
    until: StoppableWork,
    previous: NodeState | undefined,
  ): Promise<AttemptOutcome> {
    try {
      const resolved = await this.inputs.resolveLarge(instance, until.signal);
      return await Promise.resolve(this.executeResolved(resolved, instance, until, previous)).finally(resolved.release);
    } catch (error) {
      return toFailedOutcome(error, this.attemptScope.redactor);
    }
  }

  /** The attempt, with all that it reads. */
  private describeAttempt(
    resolved: ResolvedInput,
    { vars, timeZone }: NodeReferenceData,
    instance: NodeInstance,
    until: StoppableWork,
    previous: NodeState | undefined,
  ): AttemptDetails {
    const { graphNode: node, path, graphScope } = instance;
    const { id, workflowId, trigger, decisions, calledPaths: calls } = this.claimed;
    const { input, nodes, runInput, item, pairing } = resolved;
    const execution = { id, workflowId, input: runInput, trigger, resumeUrls: buildResumeUrls(id, graphScope) };
    return {
      run: this.attemptScope,
      node,
      path,
      attemptNumber: nextAttemptNumber(previous),
      scope: { input, nodes, execution, vars, ...item, ...describePrelude(instance, this.claimed) },
      timeZone,
      until,
      decision: decisions.get(path),
      call: calls.has(path)
        ? { read: () => readReceivedCall({ executionId: id, nodeId: path }, until.signal) }
        : undefined,
      waitingSince: nodeWaitingSince(previous),
      child: resolved.child,
      round: resolved.round,
      pairing,
      showText:
        trigger.kind === 'chat' && writesCallerResponse(instance)
          ? createReplyWriter(id, this.attemptScope.redactor)
          : undefined,
    };
  }
}

/** What the names of a prelude say about a node. */
export function describePrelude(
  { graphNode: { names, id, incoming, itemOf }, graphScope }: NodeInstance,
  run: Pick<ClaimedRun, 'workflowId'> & { trigger: Pick<ClaimedRun['trigger'], 'kind'> },
) {
  if (!names) return {};
  // The node of an item has no id: that of its loop is its own.
  const owner = itemOf ? graphScope.owner : null;
  const own = owner?.graphNode.id ?? id;
  const [previous] = (owner?.graphNode.incoming ?? incoming).map(({ source }) => names.byId.get(source.id) ?? null);
  const prelude: PreludeFacts = {
    names: names.ids,
    node: names.byId.get(own) ?? '',
    previous: previous ?? null,
    workflow: { id: run.workflowId, name: null },
    serviceUrl: getRuntime().env.apiBaseUrl,
    round: (owner?.graphScope ?? graphScope).index,
    isTest: run.trigger.kind === 'manual',
  };
  return { prelude };
}

/** Counts an attempt that has finished; a node that waits has not. */
function recordAttempt(
  { graphNode: node }: NodeInstance,
  outcome: AttemptOutcome,
  startedAt: number,
  span: TraceSpan | undefined,
): AttemptOutcome {
  if (span) endAttemptSpan(span, outcome);
  const { kind } = outcome;
  if (kind === 'wait' || kind === 'rounds') return outcome;
  processMeters.nodeSeconds.observe((performance.now() - startedAt) / 1000, nodeTypeLabel(node));
  return outcome;
}
