import type { LogLevel } from '@/contract/execution';
import type { Checkpoint, LogLine, WriteCheckpoint, Written } from './checkpoint';
import { put } from './evaluate';
import { isSettled } from './plan';
import { valueOf, type NodeState } from './state';
import { storedText } from './value';

/** Results of pure nodes wait to be written together, at most so many, so large or so long. */
const MAX_UNWRITTEN = { rows: 200, characters: 4 * 1024 * 1024, milliseconds: 250 };

export type Step = Partial<Pick<Checkpoint, 'status' | 'final' | 'release' | 'unlessWished'>>;

/** What is known of a run's nodes, and what of that is not written yet. */
export class Ledger {
  readonly states: Map<string, NodeState>;
  /** What the settled nodes handed on, by path: `nodes` in expressions. */
  readonly values: Record<string, unknown> = {};

  private rows = new Map<string, { state: NodeState; json: string | null }>();
  private characters = 0;
  private lines: LogLine[] = [];
  private hasProgressed = false;
  /** When the first of the news came. */
  private newsAt = 0;

  constructor(
    private readonly executionId: string,
    states: NodeState[],
    private readonly checkpoint: WriteCheckpoint,
  ) {
    this.states = new Map(states.map((state) => [state.path, state]));
    for (const state of states) if (isSettled(state)) put(this.values, state.path, valueOf(state));
  }

  /** `json`: the state's output as it is to be stored. */
  put(state: NodeState, json: string | null = null): void {
    if (this.rows.size === 0) this.newsAt = performance.now();
    this.states.set(state.path, state);
    this.rows.set(state.path, { state, json });
    this.characters += json?.length ?? 0;
    if (!isSettled(state)) return;
    this.hasProgressed = true;
    put(this.values, state.path, valueOf(state));
  }

  /** Back to a state that is written already. */
  restore(state: NodeState): void {
    this.states.set(state.path, state);
  }

  log(path: string | null, level: LogLevel, message: string): void {
    this.lines.push({ path, level, message: storedText(message), timestamp: new Date() });
  }

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

  /** Writes the news; resolves when they are committed, or refused. */
  async write(step: Step): Promise<Written> {
    const checkpoint: Checkpoint = {
      executionId: this.executionId,
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
    return await this.checkpoint(checkpoint);
  }
}
