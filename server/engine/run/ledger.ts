import type { LogLevel } from '@/contract/execution-log';
import type { RunCheckpoint, WriteCheckpoint, CheckpointResult } from '../store/checkpoint';
import type { ClaimedRun } from '../queue/claim';
import { IN_MEMORY_OUTPUT_LIMIT, REDUCED_IN_MEMORY_LIMIT } from '../store/large-values';
import { nodeResponseMemory, MAX_KEPT_OUTPUT_BYTES, unwrittenResults } from '../load/memory';
import type { PendingLogLine, PendingNodeRow } from '../store/rows';
import {
  isNodeFinished,
  largeOutputBytes,
  offloadedItemBytes,
  nodeWakeTime,
  takenPortShares,
  type LoopItemsData,
  type NodeState,
  type OffloadedItemsData,
} from '../store/state';
import { appendEndedAttempt, toFailedState, toRetryState } from '../store/transitions';
import { createTraceBudget } from '../store/trace';
import { toStorableText } from '../store/value';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';
import { getRuntime } from '@/server/platform/runtime';

/** Limits for results of pure nodes that are batched before they are written. */
const PENDING_WRITE_LIMITS = { rows: 200, characters: 4 * 1024 * 1024, milliseconds: 250 };

export type CheckpointFields = Partial<Pick<RunCheckpoint, 'status' | 'final' | 'release' | 'unlessSignalled'>>;

/** True if no attempt of the node is in flight. */
const hasNoAttemptInFlight = ({ status }: NodeState) => status !== 'running';

const toOffloadedItems = ({ items, concurrency }: LoopItemsData, json: string): OffloadedItemsData => ({
  kind: 'offloaded_items',
  count: items.length,
  concurrency,
  bytes: json.length,
});

/** The states of a run's nodes, and the writes that are pending. */
export class RunStateStore {
  readonly states: Map<string, NodeState>;
  readonly traceBudget = createTraceBudget();

  private pendingRows = new Map<string, PendingNodeRow>();
  private pendingCharacters = 0;
  /** Characters of outputs that stay in memory. */
  private keptCharacters = 0;
  /** A pending write contains large items, which must not stay in memory. */
  private hasLargePendingItems = false;
  private pendingLogLines: PendingLogLine[] = [];
  /** The response to the caller of the run, until it is written. */
  private callerResponse: CallerResponse | null = null;
  private hasResponded = false;
  /** The run was claimed with results: another process may have stored its response. */
  private readonly isResumed: boolean;
  /** Reservations of memory, by the paths of their nodes. */
  private readonly reservations = new Map<string, { end: () => void }>();
  /** When the first pending write was added. */
  private pendingSince = 0;

  constructor(
    private readonly run: Pick<ClaimedRun, 'id' | 'parentId' | 'isLimited' | 'workspaceId'>,
    states: NodeState[],
    private readonly checkpoint: WriteCheckpoint,
  ) {
    this.isResumed = states.length > 0;
    this.states = new Map(states.map((state) => [state.path, state]));
    this.hasLargeValues = states.some(
      (state) => largeOutputBytes(state) !== null || offloadedItemBytes(state) !== null,
    );
  }

  /** `json`, `resumeJson`: the output and the resume data of the state, as stored. */
  putState(state: NodeState, json: string | null = null, resumeJson: string | null = null): void {
    if (this.pendingRows.size === 0) this.pendingSince = performance.now();
    this.states.set(state.path, state);
    // `resumeJson` of an earlier state in the same batch is still to be written.
    this.pendingRows.set(state.path, {
      state,
      json,
      resumeJson: resumeJson ?? this.pendingRows.get(state.path)?.resumeJson ?? null,
    });
    const characters = (json?.length ?? 0) + (resumeJson?.length ?? 0);
    this.pendingCharacters += characters;
    unwrittenResults.add(characters);
    const isLarge = largeOutputBytes(state) !== null;
    if (!isLarge) this.keptCharacters += json?.length ?? 0;
    // The share of a port is made from the stored list.
    this.hasLargePendingItems ||= isLarge && takenPortShares(state) !== null;
    this.hasLargePendingItems ||= resumeJson !== null && resumeJson.length > IN_MEMORY_OUTPUT_LIMIT;
    this.hasLargeValues ||= this.hasLargePendingItems || isLarge;
  }

