import type { LogLevel } from '@/contract/execution-log';
import type { FirstPollMode } from '@/contract/triggers/poll';
import type { NodeMocks } from '@/contract/workflows/workflow-test';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import type {
  ChildRunEnd,
  ChildRunRequest,
  ChildRunStart,
  HumanDecision,
  ChangeTransaction,
  FinishedLoopRound,
  IncomingNodeCall,
  WorkspaceObjectRef,
  StoredRoundResult,
  NodeRunContext,
} from '@/server/workflow/nodes/node-type';
import { buildDecisionLink } from './decision-link';
import { loadObjectFacts } from './object-facts';
import { createNodeFileAccess } from './node-files';
import type { GraphNode } from '@/server/workflow/definition/graph';
import type { LeaseCertainty } from '@/server/platform/timers/lease-clock';
import { evaluateExpressions } from './render';
import type { SecretRedactor } from './secret-redactor';
import { unwrittenResults } from '../load/memory';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import type { NodeAuthority } from './authority';
import type { AttemptOutcome } from './outcome';
import type { StoppableWork } from '../load/stop';
import type { TraceBudget } from '../store/trace';

export const MAX_NODE_LOG_LINES = 1000;

/** A config with evaluated expressions. */
export type RenderedConfig = Record<string, unknown>;

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
  /** The version of the run, the poll, or the person who tests one: determines which credentials it may use. */
  version: NodeAuthority;
  /** For a poll: what happens with its first result. */
  first?: FirstPollMode;
  /** Masks secrets in the output, error and log lines of every attempt. */
  redactor: SecretRedactor;
  attemptLog: AttemptLog;
  /** Says whether nodes may still act outside: another process may have taken over the run. */
  lease: LeaseCertainty;
  /** For a run of a test: what nodes give in place of running. */
  mocks?: NodeMocks | undefined;
  /** Outputs of nodes that do not run, by their ids. */
  pins?: Readonly<Record<string, unknown>> | undefined;
  /** The loop at this path takes only the first item of its list. */
  firstItemOf?: string | undefined;
  startChild(
    request: ChildRunRequest & { path: string; attemptNumber: number },
    signal: AbortSignal,
  ): Promise<ChildRunStart>;
  /** The stored results of a part in the rounds of a loop. `path`: that of the node that reads them. */
  roundResults(path: string, part: string, signal: AbortSignal): Promise<StoredRoundResult[]>;
  /**
   * Makes a change and stores its outcome in one transaction. An outcome other than `done` is returned, and nothing is
   * stored.
   */
  commitChange(
    attempt: Pick<AttemptDetails, 'node' | 'path'>,
    signal: AbortSignal,
    apply: (data: ChangeTransaction) => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome>;
}

/** `paired` in expressions: by node ids, the items that the item at an index came from. */
export type ItemPairing = (index: number) => Readonly<Record<string, unknown>>;

/** One attempt of one node. */
export interface AttemptDetails {
  run: AttemptScope;
  node: GraphNode;
  path: string;
  attemptNumber: number;
  scope: EvaluationScope;
  /** The default zone of functions for dates. */
  timeZone: string;
  /** The rendered config, once it is available. */
  rendered?: RenderedConfig;
  /** Aborted when the run is cancelled, has failed at another node, or belongs to another worker. */
  until: StoppableWork;
  decision: HumanDecision | undefined;
  call: IncomingNodeCall | undefined;
  waitingSince: Date | undefined;
  child: ChildRunEnd | undefined;
  round: FinishedLoopRound | undefined;
  /** For a node that computes its items: finds the earlier items that one of them came from. */
  pairing?: ItemPairing | undefined;
  showText?: NodeRunContext<unknown>['showText'];
  /** The node itself has begun, and may have acted outside. */
  hasBegun?: boolean;
}

/**
 * What a node can read and do in one attempt. Getters create the functions lazily, because most nodes need none of
 * them; the functions are bound and can be destructured.
 */
export class AttemptRunContext implements NodeRunContext<RenderedConfig> {
  readonly executionId: string;
  readonly workflowId: string;
  readonly workspaceId: string;
  readonly nodeId: string;
  readonly attemptNumber: number;
  readonly input: unknown;
  readonly nodes: EvaluationScope['nodes'];
  readonly execution: EvaluationScope['execution'];
  readonly vars: EvaluationScope['vars'];
  readonly timeZone: string;
  readonly decision: HumanDecision | undefined;
  readonly call: IncomingNodeCall | undefined;
  readonly waitingSince: Date | undefined;
  readonly child: ChildRunEnd | undefined;
  readonly round: FinishedLoopRound | undefined;
  private loggedLineCount = 0;

  constructor(
    private readonly details: AttemptDetails,
    private readonly until: StoppableWork,
    readonly config: RenderedConfig,
    readonly credential?: CredentialHandle,
  ) {
    const { scope, run } = details;
    this.executionId = scope.execution.id;
    this.workflowId = scope.execution.workflowId;
    this.workspaceId = run.workspaceId;
    this.nodeId = details.path;
    this.attemptNumber = details.attemptNumber;
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

  get isTraced() {
    return this.details.node.isTraced;
  }

  get written() {
    return this.details.node.definition.config;
  }

  get language() {
    return this.details.node.language;
  }

  get preludeScope() {
    const { prelude, item, index, items, paired } = this.details.scope;
    return { prelude, item, index, items, paired };
  }

  get timeoutMs() {
    return this.details.node.definition.timeoutMs;
  }

  get retry() {
    return this.details.node.definition.retry;
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
    const { language } = this;
    return (expressions: Record<string, string>, scope: Record<string, unknown>) =>
      evaluateExpressions(expressions, scope, {
        workspaceId: run.workspaceId,
        nodeId: path,
        language,
        timeZone: this.timeZone,
        until: this.until,
      });
  }

  get startChild() {
    const { run, path, attemptNumber } = this.details;
    return (request: ChildRunRequest) => run.startChild({ ...request, path, attemptNumber }, this.until.signal);
  }

  get reserve() {
    const { run, path } = this.details;
    return (bytes: number) => run.attemptLog.reserve(path, bytes);
  }

  get files() {
    return createNodeFileAccess(this.workspaceId);
  }

  get loadObjectDetails() {
    const { run } = this.details;
    return (named: WorkspaceObjectRef[]) => loadObjectFacts(run, named, this.signal);
  }

  get roundResults() {
    const { run, path } = this.details;
    return (part: string) => run.roundResults(path, part, this.signal);
  }

  get waitForSlot() {
    return () => unwrittenResults.waitUntilBelow();
  }

  get decisionLink() {
    const { executionId, nodeId } = this;
    return (email: string, expiresAt: Date | null) => buildDecisionLink({ executionId, nodeId, email }, expiresAt);
  }

  get showText() {
    return this.details.showText;
  }

  get log() {
    const { run, path } = this.details;
    return (level: LogLevel, message: string, isRedacted = false) => {
      this.loggedLineCount += 1;
      if (this.loggedLineCount <= MAX_NODE_LOG_LINES)
        run.attemptLog.log(path, level, isRedacted ? message : run.redactor.text(message));
    };
  }
}
