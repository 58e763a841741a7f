import type { z } from 'zod';
import type { FieldError } from '@/contract/error';
import type { FormField } from '@/contract/triggers/form-fields';
import type { NodeCategory } from '@/contract/workflows/node-type';
import type { LogLevel } from '@/contract/execution';
import type { Retry } from '@/contract/workflows/workflow';
import type { CredentialHandle } from '@/server/connectors/held';
import type { FileAccess } from '@/server/outbound/files';
import type { Redactor } from '@/server/redaction/redactor';
import type { LargeJson } from '@/server/expressions/large-json';
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
  /** Secrets are redacted from the message, unless that was done already. */
  log(level: LogLevel, message: string, isRedacted?: boolean): void;
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

/**
 * The result of a node. `done`: its output leaves by `port`; the first `answer` of a run goes to the caller that waits for it. `wait`: nothing
 * stays in memory meanwhile; the node runs again at `until`, or, for a decision, after it (then `pauses` the execution), or after the run in
 * `held` has ended. `rounds`: its inner definition runs for each item; the results, in order, are its output. `round`: its inner definition
 * runs once more, then the node. `change`: a change of the service's own data, committed in one transaction with the node's result. `apply`
 * may run several times, but its changes are stored exactly once; it returns the output.
 */
export type Outcome =
  | { kind: 'done'; port: string; output: unknown; answer?: RunAnswer }
  | { kind: 'wait'; until: Date | null; forDecision: boolean; held?: Waiting }
  | { kind: 'rounds'; items: unknown[] | LargeJson; concurrency: number }
  | { kind: 'round'; progress: Repetition }
  | { kind: 'change'; apply(data: ChangeData): Promise<unknown> };

export const done = (output: unknown, port = 'output'): Outcome => ({ kind: 'done', port, output });

/** One node type: a file in this folder, an icon in public/nodes and a line in the list. */
export interface NodeKind<Config extends z.ZodObject = z.ZodObject> {
  type: string;
  title: string;
  /** One sentence for palette and docs. */
  summary: string;
  /** Lower-case words that people search for and that title and summary lack, such as the names that other products use. */
  synonyms?: string[];
  category: NodeCategory;
  /**
   * The config as the author writes it, after expressions are replaced. Titles and hints are zod metadata. Every field that may be missing
   * in a draft is optional here; see `required`.
   */
  config: Config;
  /** Fields that a run requires, with a value other than undefined; a draft may lack them. */
  required: (keyof z.output<Config> & string)[];
  /**
   * Further requirements of a run that `required` cannot express: one of two fields, an expression that may be empty, or a field that is
   * allowed only with a credential. `field` is a path inside the config.
   */
  gaps?(source: Record<string, unknown>, hasCredential: boolean): FieldError[];
  /** Issues of a config as written that its schema cannot express: it cannot be saved. `field` is a path inside the config. */
  issues?(source: Record<string, unknown>): FieldError[];
  /** Fields that contain bare JSONata, evaluated before `run` like any other expression. */
  expressions: (keyof z.output<Config> & string)[];
  /** Fields that contain bare JSONata on `item` and `index`, which the node evaluates for each item of a list. Also in `literals`. */
  itemExpressions?: (keyof z.output<Config> & string)[];
  /**
   * Further fields that contain bare JSONata, with the names that it may use. The node evaluates them itself (`RunContext.evaluate`). Such
   * a field, or the one around it (`pagination.items`), is also in `literals`.
   */
  ownExpressions?: Readonly<Record<string, readonly string[]>>;
  /** Expression fields in which a path that leads to nothing fails: probably a name is misspelt. */
  paths?: (keyof z.output<Config> & string)[];
  /** Fields that are taken literally, without expressions. */
  literals?: (keyof z.output<Config> & string)[];
  /** Fields that accept any value: a large one reaches `run` as `LargeJson`, unparsed. */
  largeFields?: (keyof z.output<Config> & string)[];
  /** Text fields that may contain HTML: in HTML the values of expressions are escaped. */
  markup?: (keyof z.output<Config> & string)[];
  /** Fields that contain a JSON Schema. */
  schemas?: (keyof z.output<Config> & string)[];
  /** The field that contains an inner definition (always one of `literals`). */
  inner?: keyof z.output<Config> & string;
  /** The field that names a workflow to run. Saving and running it need `workflow:execute` on that workflow. */
  workflowField?: keyof z.output<Config> & string;
  /** The field that names a table, and what the node does to it. Saving and running it need that permission on the table. */
  table?: { field: keyof z.output<Config> & string; action(config: Record<string, unknown>): 'read' | 'write' };
  /** False for nodes that start a run. */
  hasInput: boolean;
  /** False: it reads its input only through the expressions of its config. */
  seesInput?: false;
  /** Output ports without `error`, which every node but start has. */
  outputs: string[];
  /** The config field that names further output ports, with a reader for them. */
  dynamicOutputs?: { field: string; ports(config: Record<string, unknown>): string[] };
  /** Kinds of credential that it accepts; empty: none. */
  credentialTypes: string[];
  /** It cannot run without a credential. */
  needsCredential?: boolean;
  /** The connector that its credential must belong to, derived from the config; undefined: any. */
  connectorOf?(config: Record<string, unknown>): string | undefined;
  /**
   * True: it has side effects, so its start is recorded and a timeout applies. False: a pure computation. An attempt after a decision is
   * always pure. May depend on the config as written.
   */
  isOutside: boolean | ((source: Record<string, unknown>) => boolean);
  /** What it does in a test without a mock. Absent: an outside node has to be mocked, any other runs. `pass`: its input is its output. */
  inTests?: 'run' | 'pass' | 'mock';
  /**
   * For outside nodes that only compute, in another process: an attempt may start before its start is stored, because an attempt that is
   * repeated or dropped has had no effect.
   */
  startsEarly?: true;
  /** Its outcome is a `change`, and it acts on nothing else: an attempt that was interrupted has changed nothing. Implies `isOutside`. */
  isTransactional?: true;
  /** The maximum `timeoutMs` of this type. */
  maxTimeoutMs?: number;
  /** It has an address at which it takes a call: `execution.resumeUrls.<id>` in expressions. */
  takesCall?: true;
  /** It can ask the source of a poll: it needs nothing but its config and credential, and its output is an answer. */
  asksSource?: true;
  /** It enforces its `timeoutMs` itself. */
  timesItself?: boolean;
  /** A computation without I/O returns synchronously, because each promise has a cost. */
  run(context: RunContext<z.output<Config>>): Outcome | Promise<Outcome>;
}

export const nodeKind = <Config extends z.ZodObject>(kind: NodeKind<Config>): NodeKind<Config> => kind;