  /** Takes over a state that is stored already. */
  adoptStoredRow(row: PendingNodeRow): void {
    const { state, json } = row;
    this.states.set(state.path, state);
    if (largeOutputBytes(state) === null) this.keptCharacters += json?.length ?? 0;
    else this.hasLargeValues = true;
    this.releaseReservations([state]);
    this.offload(row);
  }

  /** The first response counts. It is written with the result of its node, and sent to the caller after that. */
  respondToCaller(answer: CallerResponse): void {
    if (this.hasResponded) return;
    this.hasResponded = true;
    this.callerResponse = answer;
    this.pendingCharacters += answer.body.length;
    unwrittenResults.add(answer.body.length);
  }

  /** The JSON of a completed node's output, if its write is pending; otherwise null. */
  pendingOutputJson(path: string): string | null {
    const row = this.pendingRows.get(path);
    return row?.state.status === 'completed' ? row.json : null;
  }

  /** Restores a state that is already written. */
  restore(state: NodeState): void {
    this.states.set(state.path, state);
  }

  /** The earliest wake time of these nodes, or `before` if that is sooner. */
  nextWake(instances: { path: string }[], before = Infinity): Date | null {
    const times = instances.flatMap(({ path }) => nodeWakeTime(this.states.get(path))?.getTime() ?? []);
    const next = Math.min(before, ...times);
    return next < Infinity ? new Date(next) : null;
  }

  /** Fails the open nodes under a prefix; returns their previous states. */
  failOpenNodes(prefix: string, message: string): NodeState[] {
    const open = [...this.states.values()].filter((state) => !isNodeFinished(state) && state.path.startsWith(prefix));
    const completedAt = new Date();
    for (const state of open) {
      const error = { code: 'CANCELLED', message, nodeId: state.path };
      const attempts = appendEndedAttempt(state, error, completedAt);
      this.putState(toFailedState(state, { error, attempts, completedAt, port: null }));
    }
    return open;
  }

  /** The nodes that were in flight when the previous worker was lost. */
  interruptedPaths(): string[] {
    return [...this.states.values()].filter(({ status }) => status === 'running').map(({ path }) => path);
  }

  /** Makes a node that has just failed, and its rounds, retriable again. Written states do not change. */
  reopen(path: string, wakeAt: Date | null): void {
    for (const { state } of this.pendingRows.values()) {
      const isPart = state.path === path || state.path.startsWith(`${path}[`);
      if (!isPart || state.status !== 'failed' || state.port !== null || !state.error) continue;
      const retried = toRetryState(state, state.error, wakeAt);
      this.putState(retried, null, retried.resumeData === state.resumeData ? null : 'null');
    }
  }

  /** Removes a stored large output, or the stored items of a large loop, from memory. */
  private offload({ state, resumeJson }: PendingNodeRow): void {
    if (this.states.get(state.path) !== state) return;
    const { resumeData } = state;
    if (state.status === 'completed' && state.largeBytes !== null)
      this.states.set(state.path, { ...state, output: undefined, isOffloaded: true });
    else if (resumeJson && resumeJson.length > IN_MEMORY_OUTPUT_LIMIT && resumeData?.kind === 'items') {
      const offloaded = toOffloadedItems(resumeData, resumeJson);
      if (state.status !== 'waiting' || state.reason === 'retry')
        this.states.set(state.path, { ...state, resumeData: offloaded });
    }
  }

