import { finishedNodeValue } from '../store/deliveries';
import type { RunError } from '@/contract/execution';
import { createNodeFailure } from '@/server/platform/errors/node-failure';
import { toFailedOutcome, type AttemptOutcome } from '../attempt/outcome';
import type { EndedChildRun } from '../queue/children';
import type { ClaimedRun } from '../queue/claim';
import { AttemptRunner } from './attempt-runner';
import { toLoopFailure, type FinishedLoop } from './cursor';
import { countNodeFailure } from '@/server/platform/counters/meters';
import { setField } from '@/server/evaluation/expressions/scope';
import { createChangeCommitter } from './change-committer';
import { nodeTypeLabel, type NodeInstance } from './graph-scope';
import { LoopOutputReader } from './loop-outputs';
import { IN_MEMORY_OUTPUT_LIMIT } from '../store/large-values';
import type { RunStateStore } from './ledger';
import { unwrittenResults } from '../load/memory';
import { SecretRedactor } from '../attempt/secret-redactor';
import { YieldTimer } from '@/server/platform/timers/cooperative';
import { chainAllValues, type MaybePromise } from '@/server/platform/timers/maybe-promise';
import type { RunTools } from './run-tools';
import { finishAttempt, type UncaughtFailure } from './finish';
import { InputResolver } from './values/input-resolver';
import { createRoundResultReader } from './values/round-results';
import { failInterruptedNode } from '../attempt/interruption';
import { InFlightNodes } from './in-flight-nodes';
import { StopController } from '../load/stop';
import type { PendingNodeRow } from '../store/rows';
import {
  awaitsDecision,
  awaitsRetry,
  isNodeFinished,
  isNodeWakeDue,
  largeOutputBytes,
  startedChildId,
  nodeWakeTime,
  type NodeState,
} from '../store/state';
import { toStartedState } from '../store/transitions';

/** The attempts of one run's nodes: which are due, which are in flight, and their outcomes. */
export class NodeAttempts {
  readonly redactor = new SecretRedactor();
  readonly inFlight: InFlightNodes;
  /** Set once a node has failed and no node handles its error. */
  failure: RunError | null = null;
  /** The ends of child runs for which nodes wait, by run id. */
  readonly childEnds = new Map<string, EndedChildRun>();
  /** True if a node no longer waits for its child run, which has to be cancelled. */
  hasUnwantedChildren = false;
  /** Failures that are not resolved yet. */
  private unresolvedFailures: ({ instance: NodeInstance } & UncaughtFailure)[] = [];
  private readonly stopping = new StopController();
  private readonly inputs: InputResolver;
  private readonly runner: AttemptRunner;
  readonly outputs: LoopOutputReader;

  /** `onArrival`: an outcome of an outside node has arrived. `writePending`: writes pending writes. */
  constructor(
    private readonly claimed: ClaimedRun,
    private readonly ledger: RunStateStore,
    tools: Pick<RunTools, 'children' | 'commitChange' | 'lease'>,
    onArrival: () => void,
    private readonly writePending: () => Promise<unknown>,
  ) {
    this.inFlight = new InFlightNodes(onArrival);
    this.inputs = new InputResolver(claimed, ledger, this.childEnds);
    this.outputs = new LoopOutputReader(this.inputs, ledger, writePending, this.stopping);
    this.runner = new AttemptRunner(claimed, this.inputs, {
      workspaceId: claimed.workspaceId,
      version: claimed,
      mocks: claimed.override?.mocks,
      pins: claimed.override?.pins,
      firstItemOf: claimed.override?.firstItemOf,
      redactor: this.redactor,
      attemptLog: ledger,
      lease: tools.lease,
      startChild: tools.children.createStarter(claimed),
      roundResults: createRoundResultReader(claimed.id, ledger),
      commitChange: createChangeCommitter(claimed, ledger, tools.commitChange),
    });
  }

  /** Aborts nodes in flight; their outcomes are ignored. */
  stop(): void {
    this.halt();
    this.ledger.releaseBacklog();
  }

  private halt(): void {
    this.inFlight.stop();
    this.ledger.releaseReservations();
    this.stopping.stop();
  }

  stateAt({ path }: NodeInstance): NodeState | undefined {
    return this.ledger.states.get(path);
  }

