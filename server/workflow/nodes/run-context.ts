import type { FileValue } from '@/contract/file-value';
import type { TableColumnType } from '@/contract/tables/table-columns';
import type { FormField } from '@/contract/triggers/form-fields';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { LogLevel } from '@/contract/execution-log';
import type { FirstPollMode } from '@/contract/triggers/poll';
import type { RetryPolicy } from '@/contract/workflows/workflow';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import type { RunScope } from '@/server/evaluation/expressions/scope';

export type { WorkspaceFileAccess, OpenableFile } from '@/server/network/outbound/files';

/** The services that a running node may use. Independent of Prisma, HTTP and the engine. */
export interface NodeRunContext<Config> {
  executionId: string;
  workflowId: string;
  workspaceId: string;
  /** The node's path in the run: its id, inside rounds of loops `loop[3].inner`. */
  nodeId: string;
  attemptNumber: number;
  /** Parsed, with every expression replaced by its value. */
  config: Config;
  /** The config as written: distinguishes the author's text from inserted data. */
  written: Record<string, unknown>;
  /** The input. Values with more than 64 KiB of JSON are `LargeJson`, here, in `nodes` and in `execution`. */
  input: unknown;
  /** Outputs of finished nodes by their ids, and the run itself, for expressions. */
  nodes: Record<string, unknown>;
  execution: RunScope;
  /** Whether expressions read where the items of lists came from (`paired`). */
  isTraced: boolean;
  /** Variables of the workspace; empty unless the node's config names `vars`. */
  vars: Readonly<Record<string, unknown>>;
  /** The workflow's time zone. */
  timeZone: string;
  /** Of the expressions in the node's config. */
  language: ExpressionDialect;
  /** With a prelude: what its names say, and the item that the node runs for. */
  preludeScope: Pick<EvaluationScope, 'prelude' | 'item' | 'index' | 'items' | 'paired'>;
  /** The node's retries, if its author set them. */
  retry: Partial<RetryPolicy> | undefined;
  /** The node's timeout, if its author set one. */
  timeoutMs: number | undefined;
  /** The node's credential, opened for this attempt; undefined: none. */
  credential?: CredentialHandle;
  /** Says for a poll what becomes of the items of its first response; undefined for a node of a run. */
  first: FirstPollMode | undefined;
  /** Redacts secrets from a text before it is cut: half of a secret would not be found later. */
  secrets: ValueRedactor & { readonly all: string[] };
  /** Aborted on timeout, cancellation and loss of the lease. */
  signal: AbortSignal;
  /** `<execution>:<node>`: equal for every try, so that receivers can detect repetitions. */
  idempotencyKey: string;
  /** The decision that resumed a waiting node. */
  decision: HumanDecision | undefined;
  /** The call that has arrived at the address of this node; undefined: none yet. */
  call: IncomingNodeCall | undefined;
  /** When this node first began to wait; undefined at the first attempt. */
  waitingSince: Date | undefined;
  /** The result of the run that this node started and waits for; undefined: not yet available. */
  child: ChildRunEnd | undefined;
  /** The finished round of this loop, which the node judges; undefined: no round has begun. */
  round: FinishedLoopRound | undefined;
  /**
   * Evaluates scoped expressions, by field, on a scope of their own; one without a value is absent. Throws NodeFailure.
   */
  evaluate(
    expressions: Record<string, string>,
    scope: Record<string, unknown>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Starts a run of a workflow of this workspace: idempotent within one try. */
  startChild(request: ChildRunRequest): Promise<ChildRunStart>;
  /** The address of the page where its holder can decide at this node as `email`; works until `expiresAt`. */
  decisionLink(email: string, expiresAt: Date | null): string;
  /** Waits until there is memory for a large answer; it stays reserved until the node's result is stored. */
  reserve(bytes: number): Promise<void>;
  /** Backpressure: waits while too many results of nodes are not stored yet. */
  waitForSlot(): Promise<void>;
  /** The files of the workspace. */
  files: WorkspaceFileAccess;
  /**
   * Returns what is known of objects of the workspace, and refuses those that the run may not use. Throws NodeFailure.
   */
  loadObjectDetails(named: WorkspaceObjectRef[]): Promise<WorkspaceObjectDetails[]>;
  /**
   * The stored results of one part in the rounds of its loop so far, in order, with the indexes of their rounds. Throws
   * NodeFailure.
   */
  roundResults(part: string): Promise<StoredRoundResult[]>;
  /**
   * Shows the text of an answer so far to the caller of a chat that waits for it; undefined: no caller, or the node
   * writes no answer.
   */
  showText: ((text: string) => void) | undefined;
  /** Secrets are redacted from the message, unless that was done already. */
  log(level: LogLevel, message: string, isRedacted?: boolean): void;
}

/** A workflow that an agent may run, a table that it may use, or an operation of a connector of the workspace. */
export type WorkspaceObjectRef =
  | { resource: 'connector'; id: string; operation: string }
  | { resource: 'workflow'; id: string; startNodeId: string | null }
  | { resource: 'table'; id: string; action: 'read' | 'write' };

/** The facts about such an object that a model is told. */
export interface WorkspaceObjectDetails {
  name: string;
  description: string;
  /** The JSON Schema of the input of a workflow, if it has one, or of the parameters of an operation. */
  inputSchema?: Record<string, unknown>;
  /** The columns of a table. */
  columns?: { name: string; type: string }[];
}

/** The output of a node in an earlier round of its loop. */
export interface StoredRoundResult {
  round: number;
  output: unknown;
}

/** A user's decision at an approval. */
export interface HumanDecision {
  decision: 'approved' | 'rejected';
  comment: string | null;
  decidedBy: string;
  decidedAt: string;
  /** The values of the fields of the approval; null: none. */
  data: Record<string, unknown> | null;
}

/** A call that has arrived at the address of a node. */
export interface IncomingNodeCall {
  /** Reads what was posted. A value with more than 64 KiB of JSON is `LargeJson`. */
  read(): Promise<unknown>;
}

/** A run requested by a node. */
export interface ChildRunRequest {
  workflowId: string;
  /** The start node at which it begins; null: every start node. */
  startNodeId: string | null;
  input: unknown;
  /** The node waits for it: it is cancelled together with the node. */
  isAwaited: boolean;
}

/** The run that was started, or how long the workspace's rate limit asks to wait before the next attempt. */
export type ChildRunStart = { executionId: string } | { retryAfterMs: number };

/** The end of a run that a node waited for. */
export type ChildRunEnd = { executionId: string } & (
  | { status: 'completed'; output: unknown }
  | { status: 'failed'; error: { code: string; message: string } }
);

/** The reason for waiting: a run, the people who may decide, or a call, which the page of a form may make. */
export type WaitReason =
  | { childId: string }
  | { message: string; assignees: string[]; fields?: FormField[] }
  | { awaitsCall: true; page?: FormPageContent };

/** A page that a run shows to the visitor of a form. A text that is missing is that of the form. */
export interface FormPageContent {
  title?: string;
  description?: string;
  buttonText?: string;
  fields: FormField[];
}

/** What a run shows to the visitor of a form at the end. */
export type FormEnding =
  | { show: 'message'; title?: string; message: string }
  | { show: 'html'; html: string }
  | { show: 'redirect'; url: string }
  | { show: 'file'; title?: string; message: string; file: FileValue };

/** The progress of a loop that decides after each round whether another follows. */
export interface LoopRepetition {
  /** The index of the current round. */
  round: number;
  /** When the current round may begin, as ISO time; undefined: at once. */
  notBefore?: string;
  /** Characters of JSON of the outputs that are collected so far. */
  collected?: number;
  /** Set if the current round was the last one. */
  end?: { isDone: boolean; isCollected: boolean };
}

/** A round whose nodes have all finished. */
export interface FinishedLoopRound {
  progress: LoopRepetition;
  output: unknown;
}

/** The answer of a run to the caller that waits for it. Names of headers are in lower case. */
export interface CallerResponse {
  status: number;
  headers: Record<string, string>;
  /** Empty if the response has no body. */
  body: string;
}

/**
 * A place for a value or a list that workflows remember. `scope`: whether other workflows of the workspace see it, too.
 */
export interface ScopedMemoryKey {
  scope: 'workflow' | 'workspace';
  key: string;
}

/** Reads and changes what workflows remember between their runs. */
export interface WorkflowMemoryAccess {
  /** The value; null: none, or it has expired. */
  get(place: ScopedMemoryKey): Promise<unknown>;
  /** `ttlMs` null: it does not expire. Throws NodeFailure QUOTA. */
  set(place: ScopedMemoryKey, value: unknown, ttlMs: number | null): Promise<void>;
  /** Adds to a number, which begins at 0, and returns the new one. Throws NodeFailure NOT_A_NUMBER or QUOTA. */
  add(place: ScopedMemoryKey, by: number, ttlMs: number | null): Promise<number>;
  /**
   * Adds items to a list; returns the positions of those that were not in it, each once. `items`: their keys, as text
   * of a PostgreSQL array. Throws NodeFailure QUOTA.
   */
  see(place: ScopedMemoryKey, items: string, ttlMs: number | null): Promise<number[]>;
}

/**
 * A table of the workspace. Methods throw NodeFailure for what does not fit the table, a unique value that is taken,
 * and the quota.
 */
export interface TableAccess {
  columns: readonly { name: string; type: TableColumnType }[];
  get(key: unknown): Promise<unknown>;
  find(search: { filter?: unknown; sort?: unknown; limit: number }): Promise<unknown[]>;
  count(filter?: unknown): Promise<number>;
  insert(rows: unknown[]): Promise<unknown[]>;
  /** Without a filter, all rows are changed or removed. Returns how many they were. */
  update(change: { filter?: unknown; row: unknown }): Promise<number>;
  remove(filter?: unknown): Promise<number>;
  /** The same, but returns the rows: the changed ones, or those that are gone. */
  updateAndList(change: { filter?: unknown; row: unknown }): Promise<unknown[]>;
  removeAndList(filter?: unknown): Promise<unknown[]>;
  upsert(change: { key: unknown; row: unknown }): Promise<unknown>;
  increment(change: { key: unknown; column: unknown; by: number }): Promise<unknown>;
}

/** The data of its workspace that a change may read and change in one transaction. */
export interface ChangeTransaction {
  memory: WorkflowMemoryAccess;
  /** Throws NodeFailure TABLE_NOT_FOUND. */
  table(id: string): Promise<TableAccess>;
}
