import type { LogLevel } from '@/contract/execution';
import type { Checkpoint, LogLine, Row, WriteCheckpoint, Written } from './checkpoint';
import type { ClaimedRun } from './claim';
import { isSettled } from './plan';
import { Budget } from './budget';
import { triesOf, type NodeState } from './state';
import { traceRoom } from './trace';
import { storedText } from './value';

/** Results of pure nodes wait to be written together, at most so many, so large or so long. */
const MAX_UNWRITTEN = { rows: 200, characters: 4 * 1024 * 1024, milliseconds: 250 };

/** Bytes of large answers that the nodes of all runs of a process receive, and have not written yet. */
const answers = new Budget(64 * 1024 * 1024);

export type Step = Partial<Pick<Checkpoint, 'status' | 'final' | 'release' | 'unlessWished'>>;

const isAtRest = (state: NodeState) => isSettled(state) || state.isWaiting;

/** What is known of a run's nodes, and what of that is not written yet. */
export class Ledger {
  readonly states: Map<string, NodeState>;
  readonly room = traceRoom();

  private rows = new Map<string, Row>();
  private characters = 0;
  private lines: LogLine[] = [];
  private hasProgressed = false;
  /** By the paths of the nodes that they are for. */
  private readonly loans = new Map<string, { end: () => void }>();
  /** When the first of the news came. */
  private newsAt = 0;

  constructor(
    private readonly run: Pick<ClaimedRun, 'id' | 'parentId' | 'isLimited' | 'workspaceId'>,
    states: NodeState[],
    private readonly checkpoint: WriteCheckpoint,
  ) {
    this.states = new Map(states.map((state) => [state.path, state]));
    this.hasLarge = states.some(({ largeBytes }) => largeBytes !== null);
  }

  /** `json`, `heldJson`: the state's output and what it holds, as they are to be stored. */
  put(state: NodeState, json: string | null = null, heldJson: string | null = null): void {
    if (this.rows.size === 0) this.newsAt = performance.now();
    this.states.set(state.path, state);
    // What an earlier state of the same step was to hold is still to be written.
    this.rows.set(state.path, { state, json, heldJson: heldJson ?? this.rows.get(state.path)?.heldJson ?? null });
    this.characters += (json?.length ?? 0) + (heldJson?.length ?? 0);
    if (isSettled(state)) this.hasProgressed = true;
    this.hasLarge ||= state.largeBytes !== null;
  }

  /** Back to a state that is written already. */
  restore(state: NodeState): void {
    this.states.set(state.path, state);
  }

  /** When the first of these is due. */
  nextWake(spots: { path: string }[]): Date | null {
    const times = spots.flatMap(({ path }) => this.states.get(path)?.wakeAt?.getTime() ?? []);
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  /** Ends what is open under a prefix; answers what it was. */
  close(prefix: string, message: string): NodeState[] {
    const open = [...this.states.values()].filter((state) => !isSettled(state) && state.path.startsWith(prefix));
    const completedAt = new Date();
    for (const state of open) {
      const error = { code: 'CANCELLED', message, nodeId: state.path };
      const tries = triesOf(state, error, completedAt);
      this.put({ ...state, status: 'failed', error, tries, completedAt, wakeAt: null, isWaiting: false });
    }
    return open;
  }

  /** The nodes that were under way when somebody was last heard of. */
  interrupted(): string[] {
    return [...this.states.values()].filter((state) => !isSettled(state) && !state.isWaiting).map(({ path }) => path);
  }

  /** Lets a node that failed just now, with its rounds, be tried again. What is written stays. */
  reopen(path: string, wakeAt: Date | null): void {
    for (const { state } of this.rows.values()) {
      const isPart = state.path === path || state.path.startsWith(`${path}[`);
      if (!isPart || state.status !== 'failed' || state.port !== null) continue;
      this.put({ ...state, status: 'running', completedAt: null, wakeAt, isWaiting: true });
    }
  }

  /** A large output that is stored need not be here. */
  private sendAway(state: NodeState): void {
    if (state.largeBytes === null || this.states.get(state.path) !== state) return;
    this.states.set(state.path, { ...state, output: undefined, isAway: true });
  }

  log(path: string | null, level: LogLevel, message: string): void {
    this.lines.push({ path, level, message: storedText(message), timestamp: new Date() });
  }

  /** True when there is a large output among what is known. */
  hasLarge = false;

  get hasNews(): boolean {
    return this.rows.size > 0 || this.lines.length > 0;
  }

  /** Enough has come together to be written, though nothing waits for it. */
  get isFull(): boolean {
    const { rows, characters, milliseconds } = MAX_UNWRITTEN;
    const isLate = this.rows.size > 0 && performance.now() - this.newsAt > milliseconds;
    return this.rows.size >= rows || this.characters > characters || isLate;
  }

  /** Drops what is not written. */
  forget(): void {
    this.rows = new Map();
    this.characters = 0;
    this.lines = [];
    this.hasProgressed = false;
  }

  /** Waits until there is memory for so much, and keeps it until what the node came to is written. */
  async reserve(path: string, bytes: number): Promise<void> {
    if (this.loans.has(path)) return;
    const loan = { end: () => {} };
    this.loans.set(path, loan);
    const end = await answers.take(bytes);
    // Whoever asked may be gone by now.
    if (this.loans.get(path) === loan) loan.end = end;
    else end();
  }

  /** Memory is taken by what could be written: that comes first, for whatever comes next may have to wait for memory. */
  get isHeavy(): boolean {
    return (
      this.loans.size > 0 && [...this.rows.values()].some(({ state }) => this.loans.has(state.path) && isAtRest(state))
    );
  }

  returnLoans(states: Iterable<{ path: string }> = [...this.loans.keys()].map((path) => ({ path }))): void {
    for (const { path } of states) {
      this.loans.get(path)?.end();
      this.loans.delete(path);
    }
  }

  /** Writes the news; resolves when they are committed, or refused. */
  async write(step: Step): Promise<Written> {
    const checkpoint: Checkpoint = {
      executionId: this.run.id,
      parentId: this.run.parentId,
      limitedIn: this.run.isLimited ? this.run.workspaceId : null,
      status: 'running',
      final: null,
      release: null,
      unlessWished: false,
      nodes: [...this.rows.values()],
      logs: this.lines,
      hasProgressed: this.hasProgressed,
      ...step,
    };
    this.forget();
    const written = await this.checkpoint(checkpoint);
    if (this.loans.size > 0) this.returnLoans(checkpoint.nodes.map(({ state }) => state).filter(isAtRest));
    if (written !== 'refused') for (const { state } of checkpoint.nodes) this.sendAway(state);
    return written;
  }
}
