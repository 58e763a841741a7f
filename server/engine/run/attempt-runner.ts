import { answerWriter } from '../attempt/answer-writer';
import { executeAttempt } from '../attempt/attempt';
import { failedOutcome, type AttemptOutcome } from '../attempt/outcome';
import type { Attempt, AttemptScope } from '../attempt/context';
import { referenceData, type ReferenceData } from '../attempt/reference-data';
import { readCall } from '../queue/calls';
import type { ClaimedRun } from '../queue/claim';
import { awaitsRetry, type NodeState } from '../store/state';
import { nextAttemptNumber, waitingSince } from '../store/transitions';
import { nodeTypeLabel, writesAnswer, type NodeInstance } from './graph-scope';
import type { InputResolver, ResolvedInput } from './values/input-resolver';
import type { MaybePromise } from '@/server/maybe-promise';
import { meters } from '@/server/meters/meters';
import { outsideReferences } from './values/node-references';
import type { Span } from '@/server/tracing/tracing';
import { endSpan, startAttemptSpan } from './observe';
import { resumeUrls } from './resume-urls';
import type { Stoppable } from '../load/stop';

/** Runs single attempts of a run's nodes, each with all that it reads. Decides nothing about the run. */
export class AttemptRunner {
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly inputs: InputResolver,
    private readonly scope: AttemptScope,
  ) {}

  /** `resolved`: null if values have to be loaded. Synchronous if nothing has to be awaited; never throws or rejects. */
  execute(
    resolved: ResolvedInput | null,
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): MaybePromise<AttemptOutcome> {
    const startedAt = performance.now();
    const span = this.claimed.span && startAttemptSpan(this.claimed.span, instance, previous);
    const outcome = span
      ? span.run(() => this.attempt(resolved, instance, until, previous))
      : this.attempt(resolved, instance, until, previous);
    if (outcome instanceof Promise) return outcome.then((one) => noteAttempt(instance, one, startedAt, span));
    return noteAttempt(instance, outcome, startedAt, span);
  }

  private attempt(
    resolved: ResolvedInput | null,
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): MaybePromise<AttemptOutcome> {
    if (!resolved) return this.attemptWithLoadedInput(instance, until, previous);
    // A retried loop keeps its rounds.
    if (awaitsRetry(previous) && previous.resumeData)
      return { kind: 'rounds', resumeData: previous.resumeData, resumeJson: null };
    const data = referenceData(outsideReferences(instance.node), this.claimed, until);
    if (!(data instanceof Promise)) return executeAttempt(this.describe(resolved, data, instance, until, previous));
    return data.then(
      (read) => executeAttempt(this.describe(resolved, read, instance, until, previous)),
      (error: unknown) => failedOutcome(error, this.scope.redactor),
    );
  }

  private async attemptWithLoadedInput(
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): Promise<AttemptOutcome> {
    try {
      const resolved = await this.inputs.resolveLarge(instance, until.signal);
      return await Promise.resolve(this.attempt(resolved, instance, until, previous)).finally(resolved.release);
    } catch (error) {
      return failedOutcome(error, this.scope.redactor);
    }
  }

  /** The attempt, with all that it reads. */
  private describe(
    resolved: ResolvedInput,
    { vars, timeZone }: ReferenceData,
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): Attempt {
    const { node, path, graphScope } = instance;
    const { id, workflowId, trigger, decisions, calls } = this.claimed;
    const { input, nodes, runInput } = resolved;
    const execution = { id, workflowId, input: runInput, trigger, resumeUrls: resumeUrls(id, graphScope) };
    return {
      run: this.scope,
      node,
      path,
      attemptNumber: nextAttemptNumber(previous),
      scope: { input, nodes, execution, vars },
      timeZone,
      until,
      decision: decisions.get(path),
      call: calls.has(path) ? { read: () => readCall({ executionId: id, nodeId: path }, until.signal) } : undefined,
      waitingSince: waitingSince(previous),
      child: resolved.child,
      round: resolved.round,
      showText: trigger.kind === 'chat' && writesAnswer(instance) ? answerWriter(id, this.scope.redactor) : undefined,
    };
  }
}

/** Counts an attempt that has finished; a node that waits has not. */
function noteAttempt(
  { node }: NodeInstance,
  outcome: AttemptOutcome,
  startedAt: number,
  span: Span | undefined,
): AttemptOutcome {
  if (span) endSpan(span, outcome);
  const { kind } = outcome;
  if (kind === 'wait' || kind === 'rounds') return outcome;
  meters.nodeSeconds.observe((performance.now() - startedAt) / 1000, nodeTypeLabel(node));
  return outcome;
}
