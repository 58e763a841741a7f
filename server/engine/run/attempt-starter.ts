import { runAttempt } from '../attempt/attempt';
import { failedOutcome, type AttemptOutcome } from '../attempt/outcome';
import type { AttemptScope } from '../attempt/context';
import { referenceData, type ReferenceData } from '../attempt/reference-data';
import { readCall } from '../queue/calls';
import type { ClaimedRun } from '../queue/claim';
import { attemptOf, roundsOf, triedAt, type NodeState } from '../store/state';
import type { MaybePromise } from '@/server/maybe-promise';
import type { NodeInstance } from './frame';
import type { InputResolver, ResolvedInput } from './input-resolver';
import { outsideReferences } from './large-values';
import { resumeUrls } from './resume-urls';
import type { Stoppable } from './stop';

/** Starts attempts of the nodes of one run, with everything that they read. */
export class AttemptStarter {
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly inputs: InputResolver,
    private readonly scope: AttemptScope,
  ) {}

  /** `resolved` null: the input has to be loaded. `previous`: the state before the attempt. */
  start(
    resolved: ResolvedInput | null,
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): MaybePromise<AttemptOutcome> {
    if (!resolved) return this.startWithLoadedInput(instance, until, previous);
    // A retried loop keeps its rounds.
    if (previous && roundsOf(previous)) return { kind: 'rounds', held: previous.held, heldJson: null } as const;
    const data = referenceData(outsideReferences(instance.node), this.claimed, until);
    const attempt = (read: ReferenceData) => this.startWithData(resolved, read, instance, until, previous);
    if (!(data instanceof Promise)) return attempt(data);
    return data.then(attempt, (error: unknown) => failedOutcome(error, this.scope.redactor));
  }

  private async startWithLoadedInput(
    instance: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ): Promise<AttemptOutcome> {
    try {
      const resolved = await this.inputs.resolveLarge(instance, until.signal);
      return await Promise.resolve(this.start(resolved, instance, until, previous)).finally(resolved.release);
    } catch (error) {
      return failedOutcome(error, this.scope.redactor);
    }
  }

  private startWithData(
    resolved: ResolvedInput,
    { vars, timeZone }: ReferenceData,
    { node, path, frame }: NodeInstance,
    until: Stoppable,
    previous: NodeState | undefined,
  ) {
    const { id, workflowId, trigger, decisions, calls } = this.claimed;
    const { input, nodes, runInput } = resolved;
    const execution = { id, workflowId, input: runInput, trigger, resumeUrls: resumeUrls(id, frame) };
    return runAttempt({
      run: this.scope,
      node,
      path,
      attempt: attemptOf(previous),
      scope: { input, nodes, execution, vars },
      timeZone,
      until,
      decision: decisions.get(path),
      call: calls.has(path) ? { read: () => readCall({ executionId: id, nodeId: path }, until.signal) } : undefined,
      waitingSince: previous?.isWaiting && !previous.error ? triedAt(previous) : undefined,
      child: resolved.child,
    });
  }
}
