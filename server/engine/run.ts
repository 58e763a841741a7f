import { setImmediate as breathe } from 'node:timers/promises';
import type { LogLevel, RunError } from '@/contract/execution';
import { visit, type Visited } from './attempt';
import type { Checkpoint, LogLine, WriteCheckpoint } from './checkpoint';
import type { ClaimedRun } from './claim';
import { put, type Scope } from './evaluate';
import type { Graph, GraphNode } from './graph';
import { Masks } from './masks';
import { isSettled, plan, type Plan } from './plan';
import { inputOf, outputOf, valueOf, type NodeState } from './state';
import { settle } from './settle';
import { storedText, storedValue } from './value';
import type { ReadWishes } from './wishes';

/** Outside nodes of one run that are under way at a time. */
const MAX_PARALLEL = 50;
/** Pure nodes that are computed at a time. */
const MAX_COMPUTED = 100;
/** Results of pure nodes wait to be written together, at most so many, so large or so long. */
const MAX_UNWRITTEN = { rows: 200, bytes: 4 * 1024 * 1024, milliseconds: 250 };
/** A wait as short as this is sat out; for a longer one the run is let go of. */
const HOLD_MS = 1000;
/** The longest a timer of the platform may be set to. */
const MAX_TIMER_MS = 86_400_000;
/** How long pure nodes may keep the processor before everything else has its turn. */
const BREATH_MS = 10;
/** A run whose workers died so often without its getting on is what kills them. */
const MAX_CLAIMS = 20;

const NOTHING: Graph = { nodes: [], byId: new Map(), leaves: [] };
const CANCELLED: RunError = { code: 'CANCELLED', message: 'The run was cancelled.', nodeId: null };

export interface RunTools {
  checkpoint: WriteCheckpoint;
  readWishes: ReadWishes;
  /** Aborted when the worker has lost its lease: nothing may be written any more. */
  lost: AbortSignal;
}

/**
 * One run in the hands of this worker, from its claim until it is final, is let go of, or is lost. `done` settles
 * then; it rejects only if the run could not even be ended.
 */
export class Run {
  readonly done: Promise<void>;

  private readonly graph: Graph;
  private readonly states: Map<string, NodeState>;
  private readonly decisions: ClaimedRun['decisions'];
  private readonly scope: Omit<Scope, 'input'>;
  private readonly aborter = new AbortController();
  private readonly masks = new Masks();
  /** Paths of the outside nodes under way. */
  private readonly active = new Set<string>();
  private arrived: { node: GraphNode; visited: Visited }[] = [];

  private unwritten = new Map<string, { state: NodeState; json: string | null }>();
  private unwrittenBytes = 0;
  private logs: LogLine[] = [];
  private hasProgressed = false;
  private writtenAt = performance.now();

  private failure: RunError | null = null;
  private isWished = false;
  private isCancelled: boolean;
  private isStopping = false;
  private isGivenUp = false;
  private isGone = false;
  private ring: () => void = () => {};

  constructor(
    private readonly claimed: ClaimedRun,
    graph: Graph | undefined,
    private readonly tools: RunTools,
  ) {
    this.graph = graph ?? NOTHING;
    if (!graph) this.failure = { code: 'INTERNAL', message: 'The definition of this version can not be run.', nodeId: null };
    this.states = new Map(claimed.states.map((state) => [state.path, state]));
    this.decisions = claimed.decisions;
    this.isCancelled = claimed.isCancelRequested;
    const nodes: Record<string, unknown> = {};
    for (const state of claimed.states) if (isSettled(state)) put(nodes, state.path, valueOf(state));
    this.scope = { nodes, execution: { id: claimed.id, workflowId: claimed.workflowId, input: claimed.input } };
    this.done = this.go();
  }

  /** Somebody cancelled it or decided: it looks for itself. */
  wish(): void {
    this.isWished = true;
    this.ring();
  }

  /** Start nothing more; hand the run back once what is under way has finished. */
  stop(): void {
    this.isStopping = true;
    this.ring();
  }

  /** Hand the run back now; what is under way will be run again by whoever takes it. */
  giveUp(): void {
    this.isGivenUp = true;
    this.active.clear();
    this.aborter.abort();
    this.stop();
  }

  /** The lease is lost: stop without writing anything. */
  abandon(): void {
    this.isGone = true;
    this.active.clear();
    this.aborter.abort();
    this.ring();
  }

  private async go(): Promise<void> {
    try {
      if (this.claimed.claims > MAX_CLAIMS) {
        const message = `Given up: ${MAX_CLAIMS} workers in a row were lost while they had this run.`;
        return await this.end({ code: 'CRASHED', message, nodeId: null });
      }
      if (this.claimed.claims > 1) this.log(null, 'warn', 'The worker that had this run was lost; it goes on elsewhere.');
      await this.masks.learn(this.graph, this.claimed.workspaceId, this.tools.lost);
      await this.advance();
    } catch (error) {
      if (this.isGone || this.tools.lost.aborted) return;
      // Something that can't be stored must not keep the run from its end.
      this.unwritten.clear();
      this.logs = [];
      const message = `The run could not be stored: ${storedText(error instanceof Error ? error.message : String(error), 500)}`;
      await this.end({ code: 'INTERNAL', message, nodeId: null });
    } finally {
      this.active.clear();
      this.aborter.abort();
    }
  }

