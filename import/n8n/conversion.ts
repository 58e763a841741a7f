import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { CalledWorkflows } from './called-workflows';
import { asN8nObject, cutWellFormed, type N8nNode } from './file';
import { RemarkList } from './remarks';
import { convertTemplate, convertValue, type NodeExpressions } from './n8n-expressions';

/** The node of Weft that acts in place of a node of n8n, once for each item. */
export interface ConvertedCall {
  node: WorkflowNode;
  /** The path from its output to the data of n8n's node, such as `.body`. */
  path: string;
  /** It gives a list of values for each item. */
  isList: boolean;
  /** JavaScript for a function that makes what n8n gives of the value at the path, where it differs. */
  shape?: string;
  /** The function of the prelude that makes n8n's items of the output; undefined: the usual one. */
  reader?: string;
}

export type NodeConverter = (conversion: NodeConversion) => ConvertedCall;

export type ConversionStatus = 'converted' | 'partly' | 'placeholder' | 'left out';

/** The type and config of a node of Weft. `path`: where its output has the data that n8n's node gives. */
export interface WeftNodeConfig {
  type: string;
  config: Record<string, unknown>;
  path?: string;
  /** What picked values were called, by their paths in the config. */
  labels?: Record<string, string>;
}

/** The sentences of a message that require no action, and those that ask for a choice. */
export type MessageSentences = Partial<Pick<RemarkList, 'knowledge' | 'choices'>>;

/** What the conversion of one node needs to know about the rest of the workflow. */
export interface ConversionContext {
  /** The parts of a node that have this kind of connection, such as its model and its tools. */
  attachedParts(owner: N8nNode, kind: string): N8nNode[];
  /** `about`: what the sentences of the message are. */
  reportPart(part: N8nNode, outcome: ConversionStatus, message: string, about?: MessageSentences): void;
  /** The workflows that it may call. */
  workflows: CalledWorkflows;
  /** Whether the output of a node leads anywhere. */
  hasFollowers(node: N8nNode): boolean;
  /**
   * Whether the parameters of any other node that can read this one have this pattern. `isOfErrors`: it is about errors,
   * which may leave by an output of their own.
   */
  isNamedElsewhere(node: N8nNode, pattern: RegExp, isOfErrors?: boolean): boolean;
}

/** A task for what comes after a node. */
export const OUTPUT_TASK = /^Check what (?:reads|comes after)\b/;

/** Converts the parameters of one node of n8n, and collects the remarks for its entry in the report. */
export class NodeConversion {
  outcome: ConversionStatus = 'converted';
  readonly remarks = new RemarkList();

  constructor(
    readonly node: N8nNode,
    readonly id: string,
    readonly context: ConversionContext,
  ) {}

  /** A conversion of another node, such as a part of this one. */
  forNode(node: N8nNode, id: string): NodeConversion {
    return new NodeConversion(node, id, this.context);
  }

  /** Adds a remark to the report that requires no action. */
  addRemark(sentence: string): void {
    this.remarks.addNote(sentence);
  }

  /** Adds a task to the report; the node then counts as partly converted. */
  addTodo(sentence: string): void {
    if (OUTPUT_TASK.test(sentence) && !this.context.hasFollowers(this.node)) return;
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.remarks.addTask(sentence);
  }

  /** Asks for a field that is empty in n8n, too. `field`: its path in the node. */
  addChoice(field: string, sentence: string): void {
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.remarks.addChoice(field, sentence);
  }

  get message(): string {
    return this.remarks.message;
  }

  /** The context of expressions about the item. */
  readonly expressions: NodeExpressions = {
    reportLost: (source, reason) => {
      if (this.outcome === 'converted') this.outcome = 'partly';
      this.remarks.addLostExpression(source, reason);
    },
  };

  /** A node of Weft for each item. */
  createCall({ type, config, path = '', labels }: WeftNodeConfig, isList = false): ConvertedCall {
    return { node: { ...this.createNode(this.id, type, config), ...(labels ? { labels } : {}) }, path, isList };
  }

  /** Passes its input on in place of a node without a counterpart. */
  placeholder(reason: string): ConvertedCall {
    this.outcome = 'placeholder';
    this.addRemark(reason);
    return this.createCall({ type: 'transform', config: { expression: 'input' } });
  }

  /** A text with a limit. One with expressions can not be cut. */
  limitText(text: string | undefined, most: number): string | undefined {
    if (text === undefined || text.length <= most) return text;
    this.addTodo('A text of it is too long.');
    return text.includes('{{') ? undefined : cutWellFormed(text, most);
  }

  /** The node as it is stored. */
  createNode(id: string, type: string, config: Record<string, unknown>): WorkflowNode {
    const { name, position, isDisabled, notes, retry } = this.node;
    return {
      id,
      type,
      name: cutWellFormed(name, 200),
      position,
      config: dropUndefinedFields(config),
      ...(isDisabled ? { disabled: true } : {}),
      ...(notes ? { notes: cutWellFormed(notes, 5000) } : {}),
      ...(retry ? { retry } : {}),
    };
  }
}

export const dropUndefinedFields = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Whether a file has no value for a parameter, or an empty pick. n8n gives such a parameter its default. */
export function isEmptyParameter(given: unknown): boolean {
  const { __rl: isPicked, value, cachedResultName: name } = asN8nObject(given);
  const held = isPicked === true ? value || name : given;
  return held === undefined || held === null || held === '' || held === '=';
}

/** A parameter as a text, which may have expressions; undefined: it is empty. */
export const parameterText = (given: unknown, expressions: NodeExpressions): string | undefined =>
  typeof given === 'string' && given !== '' && given !== '='
    ? convertTemplate(given, expressions)
    : typeof given === 'number' || typeof given === 'boolean'
      ? String(given)
      : undefined;

export const parameterValue = convertValue;