  /** Outputs with more characters of JSON are offloaded. */
  get offloadLimit(): number {
    return this.keptCharacters > MAX_KEPT_OUTPUT_BYTES ? REDUCED_IN_MEMORY_LIMIT : IN_MEMORY_OUTPUT_LIMIT;
  }

  log(path: string | null, level: LogLevel, message: string): void {
    this.pendingLogLines.push({ path, level, message: toStorableText(message), timestamp: new Date() });
  }

  /** True if a state has a large value: an output or a loop's items. */
  hasLargeValues = false;

  get hasPendingWrites(): boolean {
    return this.pendingRows.size > 0 || this.pendingLogLines.length > 0;
  }

  /** The batch has reached a limit and has to be written. */
  get isFull(): boolean {
    const { rows, characters, milliseconds } = PENDING_WRITE_LIMITS;
    const isLate = this.pendingRows.size > 0 && performance.now() - this.pendingSince > milliseconds;
    return this.pendingRows.size >= rows || this.pendingCharacters > characters || isLate;
  }

  /** Drops pending writes. */
  dropPendingWrites(): void {
    this.releaseBacklog();
    this.pendingRows = new Map();
    this.callerResponse = null;
    this.hasLargePendingItems = false;
    this.pendingLogLines = [];
  }

  /** Removes the pending writes from the high-water mark: they are dropped or are being written. */
  releaseBacklog(): void {
    unwrittenResults.remove(this.pendingCharacters);
    this.pendingCharacters = 0;
  }

  /** Reserves memory for a node until its result is written. */
  async reserve(path: string, bytes: number): Promise<void> {
    if (this.reservations.has(path)) return;
    const reservation = { end: () => {} };
    this.reservations.set(path, reservation);
    const end = await nodeResponseMemory.acquire(this.run.workspaceId, bytes);
    // The caller may have been aborted meanwhile.
    if (this.reservations.get(path) === reservation) reservation.end = end;
    else end();
  }

  /** True if pending writes occupy memory for which the next nodes may have to wait: then they are written first. */
  get mustWriteFirst(): boolean {
    if (this.hasLargePendingItems || (unwrittenResults.isFull && this.hasPendingWrites)) return true;
    return (
      this.reservations.size > 0 &&
      [...this.pendingRows.values()].some(
        ({ state }) => this.reservations.has(state.path) && hasNoAttemptInFlight(state),
      )
    );
  }

  releaseReservations(
    states: Iterable<{ path: string }> = [...this.reservations.keys()].map((path) => ({ path })),
  ): void {
    for (const { path } of states) {
      this.reservations.get(path)?.end();
      this.reservations.delete(path);
    }
  }

  /** Writes the pending writes; resolves when they are committed or refused. */
  async write(step: CheckpointFields): Promise<CheckpointResult> {
    const checkpoint: RunCheckpoint = {
      executionId: this.run.id,
      parentId: this.run.parentId,
      limitedWorkspaceId: this.run.isLimited ? this.run.workspaceId : null,
      status: 'running',
      final: null,
      release: null,
      unlessSignalled: false,
      callerResponse: this.callerResponse,
      nodes: [...this.pendingRows.values()],
      logs: this.pendingLogLines,
      ...step,
    };
    const ends = checkpoint.final?.json?.length ?? 0;
    const characters = this.pendingCharacters + ends;
    unwrittenResults.add(ends);
    this.pendingCharacters = 0;
    this.dropPendingWrites();
    let written: CheckpointResult;
    try {
      written = await this.checkpoint(checkpoint);
    } finally {
      unwrittenResults.remove(characters);
    }
    if (written !== 'refused' && (checkpoint.final || checkpoint.callerResponse)) {
      getRuntime().waitingCallers?.notifyCallers(checkpoint, written, this.isResumed);
    }
    if (this.reservations.size > 0)
      this.releaseReservations(checkpoint.nodes.map(({ state }) => state).filter(hasNoAttemptInFlight));
    if (written !== 'refused') for (const row of checkpoint.nodes) this.offload(row);
    return written;
  }
}