  private async advance(): Promise<void> {
    let breathedAt = performance.now();
    for (;;) {
      if (this.isWished) await this.takeWishes();
      if (this.isGone) return;
      for (const { node, visited } of this.arrived.splice(0)) this.take(node, visited);
      if (this.isGivenUp) return void (await this.write({ release: { availableAt: new Date() } }));
      if (this.isCancelled) return await this.end(CANCELLED);
      if (this.failure) return await this.end(this.failure);

      const next = plan(this.graph, this.states);
      const now = new Date();
      const due = [...next.ready, ...next.open.filter((node) => this.isDue(node, now))];
      const pure = due.filter((node) => !isOutside(node));
      if (pure.length > 0) {
        await this.compute(pure);
        if (performance.now() - breathedAt > BREATH_MS) {
          await breathe();
          breathedAt = performance.now();
        }
        continue;
      }
      if (next.isFinished) return await this.end(null);

      const chosen = this.isStopping ? [] : due.slice(0, MAX_PARALLEL - this.active.size);
      const starting = chosen.map((node) => ({ node, known: this.begin(node) }));
      const isIdle = this.active.size === 0 && starting.length === 0;
      const wakeAt = this.isStopping ? now : this.nextWake(next.open);
      const status = isIdle && this.isPaused(next) ? 'paused' : 'running';
      if (isIdle && (this.isStopping || wakeAt === null || this.isFar(wakeAt))) {
        await this.write({ status, release: { availableAt: wakeAt } });
        return;
      }
      if (this.unwritten.size > 0 || this.logs.length > 0) await this.write({ status });
      if (this.isGone || this.isCancelled) continue;
      for (const { node, known } of starting) this.launch(node, known);
      await this.somethingHappens(wakeAt);
    }
  }

  /** True for an open node that can go on: interrupted by a crash, its time has come, or somebody decided. */
  private isDue({ id }: GraphNode, now: Date): boolean {
    const state = this.states.get(id);
    if (!state || this.active.has(id)) return false;
    return !state.isWaiting || (state.wakeAt !== null && state.wakeAt <= now) || this.decisions.has(id);
  }

  /** A time that has come by the database's clock but not by ours is waited for here, or the run would go to and fro. */
  private isFar(wakeAt: Date): boolean {
    return wakeAt.getTime() - Math.max(Date.now(), this.claimed.claimedAt.getTime()) > HOLD_MS;
  }

  private nextWake(open: GraphNode[]): Date | null {
    const times = open.flatMap(({ id }) => this.states.get(id)?.wakeAt?.getTime() ?? []);
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }

  private isPaused = ({ open }: Plan): boolean =>
    open.length > 0 && open.every(({ id }) => this.states.get(id)?.status === 'paused');

  /** Visits pure nodes. An approval that expires races people's decisions: its row is written alone, if none came. */
  private async compute(pure: GraphNode[]): Promise<void> {
    const expiring = pure.filter(({ id }) => this.states.get(id)?.status === 'paused' && !this.decisions.has(id));
    if (expiring.length > 0) return await this.expire(expiring);
    const batch = pure.slice(0, MAX_COMPUTED);
    const visited = await Promise.all(batch.map((node) => this.visit(node)));
    if (this.isGone || this.isGivenUp) return;
    batch.forEach((node, index) => this.take(node, visited[index]!));
    const { rows, bytes, milliseconds } = MAX_UNWRITTEN;
    const isMuch = this.unwritten.size >= rows || this.unwrittenBytes > bytes;
    if (isMuch || performance.now() - this.writtenAt > milliseconds) await this.write({});
  }

  private async expire(expiring: GraphNode[]): Promise<void> {
    if (this.unwritten.size > 0) await this.write({});
    if (this.isGone || this.isCancelled) return;
    const before = expiring.flatMap(({ id }) => this.states.get(id) ?? []);
    const visited = await Promise.all(expiring.map((node) => this.visit(node)));
    if (this.isGone || this.isGivenUp) return;
    expiring.forEach((node, index) => this.take(node, visited[index]!));
    if (await this.write({ unlessWished: true })) return;
    for (const state of before) this.states.set(state.path, state);
    this.failure = null;
    this.isWished = true;
  }

