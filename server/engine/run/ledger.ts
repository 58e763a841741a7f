import type { LogLevel } from '@/contract/execution-log';
import type { Checkpoint, WriteCheckpoint, Written } from '../store/checkpoint';
import type { ClaimedRun } from '../queue/claim';
import { LARGE, VERY_SMALL } from '../store/large-values';
import { answers, KEPT_BY_RUN, unwritten } from '../load/memory';
import type { LogLine, Row } from '../store/rows';
import {
  isFinished,
  largeBytes,
  offloadedItemBytes,
  wakeTime,
  type LoopItems,
  type NodeState,
  type OffloadedItems,
} from '../store/state';
import { endedAttempts, failedState, retryState } from '../store/transitions';
import { traceBudget } from '../store/trace';
import { storedText } from '../store/value';
import type { RunAnswer } from '@/server/nodes/node';
import { runtime } from '@/server/runtime';

/** Limits for results of pure nodes that are batched before they are written. */
const MAX_UNWRITTEN = { rows: 200, characters: 4 * 1024 * 1024, milliseconds: 250 };

export type Step = Partial<Pick<Checkpoint, 'status' | 'final' | 'release' | 'unlessSignalled'>>;

/** No attempt of the node is in flight. */
const isAtRest = ({ status }: NodeState) => status !== 'running';

const offloadItems = ({ items, concurrency }: LoopItems, json: string): OffloadedItems => ({
  kind: 'offloaded_items',
  count: items.length,
  concurrency,
  bytes: json.length,
});

/** The states of a run's nodes, and the writes that are pending. */
export class Ledger {
  readonly states: Map<string, NodeState>;
  readonly traceBudget = traceBudget();

