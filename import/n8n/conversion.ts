import type { NodeConnection, WorkflowNode } from '@/contract/workflows/workflow';
import { jsonataString } from './javascript/code';
import type { ValueReference, ListsByNodeName, ExpressionScope } from './javascript/scope';
import { cutWellFormed, type N8nNode } from './file';
import { convertExpression, convertTemplate, convertValue, type NodeExpressions } from './n8n-expressions';

/** Where a node finds its input: as JSONata, and as a path from its own input. */
export interface InputReference extends ValueReference {
  /** The path from the input of the node to it, such as `.body`; undefined: it is no part of the input. */
  path: string | undefined;
  /** For a list only: see ExpressionScope. */
  rows?: ListsByNodeName | undefined;
}

/** The nodes that replace one node of n8n: one, several, or none. */
export interface ConvertedNodes {
  nodes: WorkflowNode[];
  connections: NodeConnection[];
  /** The ids of the nodes that its incoming connections lead to. */
  entries: string[];
  /**
   * Its outputs, in n8n's order; `code`: the data of an output if it differs from the result; `also`: other ports of
   * the same output.
   */
  outputs: { node: string; port: string; code?: string; rows?: ListsByNodeName; also?: string[] }[];
  /** The id of the node whose error port stands for failures; undefined: it can not fail. */
  failingNodeId: string | undefined;
  /** JavaScript for a function that makes what n8n gives of the value at the path of the result, where it differs. */
  shape?: string;
  /** The path of the value that `shape` gets. */
  answerPath?: string | undefined;
  /** Its result: as a path from the input of the next node, and as JSONata that is valid anywhere. */
  result: InputReference;
}

export type ConversionStatus = 'converted' | 'partly' | 'placeholder' | 'left out';

/** The type and config of a node of Weft. `path`: where its output has the data that n8n's node gives. */
export interface WeftNodeConfig {
  type: string;
  config: Record<string, unknown>;
  path?: string;
  /** What picked values were called, by their paths in the config. */
  labels?: Record<string, string>;
}

/** What the conversion of one node needs to know about the rest of the workflow. */
export interface ConversionContext {
  source: InputReference;
  /** The data that arrives at each input. */
  inputs: readonly (InputReference | undefined)[];
  nodes: ReadonlyMap<string, ValueReference>;
  workflowName: string;
  resumeUrl: string | undefined;
  /** Creates a new id from a name. */
  createId(name: string): string;
  /** Characters of expressions that may still be parsed, in the whole file. */
  budget: { characters: number };
  /** Whether this many more nodes may be created. */
  hasRoom(count: number): boolean;
  /** The parts of a node that have this kind of connection, such as its model and its tools. */
  attachedParts(owner: N8nNode, kind: string): N8nNode[];
  reportPart(part: N8nNode, outcome: ConversionStatus, message: string): void;
  /** See ExpressionScope. */
  fromAi?: ExpressionScope['fromAi'];
}

const LOOP_BODY_NODE_GAP = 320;
const EMPTY_ROW_LISTS: ListsByNodeName = new Map();

/** Converts one node of n8n and collects the remarks for its entry in the report. */
export class NodeConversion {
  outcome: ConversionStatus = 'converted';
  private readonly remarks = new Set<string>();
  private readonly lost = new Set<string>();

  constructor(
    readonly node: N8nNode,
    readonly id: string,
    readonly context: ConversionContext,
  ) {}

  get source(): InputReference {
    return this.context.source;
  }

  /** Adds a remark to the report that requires no action. */
  addRemark(sentence: string): void {
    this.remarks.add(sentence);
  }

  /** Adds a task to the report; the node then counts as partly converted. */
  addTodo(sentence: string): void {
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.addRemark(sentence);
  }

  /** Says that a file stands where n8n has fields. */
  remarkFileOutput(): void {
    this.addRemark('Its output is the value of the file.');
  }

  get message(): string {
    const lost = [...this.lost].slice(0, 3).map((each) => `Rewrite ${each}.`);
    const more = this.lost.size > 3 ? [`Rewrite ${this.lost.size - 3} more expressions.`] : [];
    return [...this.remarks, ...lost, ...more].join(' ');
  }

  /** The context for expressions about one item, which `json` is the code of. */
  expressions(json: string, index?: string): NodeExpressions {
    const scope: ExpressionScope = {
      json,
      all: this.all,
      index,
      rows: this.source.rows,
      nodes: this.context.nodes,
      workflowName: this.context.workflowName,
      resumeUrl: this.context.resumeUrl,
      fromAi: this.context.fromAi,
      need: (sentence) => this.addTodo(sentence),
    };
    const { budget } = this.context;
    const spend = (characters: number) => {
      budget.characters -= characters;
      return budget.characters >= 0;
    };
    const reportLost = (text: string, reason: string) => this.addLostExpression(text, reason);
    return { language: 'jsonata', scope, spend, reportLost };
  }

  addLostExpression(source: string, reason: string): void {
    this.addTodo('');
    this.remarks.delete('');
    const text = source.length > 80 ? `${cutWellFormed(source, 79)}…` : source;
    this.lost.add(`the expression “${text}”: ${reason} has no counterpart`);
  }

  /** The list of incoming items, as JSONata that is valid anywhere. */
  get all(): string {
    const { code, isList } = this.source;
    return isList ? asListCode(code) : `[${code}]`;
  }

  /** The list of incoming items, read from the input of this node where that is shorter. */
  get items(): string {
    const { path, isList } = this.source;
    if (path === undefined) return this.all;
    return isList || path === '' ? `input${path}` : `[input${path}]`;
  }

  /** The incoming value, read from the input of this node where possible. */
  get json(): string {
    const { path, code } = this.source;
    return path === undefined ? code : `input${path}`;
  }