  /**
   * True for an open node that can continue: interrupted by a crash, due, its child has ended, or a decision was made.
   */
  isDue(instance: NodeInstance): boolean {
    const state = this.stateAt(instance);
    if (!state || this.inFlight.has(instance.path)) return false;
    const { decisions, calledPaths: calls } = this.claimed;
    const { path } = instance;
    const isAnswered = decisions.has(path) || calls.has(path) || this.childEnds.has(startedChildId(state) ?? '');
    return state.status === 'running' || isAnswered || isNodeWakeDue(state);
  }

  /** True for an approval without a decision, and for a wait without its call. It expires once it is due. */
  isExpiring(instance: NodeInstance): boolean {
    const state = this.stateAt(instance);
    if (state?.status !== 'waiting') return false;
    if (state.reason === 'decision') return !this.claimed.decisions.has(instance.path);
    return state.reason === 'call' && !this.claimed.calledPaths.has(instance.path);
  }

  /** True for a node whose start is written before its attempt. A decided approval is pure. */
  isOutside(instance: NodeInstance): boolean {
    return instance.graphNode.isOutside && !awaitsDecision(this.stateAt(instance));
  }

  /** The child runs for which nodes wait and whose end is unknown. */
  awaitedChildIds(): string[] {
    return [...this.ledger.states.values()].flatMap((state) => {
      const child = isNodeFinished(state) ? undefined : startedChildId(state);
      return child === undefined || this.childEnds.has(child) ? [] : [child];
    });
  }

  /**
   * Attempts pure nodes, as many as fit into one step; synchronous if no value has to be loaded. False: stopped
   * meanwhile.
   */
  executePureNodes(instances: NodeInstance[]): MaybePromise<boolean> {
    if (unwrittenResults.isFull && !this.ledger.hasPendingWrites)
      return unwrittenResults.waitUntilBelow().then(() => this.executePureNodes(instances));
    const applyAll = (results: AttemptOutcome[]) => {
      if (this.stopping.isStopped) return false;
      for (const [index, outcome] of results.entries())
        if (instances[index]) this.applyOutcome(instances[index], outcome);
      return true;
    };
    const results: MaybePromise<AttemptOutcome>[] = [];
    const yieldTimer = new YieldTimer();
    let characters = 0;
    for (const instance of instances) {
      const resolved = this.inputs.resolveInMemory(instance);
      // Loading waits until pending writes are below the high-water mark: this run writes its own first (else a
      // deadlock).
      if (!resolved && results.length > 0) break;
      if (!resolved && this.ledger.hasPendingWrites)
        return this.writePending().then(() => this.executePureNodes([instance]));
      const result = this.runner.execute(resolved, instance, this.stopping, this.stateAt(instance));
      results.push(result);
      characters += 'json' in result ? result.json.length : 0;
      if (characters > IN_MEMORY_OUTPUT_LIMIT || yieldTimer.isDue) break;
    }
    return chainAllValues(results, applyAll);
  }

  /** Records the start of an outside node; the returned function starts its attempt. */
  recordStart(instance: NodeInstance): () => void {
    const previous = this.stateAt(instance);
    this.ledger.putState(toStartedState(instance.path, previous));
    const go = (signal: AbortSignal) =>
      this.runner.execute(this.inputs.resolveInMemory(instance), instance, { signal }, previous);
    return () =>
      this.inFlight.begin(instance, (signal) => failInterruptedNode(instance.graphNode, previous) ?? go(signal));
  }

  /** Applies the outcomes of outside nodes. True: one of them waits for its child run. */
  applyArrivals(): boolean {
    const arrivals = this.inFlight.collect();
    for (const { instance, outcome } of arrivals) this.applyOutcome(instance, outcome);
    return arrivals.some(({ outcome }) => outcome.kind === 'wait' && outcome.resumeData?.kind === 'child');
  }

  /** Ends a loop with the outputs of its rounds. */
  async endLoop(loop: FinishedLoop): Promise<void> {
    const { instance } = loop;
    try {
      const purpose = () => ({ workspaceId: this.claimed.workspaceId, signal: this.stopping.signal });
      this.applyOutcome(instance, await this.outputs.readLoopOutcome(loop, this.redactor, purpose));
    } catch (error) {
      this.applyOutcome(instance, toFailedOutcome(error, this.redactor));
    }
  }

