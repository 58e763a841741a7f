import type { FormField } from '@/contract/triggers/form-fields';
import type { LogLevel } from '@/contract/execution-log';
import type { PollFirst } from '@/contract/triggers/poll';
import type { Retry } from '@/contract/workflows/workflow';
import type { CredentialHandle } from '@/server/connectors/credential-handle';
import type { FileAccess } from '@/server/outbound/files';
import type { Redactor } from '@/server/redaction/redactor';
import type { ExecutionScope } from '@/server/expressions/scope';

export type { FileAccess, StoredFile } from '@/server/outbound/files';

/** The services that a running node may use. Independent of Prisma, HTTP and the engine. */
export interface RunContext<Config> {
  executionId: string;
  workflowId: string;
  workspaceId: string;
  /** The node's path in the run: its id, inside rounds of loops `loop[3].inner`. */
  nodeId: string;
  attempt: number;
  /** Parsed, with every expression replaced by its value. */
  config: Config;
  /** The config as written: distinguishes the author's text from inserted data. */
  written: Record<string, unknown>;
  /** The input. Values with more than 64 KiB of JSON are `LargeJson`, here, in `nodes` and in `execution`. */
  input: unknown;
  /** Outputs of finished nodes by their ids, and the run itself, for expressions. */
  nodes: Record<string, unknown>;
  execution: ExecutionScope;
  /** Variables of the workspace; empty unless the node's config names `vars`. */
  vars: Readonly<Record<string, unknown>>;
  /** The workflow's time zone. */
  timeZone: string;
  /** The node's retries, if its author set them. */
  retry: Partial<Retry> | undefined;
  /** The node's timeout, if its author set one. */
  timeoutMs: number | undefined;
  /** The node's credential, opened for this attempt; undefined: none. */
  credential?: CredentialHandle;
  /** Of a poll: what becomes of the items of its first answer; undefined: it is a node of a run. */
  first: PollFirst | undefined;
  /** Redacts secrets from a text before it is cut: half of a secret would not be found later. */
  secrets: Redactor & { readonly all: string[] };
  /** Aborted on timeout, cancellation and loss of the lease. */
  signal: AbortSignal;
  /** `<execution>:<node>`: equal for every try, so that receivers can detect repetitions. */
  idempotencyKey: string;
  /** The decision that resumed a waiting node. */
  decision: Decision | undefined;
  /** The call that has arrived at the address of this node; undefined: none yet. */
  call: IncomingCall | undefined;
  /** When this node first began to wait; undefined at the first attempt. */
  waitingSince: Date | undefined;
  /** The result of the run that this node started and waits for; undefined: not yet available. */
  child: ChildEnd | undefined;
  /** The finished round of this loop, which the node judges; undefined: no round has begun. */
  round: FinishedRound | undefined;
  /** Evaluates expressions of `ownExpressions`, by field, on a scope of their own; one without a value is absent. Throws NodeFailure. */
  evaluate(
    expressions: Record<string, string>,
    scope: Record<string, unknown>,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Starts a run of a workflow of this workspace: idempotent within one try. */
  startChild(request: ChildRequest): Promise<ChildStart>;
  /** The address of the page where its holder can decide at this node as `email`; works until `expiresAt`. */
  decisionLink(email: string, expiresAt: Date | null): string;
  /** Waits until there is memory for a large answer; it stays reserved until the node's result is stored. */
  reserve(bytes: number): Promise<void>;
  /** Backpressure: waits while too many results of nodes are not stored yet. */
  room(): Promise<void>;
  /** The files of the workspace. */
  files: FileAccess;
  /** What is known of objects of the workspace; those that the run may not use are refused. Throws NodeFailure. */
  factsOf(named: NamedObject[]): Promise<Facts[]>;
  /** The stored results of one part in the rounds of its loop so far, in order, with the indexes of their rounds. Throws NodeFailure. */
  roundResults(part: string): Promise<RoundResult[]>;
  /** Shows the text of an answer so far to the caller of a chat that waits for it; undefined: no caller, or the node writes no answer. */
  showText: ((text: string) => void) | undefined;
  /** Secrets are redacted from the message, unless that was done already. */
  log(level: LogLevel, message: string, isRedacted?: boolean): void;
}

/** A workflow that an agent may run, a table that it may use, or an operation of a connector of the workspace. */
export type NamedObject =
  | { resource: 'connector'; id: string; operation: string }
  | { resource: 'workflow'; id: string }
  | { resource: 'table'; id: string; action: 'read' | 'write' };

/** What a model is told about such an object. */
export interface Facts {
  name: string;
  description: string;
  /** Of a workflow: the JSON Schema of its input, if it has one. Of an operation: that of its parameters. */
  inputSchema?: Record<string, unknown>;
  /** Of a table: its columns. */
  columns?: { name: string; type: string }[];
}

/** The output of a node in an earlier round of its loop. */
export interface RoundResult {
  round: number;
  output: unknown;
}

/** A user's decision at an approval. */
export interface Decision {
  decision: 'approved' | 'rejected';
  comment: string | null;
  decidedBy: string;
  decidedAt: string;
  /** The values of the fields of the approval; null: none. */
  data: Record<string, unknown> | null;
}

/** A call that has arrived at the address of a node. */
export interface IncomingCall {
  /** What was posted. A value with more than 64 KiB of JSON is `LargeJson`. */
  read(): Promise<unknown>;
}

/** A run requested by a node. */
export interface ChildRequest {
  workflowId: string;
  input: unknown;
  /** The node waits for it: it is cancelled together with the node. */
  isAwaited: boolean;
}

/** The run that was started, or how long the workspace's rate limit asks to wait before the next attempt. */
export type ChildStart = { executionId: string } | { retryAfterMs: number };

/** The end of a run that a node waited for. */
export type ChildEnd = { executionId: string } & (
  | { status: 'completed'; output: unknown }
  | { status: 'failed'; error: { code: string; message: string } }
);

/** The reason for waiting: a run, the people who may decide, or a call. */
export type Waiting =
  | { childId: string }
  | { message: string; assignees: string[]; fields?: FormField[] }
  | { awaitsCall: true };

/** The progress of a loop that decides after each round whether another follows. */
export interface Repetition {
  /** The index of the current round. */
  round: number;
  /** When the current round may begin, as ISO time; undefined: at once. */
  notBefore?: string;
  /** Characters of JSON of the outputs that are collected so far. */
  collected?: number;
  /** Set: the current round was the last one. */
  end?: { isDone: boolean; isCollected: boolean };
}

/** A round whose nodes have all finished. */
export interface FinishedRound {
  progress: Repetition;
  output: unknown;
}

/** The answer of a run to the caller that waits for it. Names of headers are in lower case. */
export interface RunAnswer {
  status: number;
  headers: Record<string, string>;
  /** Empty: none. */
  body: string;
}

/** A place for a value or a list that workflows remember. `scope`: whether other workflows of the workspace see it, too. */
export interface RememberedKey {
  scope: 'workflow' | 'workspace';
  key: string;
}

/** What workflows remember between their runs. */
export interface NodeMemory {
  /** The value; null: none, or it has expired. */
  get(place: RememberedKey): Promise<unknown>;
  /** `ttlMs` null: it does not expire. Throws NodeFailure QUOTA. */
  set(place: RememberedKey, value: unknown, ttlMs: number | null): Promise<void>;
  /** Adds to a number, which begins at 0, and returns the new one. Throws NodeFailure NOT_A_NUMBER or QUOTA. */
  add(place: RememberedKey, by: number, ttlMs: number | null): Promise<number>;
  /**
   * Adds items to a list; returns the positions of those that were not in it, each once. `items`: their keys, as text of a PostgreSQL array.
   * Throws NodeFailure QUOTA.
   */
  see(place: RememberedKey, items: string, ttlMs: number | null): Promise<number[]>;
}

/** A table of the workspace. Methods throw NodeFailure for what does not fit the table, a unique value that is taken, and the quota. */
export interface NodeTable {
  get(key: unknown): Promise<unknown>;
  find(search: { filter?: unknown; sort?: unknown; limit: number }): Promise<unknown[]>;
  count(filter?: unknown): Promise<number>;
  insert(rows: unknown[]): Promise<unknown[]>;
  /** Without a filter: all rows. Returns how many were changed, or removed. */
  update(change: { filter?: unknown; row: unknown }): Promise<number>;
  remove(filter?: unknown): Promise<number>;
  upsert(change: { key: unknown; row: unknown }): Promise<unknown>;
  increment(change: { key: unknown; column: unknown; by: number }): Promise<unknown>;
}

/** What a change may read and change: data of its workspace, in one transaction. */
export interface ChangeData {
  memory: NodeMemory;
  /** Throws NodeFailure TABLE_NOT_FOUND. */
  table(id: string): Promise<NodeTable>;
}
