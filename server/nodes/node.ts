import type { z } from 'zod';
import type { FieldError } from '@/contract/error';
import type { NodeCategory } from '@/contract/node-type';
import type { Answer, LogLevel, RunError } from '@/contract/execution';
import type { Held } from '../connectors/held';
import type { Redactor } from '../connectors/redact';

/** What a running node may use. Knows neither Prisma nor HTTP nor the engine. */
export interface RunContext<Config> {
  executionId: string;
  workflowId: string;
  workspaceId: string;
  /** The node's path in the run: its id, inside for_each rounds `loop[3].inner`. */
  nodeId: string;
  attempt: number;
  /** Parsed, with every expression already replaced by its value. */
  config: Config;
  /** The config as its author wrote it: tells the author's own text from what data put into it. */
  written: Record<string, unknown>;
  /** What came in. */
  input: unknown;
  /** Outputs of finished nodes by their ids, and the run itself, as expressions see them. */
  nodes: Record<string, unknown>;
  execution: { id: string; workflowId: string; input: unknown };
  /** How long the node may take, if its author said so. */
  timeoutMs: number | undefined;
  /** The node's credential, opened for this visit; undefined: it has none. */
  credential?: Held;
  /** Takes secrets out of a text that is to be cut: half of one would go unnoticed later on. */
  secrets: Redactor;
  /** Aborted on timeout, cancellation and loss of the lease. */
  signal: AbortSignal;
  /** `<execution>:<node>`: the same on every try, so that receivers can tell a repetition. */
  idempotencyKey: string;
  /** The decision that a waiting node was resumed with. */
  decision: Decision | undefined;
  /** When this node first began to wait; undefined on the first visit. */
  waitingSince: Date | undefined;
  /** What the run that this node started and waits for came to; undefined: nothing yet. */
  child: ChildEnd | undefined;
  /** Starts a run of a workflow of this workspace: one for each try, however often it is asked. Answers its id. */
  startChild(request: ChildRequest): Promise<string>;
  /** The address of the page where whoever has it can decide at this node as `email`; works until `expiresAt`. */
  decisionLink(email: string, expiresAt: Date | null): string;
  /** Waits until there is memory for a large answer; it counts as taken until the node's result is stored. */
  reserve(bytes: number): Promise<void>;
  /** Waits as long as there is too much that nodes came to and that is not stored yet. */
  room(): Promise<void>;
  log(level: LogLevel, message: string): void;
}

/** What a person decided at an approval. */
export interface Decision {
  decision: 'approved' | 'rejected';
  comment: string | null;
  decidedBy: string;
  decidedAt: string;
}

/** A run that a node asks for. */
export interface ChildRequest {
  workflowId: string;
  input: unknown;
  /** The node waits for it: it is cancelled along with the node. */
  isAwaited: boolean;
}

/** The end of a run that a node waited for. */
export type ChildEnd = { executionId: string } & (
  | { status: 'completed'; output: unknown }
  | { status: 'failed'; error: { code: string; message: string } }
);

/** What a waiting node leaves behind to be found again: a run that it waits for, or who may decide. */
export type Waiting = { childId: string } | { message: string; assignees: string[] };

/**
 * What a node came to. `done`: its output leaves by `port`. `wait`: nothing is held meanwhile; the node is visited
 * again at `until`, or, for a decision, once somebody decided (then `pauses` the execution), or once the run in `held`
 * has ended. `rounds`: its inner definition runs for each item; the results, in order, are its output.
 */
export type Outcome =
  | { kind: 'done'; port: string; output: unknown }
  | { kind: 'wait'; until: Date | null; forDecision: boolean; held?: Waiting }
  | { kind: 'rounds'; items: unknown[]; concurrency: number };

export const done = (output: unknown, port = 'output'): Outcome => ({ kind: 'done', port, output });

/** Thrown by a node to fail with a stable code. Anything else that is thrown becomes INTERNAL. */
export class NodeFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** False: trying again would come out the same. */
    readonly retriable = true,
    /** The least wait before the next try, in milliseconds (Retry-After). */
    readonly retryAfterMs = 0,
    /** The expression that failed, or the answer that it failed by. */
    readonly by: { expression?: RunError['expression']; answer?: Answer } = {},
  ) {
    super(message);
  }
}

/** One node type: a file in this folder, an icon in public/nodes and a line in the list. */
export interface NodeKind<Config extends z.ZodObject = z.ZodObject> {
  type: string;
  title: string;
  /** One sentence for palette and docs. */
  summary: string;
  category: NodeCategory;
  /**
   * The config as the author writes it, after expressions are replaced. Titles and hints are zod metadata.
   * Everything that may be missing in a draft is optional here; see `required`.
   */
  config: Config;
  /** Fields that are required to run, and must come to a value; a draft may lack them. */
  required: (keyof z.output<Config> & string)[];
  /**
   * What a written config still lacks to run where `required` can't say it: one of two fields, or an expression that
   * may well come to nothing. `field` is a path inside the config.
   */
  gaps?(written: Record<string, unknown>): FieldError[];
  /** Fields that hold bare JSONata, evaluated by `run`'s caller like any other expression. */
  expressions: (keyof z.output<Config> & string)[];
  /** Fields that are taken as written: whatever looks like an expression in them isn't one. */
  literals?: (keyof z.output<Config> & string)[];
  /** Text fields that may hold HTML: in those that do, the values of expressions are escaped. */
  markup?: (keyof z.output<Config> & string)[];
  /** The field that holds a definition of its own (always one of `literals`). */
  inner?: keyof z.output<Config> & string;
  /** False for nodes that start a run. */
  hasInput: boolean;
  /** False: it sees what comes in only through the expressions of its config. */
  seesInput?: false;
  /** Output ports without `error`, which every node but start has. */
  outputs: string[];
  /** The config field that names further output ports, with a reader for them. */
  dynamicOutputs?: { field: string; ports(config: Record<string, unknown>): string[] };
  /** Kinds of credential it takes; empty: none. */
  credentialTypes: string[];
  /** It can't run without one. */
  needsCredential?: boolean;
  /** The connector that its credential must belong to, read off the config; undefined: any. */
  connectorOf?(config: Record<string, unknown>): string | undefined;
  /**
   * True: does something outside, so its start is recorded and a timeout applies. False: a pure computation. A visit
   * after a decision is always pure. May depend on the config as written.
   */
  isOutside: boolean | ((written: Record<string, unknown>) => boolean);
  /** It keeps to its `timeoutMs` by itself. */
  timesItself?: boolean;
  /** A computation that has no need to wait answers at once: each promise has its price, a thousand times a second. */
  run(context: RunContext<z.output<Config>>): Outcome | Promise<Outcome>;
}

export const nodeKind = <Config extends z.ZodObject>(kind: NodeKind<Config>): NodeKind<Config> => kind;
