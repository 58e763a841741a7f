import type { ExpressionDialect } from '@/contract/workflows/expression-language';
import type { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import type { NodeCategory, PollSourceSettings } from '@/contract/workflows/node-type';
import type { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { deriveFieldLists, type FieldLists } from './field-lists';
import type { LoopParts } from './parts';
import type {
  ChangeTransaction,
  WorkspaceObjectDetails,
  WorkspaceObjectRef,
  LoopRepetition,
  CallerResponse,
  FormEnding,
  NodeRunContext,
  WaitReason,
} from './run-context';

export type * from './run-context';

/** For each item of an output the position of the item of the list of the node that it came from; null: of none. */
export type ItemOrigins = readonly (number | null)[];

/**
 * The result of a node. `completeNode`: its output leaves by `port`; the first `answer` of a run goes to the caller
 * that waits for it, and the last `ending` is shown to the visitor of its form. `wait`: nothing stays in memory meanwhile; the node runs again at `until`, or, for a decision,
 * after it (then `pauses` the execution), or after the run in `held` has ended. `rounds`: its inner definition runs for
 * each item; the results, in order, are its output. `round`: its inner definition runs once more, then the node.
 * `change`: a change of the service's own data, committed in one transaction with the node's result. `apply` may run
 * several times, but its changes are stored exactly once; it returns the output.
 */
export type NodeRunResult =
  | {
      kind: 'done';
      port: string;
      output: unknown;
      answer?: CallerResponse;
      ending?: FormEnding;
      origins?: ItemOrigins;
    }
  | { kind: 'wait'; until: Date | null; forDecision: boolean; held?: WaitReason }
  | { kind: 'rounds'; items: unknown[] | LargeJsonText; concurrency: number }
  | { kind: 'round'; progress: LoopRepetition }
  | { kind: 'change'; apply(data: ChangeTransaction): Promise<unknown> };

export const completeNode = (output: unknown, port = 'output'): NodeRunResult => ({ kind: 'done', port, output });

/**
 * The traits that an agent needs to offer nodes of a type to a model as tools. The input of such a node is the
 * arguments that the model chose.
 */
export interface NodeToolTraits<Config> {
  /** Arguments that its config takes besides what its author wrote. Absent: only expressions on `input` read them. */
  arguments?: {
    /** The object of the workspace that they depend on. */
    about?(written: Record<string, unknown>): WorkspaceObjectRef | undefined;
    /** Their JSON Schema; undefined: not known. */
    schema(
      written: Record<string, unknown>,
      facts: WorkspaceObjectDetails | undefined,
    ): Record<string, unknown> | undefined;
    /** The config with those that a model chose. What the author wrote stays as it is. Throws NodeFailure. */
    merge(
      config: Config,
      chosen: Record<string, unknown>,
      written: Record<string, unknown>,
      context: Pick<NodeRunContext<Config>, 'workspaceId'>,
    ): Config | Promise<Config>;
  };
  /** Issues of a config that only a tool has. `field` is a path inside the config. */
  issues?(written: Record<string, unknown>): FieldIssue[];
  /** Runs in place of `run`. */
  run?(context: NodeRunContext<Config>): NodeRunResult | Promise<NodeRunResult>;
}

/** A node inside the config of another. `at`: its path inside that node, such as `config.tools[2]`. */
export interface NestedNode {
  node: WorkflowNode;
  at: string;
}

/**
 * What the file of a node type says: a file in this folder, an icon in public/nodes and a line in the list. Its fields
 * say in the schema what they are (`field-traits.ts`).
 */
export interface NodeTypeRecord<Config extends z.ZodObject = z.ZodObject> {
  type: string;
  title: string;
  /** One sentence for palette and docs. */
  summary: string;
  /**
   * Lower-case words that people search for and that title and summary lack, such as the names that other products use.
   */
  synonyms?: string[];
  category: NodeCategory;
  /**
   * The config as the author writes it, after expressions are replaced. Titles and hints are zod metadata. Every field
   * that may be missing in a draft is optional here; see `requiredField`.
   */
  config: Config;
  /**
   * Further requirements of a run that `requiredField` cannot express: one of two fields, an expression that may be
   * empty, or a field that is allowed only with a credential. `field` is a path inside the config. `isTool`: a model
   * chooses what its author left open.
   */
  gaps?(source: Record<string, unknown>, hasCredential: boolean, isTool?: boolean): FieldIssue[];
  /**
   * Issues of a config as written that its schema cannot express: it cannot be saved. `field` is a path inside the
   * config.
   */
  issues?(source: Record<string, unknown>): FieldIssue[];
  /** For a loop without an inner definition: how its rounds consist of parts. */
  parts?(node: WorkflowNode, language: ExpressionDialect): LoopParts<NodeTypeDefinition>;
  /** The nodes that its config contains as tools. Accepts any config. */
  tools?(source: Record<string, unknown>): NestedNode[];
  /** Bare JSONata and JSON Schemas deeper inside its config. `field` is a path. Accepts any config. */
  contents?(source: Record<string, unknown>): ({ field: string } & ({ text: string } | { schema: object }))[];
  /** If it is set, an agent can use nodes of this type as tools. */
  tool?: NodeToolTraits<z.output<Config>>;
  /** False for nodes that start a run. */
  hasInput: boolean;
  /** False: it reads its input only through the expressions of its config. */
  seesInput?: false;
  /** Output ports without `error`, which every node but start has. */
  outputs: string[];
  /** Kinds of credential that it accepts; empty: none. */
  credentialTypes: string[];
  /** It cannot run without a credential. May depend on the config as written. */
  needsCredential?: boolean | ((source: Record<string, unknown>) => boolean);
  /** The connector that its credential must belong to, derived from the config; undefined: any. */
  connectorOf?(config: Record<string, unknown>): string | undefined;
  /**
   * True: it has side effects, so its start is recorded and a timeout applies. False: a pure computation. An attempt
   * after a decision is always pure. May depend on the config as written.
   */
  isOutside: boolean | ((source: Record<string, unknown>) => boolean);
  /**
   * Says what the node does in a test without a mock. By default an outside node has to be mocked and any other runs.
   * `pass`: its input is its output.
   */
  inTests?: 'run' | 'pass' | 'mock';
  /**
   * For outside nodes that only compute, in another process: an attempt may start before its start is stored, because
   * an attempt that is repeated or dropped has had no effect.
   */
  startsEarly?: true;
  /**
   * An attempt that a crash interrupted is not repeated, unless its author says that it is repeatable, or is to be
   * retried.
   */
  isOnce?: true;
  /** It answers the caller that waits for the run: what comes in is likely to be the answer. */
  answersCaller?: true;
  /**
   * Its outcome is a `change`, and it acts on nothing else: an attempt that was interrupted has changed nothing.
   * Implies `isOutside`.
   */
  isTransactional?: true;
  /** The maximum `timeoutMs` of this type. */
  maxTimeoutMs?: number;
  /** The `timeoutMs` of nodes of this type that set none; absent: a minute for outside nodes. */
  defaultTimeoutMs?: number;
  /**
   * It has an address at which it takes a call: `execution.resumeUrls.<id>` in expressions. `page`: the call is made by
   * the page of a form, which is shown at the address.
   */
  takesCall?: 'any' | 'page';
  /** It ends a form: what it says is shown to the visitor. */
  endsForm?: true;
  /**
   * It can ask the source of a poll: it needs nothing but its config and credential, and its output is an answer. With
   * settings if all polls of it have the same.
   */
  asksSource?: true | PollSourceSettings;
  /** A node that is not outside may wait, for a time or for a person. */
  mayWait?: true;
  /** The number of items at a time of a node with `each` that sets none; absent: 1. */
  eachConcurrency?: number;
  /** It enforces its `timeoutMs` itself. */
  timesItself?: boolean;
  /** A computation without I/O returns synchronously, because each promise has a cost. */
  run(context: NodeRunContext<z.output<Config>>): NodeRunResult | Promise<NodeRunResult>;
}

/** One node type, with the lists that follow from the fields of its config. */
export interface NodeTypeDefinition<Config extends z.ZodObject = z.ZodObject>
  extends NodeTypeRecord<Config>, FieldLists {}

export const defineNodeType = <Config extends z.ZodObject>(
  nodeType: NodeTypeRecord<Config>,
): NodeTypeDefinition<Config> => ({ ...nodeType, ...deriveFieldLists(nodeType.config) });