  /** One node of Weft that receives the whole input. */
  asSingleNode(
    { type, config, path = '', labels }: WeftNodeConfig,
    isList = false,
    ports: readonly string[] = ['output'],
  ): ConvertedNodes {
    return {
      nodes: [{ ...this.createNode(this.id, type, config), ...(labels ? { labels } : {}) }],
      connections: [],
      entries: [this.id],
      outputs: ports.map((port) => ({ node: this.id, port })),
      failingNodeId: this.id,
      result: { code: `nodes.${this.id}${path}`, path, isList },
    };
  }

  /** A node that passes its input on, by one or more ports. */
  asPassThrough({ type, config }: WeftNodeConfig, ports: readonly string[] = ['output']): ConvertedNodes {
    const { path, code, isList, rows } = this.source;
    const result = { code: path === undefined ? code : `nodes.${this.id}${path}`, path, isList, rows };
    return { ...this.asSingleNode({ type, config }, isList, ports), result };
  }

  /** The expressions that `forEachItem` passes to its callback. */
  get itemExpressions(): NodeExpressions {
    return this.source.isList ? this.expressions('input.item', 'input.index') : this.expressions(this.json);
  }

  /**
   * A node that acts on each item: inside of a loop, if a list comes in. `item`: the code of the item, for expressions
   * anywhere.
   */
  forEachItem(make: (expressions: NodeExpressions, item: string) => WeftNodeConfig, isList = false): ConvertedNodes {
    if (!this.source.isList || !this.context.hasRoom(3)) {
      if (this.source.isList) this.addTodo('It acts once for the whole list: put it into a for_each.');
      return this.asSingleNode(make(this.expressions(this.json), this.source.code), isList);
    }
    const start = this.context.createId(`${this.id}_item`);
    const inner = this.context.createId(`${this.id}_one`);
    const { type, config, path = '', labels } = make(this.itemExpressions, `nodes.${start}.item`);
    const { x, y } = this.node.position;
    const body = {
      nodes: [
        { id: start, type: 'start', position: { x, y }, config: {} },
        {
          ...this.createNode(inner, type, config),
          ...(labels ? { labels } : {}),
          position: { x: x + LOOP_BODY_NODE_GAP, y },
        },
      ],
      connections: [{ sourceNode: start, sourcePort: 'output', targetNode: inner, targetPort: 'input' }],
    };
    const { retry: _, ...loop } = this.createNode(this.id, 'for_each', { items: this.items, body });
    return {
      ...this.asSingleNode({ type: 'for_each', config: {} }, true),
      nodes: [loop],
      result: { code: `nodes.${this.id}${path}`, path, isList: true, rows: isList ? undefined : this.source.rows },
    };
  }

  /** The values that `make` builds, one for each item, as a transform. `make` gets the code of the item. */
  mapItems(make: (expressions: NodeExpressions) => string | undefined): ConvertedNodes | undefined {
    if (!this.source.isList) {
      const code = make(this.expressions(this.json));
      return code === undefined ? undefined : this.asSingleNode({ type: 'transform', config: { expression: code } });
    }
    const code = make(this.expressions('$item', '$index'));
    if (code === undefined) return undefined;
    const config = { expression: `[$map(${this.items}, function($item, $index) { ${code} })]` };
    const piece = this.asSingleNode({ type: 'transform', config }, true);
    return { ...piece, result: { ...piece.result, rows: this.source.rows } };
  }

  /** A piece that gives some of the items that come in, or all of them in another order. */
  asSelection(piece: ConvertedNodes): ConvertedNodes {
    const { result, outputs } = piece;
    return {
      ...piece,
      result: { ...result, rows: this.selectedRows(result.code) },
      outputs: outputs.map((output) =>
        output.code === undefined ? output : { ...output, rows: this.selectedRows(output.code) },
      ),
    };
  }

  /** The rows of a list with items of the one that comes in. */
  private selectedRows(code: string): ListsByNodeName {
    const { rows = EMPTY_ROW_LISTS, code: before } = this.source;
    return new Map([...rows].flatMap(([name, list]) => (list === before ? [[name, code] as const] : [])));
  }

  /** Passes its input on in place of a node without a counterpart. */
  placeholder(reason: string): ConvertedNodes {
    this.outcome = 'placeholder';
    this.addRemark(reason);
    return this.asPassThrough({ type: 'transform', config: { expression: 'input' } });
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
      config: Object.fromEntries(Object.entries(config).filter(([, each]) => each !== undefined)),
      ...(isDisabled ? { disabled: true } : {}),
      ...(notes ? { notes: cutWellFormed(notes, 5000) } : {}),
      ...(retry && type !== 'condition' && type !== 'switch' ? { retry } : {}),
    };
  }
}

/** Code that always gives a list; code that builds a list stays as it is. */
export const asListCode = (code: string): string => (code.startsWith('[') && code.endsWith(']') ? code : `[${code}]`);

/** A parameter as a text, which may have expressions; undefined: it is empty. */
export const parameterText = (given: unknown, expressions: NodeExpressions): string | undefined =>
  typeof given === 'string' && given !== '' && given !== '='
    ? convertTemplate(given, expressions)
    : typeof given === 'number' || typeof given === 'boolean'
      ? String(given)
      : undefined;

export const parameterValue = convertValue;

/** A parameter as JSONata, or null where it has no counterpart. */
export const parameterCode = (given: unknown, expressions: NodeExpressions): string =>
  convertExpression(given, expressions)?.code ??
  (typeof given === 'string' ? jsonataString(`(n8n: ${cutWellFormed(given.slice(1), 200)})`) : 'null');