  private rows = new Map<string, Row>();
  private characters = 0;
  /** Characters of outputs that stay in memory. */
  private keptCharacters = 0;
  /** A pending write contains large items, which must not stay in memory. */
  private isBulky = false;
  private lines: LogLine[] = [];
  /** The answer to the caller of the run, if it is not written yet. */
  private answer: RunAnswer | null = null;
  private isAnswered = false;
  /** The run was claimed with results: another process may have stored its answer. */
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
    this.hasLarge = states.some((state) => largeBytes(state) !== null || offloadedItemBytes(state) !== null);
  }

  /** `json`, `resumeJson`: the output and the resume data of the state, as stored. */
  put(state: NodeState, json: string | null = null, resumeJson: string | null = null): void {
    if (this.rows.size === 0) this.pendingSince = performance.now();
    this.states.set(state.path, state);
    // `resumeJson` of an earlier state in the same batch is still to be written.
    this.rows.set(state.path, { state, json, resumeJson: resumeJson ?? this.rows.get(state.path)?.resumeJson ?? null });
    const characters = (json?.length ?? 0) + (resumeJson?.length ?? 0);
    this.characters += characters;
    unwritten.add(characters);
    const isLarge = largeBytes(state) !== null;
    if (!isLarge) this.keptCharacters += json?.length ?? 0;
    this.isBulky ||= resumeJson !== null && resumeJson.length > LARGE;
    this.hasLarge ||= this.isBulky || isLarge;
  }

  /** Takes over a state that is stored already. */
  adopt(row: Row): void {
    const { state, json } = row;
    this.states.set(state.path, state);
    if (largeBytes(state) === null) this.keptCharacters += json?.length ?? 0;
    else this.hasLarge = true;
    this.releaseReservations([state]);
    this.offload(row);
  }

  /** The first answer counts. It is written with the result of its node, and given to the caller after that. */
  answerCaller(answer: RunAnswer): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.answer = answer;
    this.characters += answer.body.length;
    unwritten.add(answer.body.length);
  }

  /** The JSON of a completed node's output, if its write is pending; otherwise null. */
  pendingJsonOf(path: string): string | null {
    const row = this.rows.get(path);
    return row?.state.status === 'completed' ? row.json : null;
  }

  /** Restores a state that is already written. */
  restore(state: NodeState): void {
    this.states.set(state.path, state);
  }

  /** The earliest wake time of these nodes, or `before` if that is sooner. */
  nextWake(instances: { path: string }[], before = Infinity): Date | null {
    const times = instances.flatMap(({ path }) => wakeTime(this.states.get(path))?.getTime() ?? []);
    const next = Math.min(before, ...times);
    return next < Infinity ? new Date(next) : null;
  }

  /** Fails the open nodes under a prefix; returns their previous states. */
  close(prefix: string, message: string): NodeState[] {
    const open = [...this.states.values()].filter((state) => !isFinished(state) && state.path.startsWith(prefix));
    const completedAt = new Date();
    for (const state of open) {
      const error = { code: 'CANCELLED', message, nodeId: state.path };
      const attempts = endedAttempts(state, error, completedAt);
      this.put(failedState(state, { error, attempts, completedAt, port: null }));
    }
    return open;
  }

  /** The nodes that were in flight when the previous worker was lost. */
  interrupted(): string[] {
    return [...this.states.values()].filter(({ status }) => status === 'running').map(({ path }) => path);
  }

  /** Makes a node that has just failed, and its rounds, retriable again. Written states do not change. */
  reopen(path: string, wakeAt: Date | null): void {
    for (const { state } of this.rows.values()) {
      const isPart = state.path === path || state.path.startsWith(`${path}[`);
      if (!isPart || state.status !== 'failed' || state.port !== null || !state.error) continue;
      const retried = retryState(state, state.error, wakeAt);
      this.put(retried, null, retried.resumeData === state.resumeData ? null : 'null');
    }
  }

  /** Removes a stored large output, or the stored items of a large loop, from memory. */
  private offload({ state, resumeJson }: Row): void {
    if (this.states.get(state.path) !== state) return;
    const { resumeData } = state;
    if (state.status === 'completed' && state.largeBytes !== null)
      this.states.set(state.path, { ...state, output: undefined, isOffloaded: true });
    else if (resumeJson && resumeJson.length > LARGE && resumeData?.kind === 'items') {
      const offloaded = offloadItems(resumeData, resumeJson);
      if (state.status !== 'waiting' || state.reason === 'retry')
        this.states.set(state.path, { ...state, resumeData: offloaded });
    }
  }

  /** Outputs with more characters of JSON are offloaded. */
  get largest(): number {
    return this.keptCharacters > KEPT_BY_RUN ? VERY_SMALL : LARGE;
  }

  log(path: string | null, level: LogLevel, message: string): void {
    this.lines.push({ path, level, message: storedText(message), timestamp: new Date() });
  }

  /** True if a state has a large value: an output or a loop's items. */
  hasLarge = false;

  get hasPendingWrites(): boolean {
    return this.rows.size > 0 || this.lines.length > 0;
  }

  /** The batch has reached a limit and has to be written. */
  get isFull(): boolean {
    const { rows, characters, milliseconds } = MAX_UNWRITTEN;
    const isLate = this.rows.size > 0 && performance.now() - this.pendingSince > milliseconds;
    return this.rows.size >= rows || this.characters > characters || isLate;
  }

  /** Drops pending writes. */
  forget(): void {
    this.releaseBacklog();
    this.rows = new Map();
    this.answer = null;
    this.isBulky = false;
    this.lines = [];
  }

  /** Removes the pending writes from the high-water mark: they are dropped or are being written. */
  releaseBacklog(): void {
    unwritten.remove(this.characters);
    this.characters = 0;
  }

  /** Reserves memory for a node until its result is written. */
  async reserve(path: string, bytes: number): Promise<void> {
    if (this.reservations.has(path)) return;
    const reservation = { end: () => {} };
    this.reservations.set(path, reservation);
    const end = await answers.take(this.run.workspaceId, bytes);
    // The caller may have been aborted meanwhile.
    if (this.reservations.get(path) === reservation) reservation.end = end;
    else end();
  }

  /** Pending writes occupy memory. They are written first: the next nodes may have to wait for that memory. */
  get isHeavy(): boolean {
    if (this.isBulky || (unwritten.isFull && this.hasPendingWrites)) return true;
    return (
      this.reservations.size > 0 &&
      [...this.rows.values()].some(({ state }) => this.reservations.has(state.path) && isAtRest(state))
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
  async write(step: Step): Promise<Written> {
    const checkpoint: Checkpoint = {
      executionId: this.run.id,
      parentId: this.run.parentId,
      limitedIn: this.run.isLimited ? this.run.workspaceId : null,
      status: 'running',
      final: null,
      release: null,
      unlessSignalled: false,
      answer: this.answer,
      nodes: [...this.rows.values()],
      logs: this.lines,
      ...step,
    };
    const ends = checkpoint.final?.json?.length ?? 0;
    const characters = this.characters + ends;
    unwritten.add(ends);
    this.characters = 0;
    this.forget();
    let written: Written;
    try {
      written = await this.checkpoint(checkpoint);
    } finally {
      unwritten.remove(characters);
    }
    if (written !== 'refused' && (checkpoint.final || checkpoint.answer)) {
      runtime().waitingCallers?.written(checkpoint, written, this.isResumed);
    }
    if (this.reservations.size > 0)
      this.releaseReservations(checkpoint.nodes.map(({ state }) => state).filter(isAtRest));
    if (written !== 'refused') for (const row of checkpoint.nodes) this.offload(row);
    return written;
  }
}