  /** Fails a loop with TIMEOUT and aborts its rounds. */
  timeOutLoop(instance: NodeInstance): void {
    // Only a loop with a time limit gets here.
    const { timeoutMs = 0 } = instance.graphNode.definition;
    const { code, message, by } = createNodeFailure('TIMEOUT', { subject: 'The node', timeoutMs });
    const error = { code, message, nodeId: instance.path, parameters: by.parameters };
    this.failLoop(instance, { error, isRetriable: true });
  }

  /** Propagates failures: a failure in a round fails its loop, and an uncaught failure fails the run. */
  resolveFailures(): void {
    for (let next = this.unresolvedFailures.shift(); next; next = this.unresolvedFailures.shift()) {
      const { owner } = next.instance.graphScope;
      if (!owner) this.failure ??= next.error;
      else if (!isNodeFinished(this.stateAt(owner))) {
        this.failLoop(owner, next);
        const loop = this.stateAt(owner);
        if (awaitsRetry(loop)) this.ledger.reopen(next.instance.path, nodeWakeTime(loop));
      }
    }
  }

  /** Reverts the outcome of a pure attempt. */
  revertOutcome(instance: NodeInstance, before: NodeState): void {
    this.ledger.restore(before);
    if (hasName(instance)) delete instance.graphScope.values[instance.graphNode.id];
    this.unresolvedFailures = this.unresolvedFailures.filter((failure) => failure.instance.path !== instance.path);
  }

  /** Ends all open nodes with the run. */
  closeAll(): void {
    this.halt();
    this.closeUnder('', 'Stopped, because the run had ended.');
  }

  /** Applies a failure to a loop and aborts its rounds, finally or until the next attempt. */
  private failLoop(loop: NodeInstance, failure: UncaughtFailure): void {
    if (awaitsRetry(this.stateAt(loop))) return;
    const below = `${loop.path}[`;
    this.inFlight.stop(below);
    this.applyOutcome(loop, toLoopFailure(failure));
    if (isNodeFinished(this.stateAt(loop))) this.closeUnder(below, 'Stopped, because the loop had failed.');
  }

  private closeUnder(prefix: string, message: string): void {
    for (const state of this.ledger.failOpenNodes(prefix, message))
      this.hasUnwantedChildren ||= this.abandonsChild(state);
  }

  /** True for a node that stops waiting for a child run whose end is unknown. */
  private abandonsChild(state: NodeState | undefined): boolean {
    const child = startedChildId(state);
    return child !== undefined && !this.childEnds.has(child);
  }

  private applyOutcome(instance: NodeInstance, outcome: AttemptOutcome): void {
    // Outcomes in the rounds of a loop that has ended are ignored.
    for (let { owner } = instance.graphScope; owner; { owner } = owner.graphScope)
      if (isNodeFinished(this.stateAt(owner))) return;
    if (outcome.kind === 'stored') return this.adopt(instance, outcome.row);
    const previous = this.stateAt(instance);
    const largest = instance.graphNode.part?.isKept ? IN_MEMORY_OUTPUT_LIMIT : this.ledger.offloadLimit;
    const finished = finishAttempt(instance.graphNode, instance.path, previous, outcome, largest);
    const { state, json, resumeJson, failure, warning } = finished;
    if (outcome.kind === 'done' && outcome.answer) this.ledger.respondToCaller(outcome.answer);
    if (outcome.kind === 'failed') {
      countNodeFailure(nodeTypeLabel(instance.graphNode), outcome.code);
      this.hasUnwantedChildren ||= this.abandonsChild(previous);
    }
    this.childEnds.delete(startedChildId(previous) ?? '');
    if (warning) this.ledger.log(instance.path, 'warn', warning);
    this.ledger.putState(state, json, resumeJson);
    if (isNodeFinished(state)) publishNodeValue(instance, state);
    if (failure) this.unresolvedFailures.push({ instance, ...failure });
  }

  private adopt(instance: NodeInstance, row: PendingNodeRow): void {
    this.ledger.adoptStoredRow(row);
    publishNodeValue(instance, row.state);
  }
}

/** Makes the value of a finished node available to expressions; large values are loaded when they are read. */
function publishNodeValue(instance: NodeInstance, state: NodeState): void {
  const { graphScope, graphNode: node } = instance;
  if (largeOutputBytes(state) === null && hasName(instance))
    setField(graphScope.values, node.id, finishedNodeValue(state));
}

/** Whether expressions can name a node: parts and nodes of items have no names of their own. */
const hasName = ({ graphNode: { part, itemOf } }: NodeInstance): boolean => !part && !itemOf;
