import type { LogLevel } from '@/contract/execution-log';
import type { PollFirst } from '@/contract/triggers/poll';
import type { Mocks } from '@/contract/workflows/workflow-test';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import type {
  ChildEnd,
  ChildRequest,
  ChildStart,
  Decision,
  ChangeData,
  FinishedRound,
  IncomingCall,
  NamedObject,
  RoundResult,
  RunContext,
} from '@/server/nodes/node';
import { decisionLink } from './decision-link';
import { factsOf } from './facts';
import { nodeFiles } from './node-files';
import type { GraphNode } from '@/server/workflow/graph';
import type { LeaseCertainty } from '@/server/lease-clock';
import { evaluateOwn } from './render';
import type { SecretRedactor } from './secret-redactor';
import { unwritten } from '../load/memory';
import type { Scope } from '@/server/expressions/scope';
import type { AuthorizedPoll, AuthorizedVersion } from './authority';
import type { AttemptOutcome } from './outcome';
import type { Stoppable } from '../load/stop';
import type { TraceBudget } from '../store/trace';

export const MAX_NODE_LOG_LINES = 1000;

/** A config with evaluated expressions. */
export type Rendered = Record<string, unknown>;

/** What the attempts of a run write besides their outcomes, and the memory that they share. */
export interface AttemptLog {
  readonly traceBudget: TraceBudget;
  /** Reserves memory for a node until its result is written. */
  reserve(path: string, bytes: number): Promise<void>;
  log(path: string | null, level: LogLevel, message: string): void;
}

/** Shared by all attempts of one run. */
export interface AttemptScope {
  workspaceId: string;
  /** The version of the run, or the poll: determines which credentials it may use. */
  version: AuthorizedVersion | AuthorizedPoll;
  /** Of a poll: what becomes of its first answer. */
  first?: PollFirst;
  /** Masks secrets in the output, error and log lines of every attempt. */
  redactor: SecretRedactor;
  attemptLog: AttemptLog;
  /** Whether what starts outside may start: another process may have the run by now. */
  lease: LeaseCertainty;
  /** For a run of a test: what nodes give in place of running. */
  mocks?: Mocks | undefined;
  /** Outputs of nodes that do not run, by their ids. */
  pins?: Readonly<Record<string, unknown>> | undefined;
  startChild(request: ChildRequest & { path: string; attemptNumber: number }, signal: AbortSignal): Promise<ChildStart>;
  /** The stored results of a part in the rounds of a loop. `path`: that of the node that reads them. */
  roundResults(path: string, part: string, signal: AbortSignal): Promise<RoundResult[]>;
  /** Makes a change and stores its outcome in one transaction. An outcome other than `done` is returned, and nothing is stored. */
  commitChange(
    attempt: Pick<Attempt, 'node' | 'path'>,
    signal: AbortSignal,
    apply: (data: ChangeData) => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome>;
}

/** One attempt of one node. */
export interface Attempt {
  run: AttemptScope;
  node: GraphNode;
  path: string;
  attemptNumber: number;
  scope: Scope;
  /** The default zone of functions for dates. */
  timeZone: string;
  /** The rendered config, once it is available. */
  rendered?: Rendered;
  /** Aborted when the run is cancelled, has failed at another node, or belongs to another worker. */
  until: Stoppable;
  decision: Decision | undefined;
  call: IncomingCall | undefined;
  waitingSince: Date | undefined;
  child: ChildEnd | undefined;
  round: FinishedRound | undefined;
  showText?: RunContext<unknown>['showText'];
  /** The node itself has begun, and may have acted outside. */
  hasBegun?: boolean;
}

/**
 * What a node can read and do in one attempt. Getters create the functions lazily, because most nodes need none of them;
 * the functions are bound and can be destructured.
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
  readonly vars: Scope['vars'];
  readonly timeZone: string;
  readonly decision: Decision | undefined;
  readonly call: IncomingCall | undefined;
  readonly waitingSince: Date | undefined;
  readonly child: ChildEnd | undefined;
  readonly round: FinishedRound | undefined;
  private lines = 0;

  constructor(
    private readonly details: Attempt,
    private readonly until: Stoppable,
    readonly config: Rendered,
    readonly credential?: CredentialHandle,
  ) {
    const { scope, run } = details;
    this.executionId = scope.execution.id;
    this.workflowId = scope.execution.workflowId;
    this.workspaceId = run.workspaceId;
    this.nodeId = details.path;
    this.attempt = details.attemptNumber;
    this.input = scope.input;
    this.nodes = scope.nodes;
    this.execution = scope.execution;
    this.vars = scope.vars;
    this.timeZone = details.timeZone;
    this.decision = details.decision;
    this.call = details.call;
    this.waitingSince = details.waitingSince;
    this.child = details.child;
    this.round = details.round;
  }

  get written() {
    return this.details.node.node.config;
  }

  get timeoutMs() {
    return this.details.node.node.timeoutMs;
  }

  get retry() {
    return this.details.node.node.retry;
  }

  get secrets() {
    return this.details.run.redactor;
  }

  get first() {
    return this.details.run.first;
  }

  get signal() {
    return this.until.signal;
  }

  get idempotencyKey() {
    return `${this.executionId}:${this.nodeId}`;
  }

  get evaluate() {
    const { run, path } = this.details;
    return (expressions: Record<string, string>, scope: Record<string, unknown>) =>
      evaluateOwn(expressions, scope, {
        workspaceId: run.workspaceId,
        nodeId: path,
        timeZone: this.timeZone,
        until: this.until,
      });
  }

  get startChild() {
    const { run, path, attemptNumber } = this.details;
    return (request: ChildRequest) => run.startChild({ ...request, path, attemptNumber }, this.until.signal);
  }

  get reserve() {
    const { run, path } = this.details;
    return (bytes: number) => run.attemptLog.reserve(path, bytes);
  }

  get files() {
    return nodeFiles(this.workspaceId);
  }

  get factsOf() {
    const { run } = this.details;
    return (named: NamedObject[]) => factsOf(run, named, this.signal);
  }

  get roundResults() {
    const { run, path } = this.details;
    return (part: string) => run.roundResults(path, part, this.signal);
  }

  get room() {
    return () => unwritten.isBelow();
  }

  get decisionLink() {
    const { executionId, nodeId } = this;
    return (email: string, expiresAt: Date | null) => decisionLink({ executionId, nodeId, email }, expiresAt);
  }

  get showText() {
    return this.details.showText;
  }

  get log() {
    const { run, path } = this.details;
    return (level: LogLevel, message: string, isRedacted = false) => {
      this.lines += 1;
      if (this.lines <= MAX_NODE_LOG_LINES)
        run.attemptLog.log(path, level, isRedacted ? message : run.redactor.text(message));
    };
  }
}
