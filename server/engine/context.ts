import type { LogLevel } from '@/contract/execution';
import type { Held } from '../connectors/held';
import type { ChildEnd, ChildRequest, Decision, RunContext } from '../nodes/node';
import { decisionLink } from './decision-link';
import type { GraphNode } from './graph';
import type { Ledger } from './ledger';
import type { Masks } from './masks';
import { unwritten } from './memory';
import type { Scope } from './evaluate';
import type { Stoppable } from './stop';

const MAX_LOG_LINES = 1000;

/** A config whose expressions are values. */
export type Rendered = Record<string, unknown>;

/** What all visits of one run share. */
export interface Surroundings {
  workspaceId: string;
  /** What leaves a visit passes through here: output, error and log lines. */
  masks: Masks;
  ledger: Pick<Ledger, 'room' | 'reserve' | 'log'>;
  startChild(request: ChildRequest & { path: string; attempt: number }, signal: AbortSignal): Promise<string>;
}

/** One visit of one node. */
export interface Visit {
  run: Surroundings;
  node: GraphNode;
  path: string;
  attempt: number;
  scope: Scope;
  /** What its config came to, once it has. */
  rendered?: Rendered;
  /** Aborted when the run is cancelled, has failed elsewhere, or is no longer this worker's. */
  until: Stoppable;
  decision: Decision | undefined;
  waitingSince: Date | undefined;
  child: ChildEnd | undefined;
}

/**
 * What a node may know and do in one visit. Its functions are made when they are asked for, and can be taken out of it:
 * most nodes need none of them.
 */
export class Context implements RunContext<Rendered> {
  readonly executionId: string;
  readonly workflowId: string;
  readonly workspaceId: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly input: unknown;
  readonly nodes: Scope['nodes'];
  readonly execution: Scope['execution'];
  readonly decision: Decision | undefined;
  readonly waitingSince: Date | undefined;
  readonly child: ChildEnd | undefined;
  private lines = 0;

  constructor(
    private readonly visit: Visit,
    private readonly until: Stoppable,
    readonly config: Rendered,
    readonly credential?: Held,
  ) {
    const { scope, run } = visit;
    this.executionId = scope.execution.id;
    this.workflowId = scope.execution.workflowId;
    this.workspaceId = run.workspaceId;
    this.nodeId = visit.path;
    this.attempt = visit.attempt;
    this.input = scope.input;
    this.nodes = scope.nodes;
    this.execution = scope.execution;
    this.decision = visit.decision;
    this.waitingSince = visit.waitingSince;
    this.child = visit.child;
  }

  get written() {
    return this.visit.node.node.config;
  }

  get timeoutMs() {
    return this.visit.node.node.timeoutMs;
  }

  get secrets() {
    return this.visit.run.masks;
  }

  get signal() {
    return this.until.signal;
  }

  get idempotencyKey() {
    return `${this.executionId}:${this.nodeId}`;
  }

  get startChild() {
    const { run, path, attempt } = this.visit;
    return (request: ChildRequest) => run.startChild({ ...request, path, attempt }, this.until.signal);
  }

  get reserve() {
    const { run, path } = this.visit;
    return (bytes: number) => run.ledger.reserve(path, bytes);
  }

  get room() {
    return () => unwritten.room();
  }

  get decisionLink() {
    const { executionId, nodeId } = this;
    return (email: string, expiresAt: Date | null) => decisionLink({ executionId, nodeId, email }, expiresAt);
  }

  get log() {
    const { run, path } = this.visit;
    return (level: LogLevel, message: string) => {
      this.lines += 1;
      if (this.lines <= MAX_LOG_LINES) run.ledger.log(path, level, run.masks.text(message));
    };
  }
}