  /** Marks an outside node as under way; answers what was known of it. */
  private begin(node: GraphNode): NodeState | undefined {
    const known = this.states.get(node.id);
    this.put({
      path: node.id,
      status: 'running',
      port: null,
      attempts: attemptOf(known),
      output: null,
      error: null,
      startedAt: known?.startedAt ?? new Date(),
      completedAt: null,
      wakeAt: null,
      isWaiting: false,
    });
    return known;
  }

  private launch(node: GraphNode, known: NodeState | undefined): void {
    this.active.add(node.id);
    void this.visit(node, known).then((visited) => {
      if (!this.active.delete(node.id)) return;
      this.arrived.push({ node, visited });
      this.ring();
    });
  }

  private visit(node: GraphNode, known = this.states.get(node.id)): Promise<Visited> {
    return visit({
      node,
      path: node.id,
      attempt: attemptOf(known),
      scope: { ...this.scope, input: inputOf(node, this.states, this.claimed.input) },
      workspaceId: this.claimed.workspaceId,
      masks: this.masks,
      signal: this.aborter.signal,
      decision: this.decisions.get(node.id),
      waitingSince: known?.isWaiting && !known.error ? known.startedAt : undefined,
      log: (level, message) => this.log(node.id, level, message),
    });
  }

  private take(node: GraphNode, visited: Visited): void {
    const { state, json, failure, warning } = settle(node, node.id, this.states.get(node.id), visited);
    if (warning) this.log(node.id, 'warn', warning);
    this.put(state, json);
    if (failure) this.failure ??= failure;
  }

  private put(state: NodeState, json: string | null = null): void {
    this.states.set(state.path, state);
    this.unwritten.set(state.path, { state, json });
    this.unwrittenBytes += json?.length ?? 0;
    if (!isSettled(state)) return;
    this.hasProgressed = true;
    put(this.scope.nodes, state.path, valueOf(state));
  }

  private log(path: string | null, level: LogLevel, message: string): void {
    this.logs.push({ path, level, message: storedText(message), timestamp: new Date() });
  }

  /** Writes what is new; false only when `unlessWished` and a wish came first. */
  private async write(step: Partial<Pick<Checkpoint, 'status' | 'final' | 'release' | 'unlessWished'>>): Promise<boolean> {
    const checkpoint: Checkpoint = {
      executionId: this.claimed.id,
      status: 'running',
      final: null,
      release: null,
      unlessWished: false,
      nodes: [...this.unwritten.values()],
      logs: this.logs,
      hasProgressed: this.hasProgressed,
      ...step,
    };
    this.unwritten = new Map();
    this.unwrittenBytes = 0;
    this.logs = [];
    this.hasProgressed = false;
    const written = await this.tools.checkpoint(checkpoint);
    this.writtenAt = performance.now();
    if (written === 'refused' && step.unlessWished) return false;
    if (written === 'refused') this.abandon();
    if (written === 'cancel-requested') this.isCancelled = true;
    return true;
  }

  private async takeWishes(): Promise<void> {
    this.isWished = false;
    const wishes = await this.tools.readWishes(this.claimed.id);
    if (!wishes) return this.abandon();
    this.isCancelled ||= wishes.isCancelRequested;
    for (const [path, decision] of wishes.decisions) this.decisions.set(path, decision);
  }

  /** The last step: what is still open is stopped, and the run is final. */
  private async end(error: RunError | null): Promise<void> {
    this.active.clear();
    this.aborter.abort();
    const now = new Date();
    for (const state of this.states.values()) {
      if (isSettled(state)) continue;
      const stopped = { code: 'CANCELLED', message: 'Stopped, because the run had ended.', nodeId: state.path };
      this.put({ ...state, status: 'failed', error: stopped, completedAt: now, wakeAt: null, isWaiting: false });
    }
    let json: string | null = null;
    let reason = error;
    if (!reason) {
      try {
        json = storedValue(outputOf(this.graph, this.states)).json;
      } catch (tooMuch) {
        reason = { code: 'OUTPUT_TOO_LARGE', message: 'The outputs together are too large.', nodeId: null };
      }
    }
    await this.write({ status: reason ? 'failed' : 'completed', final: { json, error: reason } });
  }

  /** Resolves when a node comes back, a wish or a stop arrives, or the time has come. */
  private async somethingHappens(wakeAt: Date | null): Promise<void> {
    if (this.arrived.length > 0 || this.isWished || this.isGone || (this.isStopping && this.active.size === 0)) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.ring = resolve;
      if (wakeAt) timer = setTimeout(resolve, Math.min(Math.max(wakeAt.getTime() - Date.now(), 0), MAX_TIMER_MS));
    });
    clearTimeout(timer);
    this.ring = () => {};
  }
}

const isOutside = ({ node, kind }: GraphNode) => !node.disabled && kind?.isOutside === true;

/** The number of the try that comes now: one that was interrupted is made again, one after a failure counts on. */
const attemptOf = (known: NodeState | undefined): number =>
  known ? (known.isWaiting && known.error ? known.attempts + 1 : known.attempts) : 1;
