import type { LogLevel } from '@/contract/execution';
import type { Checkpoint, WriteCheckpoint, Written } from './checkpoint';
import type { ClaimedRun } from './claim';
import { isSettled } from './plan';
import { LARGE, VERY_SMALL } from './large';
import { answers, KEPT_BY_RUN, unwritten } from './memory';
import type { LogLine, Row } from './rows';
import { itemsAwayOf, triesOf, type NodeState } from './state';
import { traceRoom } from './trace';
import { storedText } from './value';

/** Results of pure nodes wait to be written together, at most so many, so large or so long. */
const MAX_UNWRITTEN = { rows: 200, characters: 4 * 1024 * 1024, milliseconds: 250 };

export type Step = Partial<Pick<Checkpoint, 'status' | 'final' | 'release' | 'unlessWished'>>;

const isAtRest = (state: NodeState) => isSettled(state) || state.isWaiting;

/** What is known of a run's nodes, and what of that is not written yet. */
export class Ledger {
  readonly states: Map<string, NodeState>;
  readonly room = traceRoom();

  private rows = new Map<string, Row>();
  private characters = 0;
  /** Characters of outputs that stay here. */
  private kept = 0;
  /** There is something among the news that must not stay. */
  private isBulky = false;
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
    this.hasLarge = states.some((state) => state.largeBytes !== null || itemsAwayOf(state) !== null);
  }

  /** `json`, `heldJson`: the state's output and what it holds, as they are to be stored. */
  put(state: NodeState, json: string | null = null, heldJson: string | null = null): void {
    if (this.rows.size === 0) this.newsAt = performance.now();
    this.states.set(state.path, state);
    // What an earlier state of the same step was to hold is still to be written.
    this.rows.set(state.path, { state, json, heldJson: heldJson ?? this.rows.get(state.path)?.heldJson ?? null });
    const characters = (json?.length ?? 0) + (heldJson?.length ?? 0);
    this.characters += characters;
    unwritten.add(characters);
    if (state.largeBytes === null) this.kept += json?.length ?? 0;
    if (isSettled(state)) this.hasProgressed = true;
    this.isBulky ||= heldJson !== null && heldJson.length > LARGE;
    this.hasLarge ||= this.isBulky || state.largeBytes !== null;
  }

  /** The JSON of a completed node's output, if it is among the news; otherwise null. */
  newsOf(path: string): string | null {
    const row = this.rows.get(path);
    return row?.state.status === 'completed' ? row.json : null;
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

  /** A large output that is stored need not be here, nor need the items of a large loop. */
  private sendAway({ state, heldJson }: Row): void {
    if (this.states.get(state.path) !== state) return;
    const { held } = state;
    if (state.largeBytes !== null) this.states.set(state.path, { ...state, output: undefined, isAway: true });
    else if (heldJson && heldJson.length > LARGE && held && 'items' in held) {
      const away = { count: held.items.length, concurrency: held.concurrency, bytes: heldJson.length };
      this.states.set(state.path, { ...state, held: away });
    }
  }

  /** Outputs with more characters of JSON than this don't stay. */
  get largest(): number {
    return this.kept > KEPT_BY_RUN ? VERY_SMALL : LARGE;
  }

  log(path: string | null, level: LogLevel, message: string): void {
    this.lines.push({ path, level, message: storedText(message), timestamp: new Date() });
  }

  /** True when something large is among what is known: an output, a loop's items, what another run came to. */
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
    this.uncount();
    this.rows = new Map();
    this.isBulky = false;
    this.lines = [];
    this.hasProgressed = false;
  }

  /** What isn't written will never be, or will be soon. */
  uncount(): void {
    unwritten.remove(this.characters);
    this.characters = 0;
  }

  /** Waits until there is memory for so much, and keeps it until what the node came to is written. */
  async reserve(path: string, bytes: number): Promise<void> {
    if (this.loans.has(path)) return;
    const loan = { end: () => {} };
    this.loans.set(path, loan);
    const end = await answers.take(this.run.workspaceId, bytes);
    // Whoever asked may be gone by now.
    if (this.loans.get(path) === loan) loan.end = end;
    else end();
  }

  /** Memory is taken by what could be written: that comes first, for whatever comes next may have to wait for memory. */
  get isHeavy(): boolean {
    if (this.isBulky || (unwritten.isFull && this.hasNews)) return true;
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
    if (this.loans.size > 0) this.returnLoans(checkpoint.nodes.map(({ state }) => state).filter(isAtRest));
    if (written !== 'refused') for (const row of checkpoint.nodes) this.sendAway(row);
    return written;
  }
}
