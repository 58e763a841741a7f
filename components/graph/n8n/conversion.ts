import type { Connection, Node } from '@/contract/workflows/workflow';
import { quoted } from './javascript/code';
import type { Place, Rows, Scope } from './javascript/scope';
import { cut, type N8nNode } from './file';
import { expression, template, value, type Expressions } from './text';

/** What a node gets. */
export interface Source extends Place {
  /** The path from the input of the node to it, such as `.body`; undefined: it is no part of the input. */
  path: string | undefined;
  /** Of a list: see Scope. */
  rows?: Rows | undefined;
}

/** What becomes of a node of n8n: one node, several, or none. */
export interface Piece {
  nodes: Node[];
  connections: Connection[];
  /** Where connections to it lead. */
  entries: string[];
  /** Its outputs, in n8n's order; `code`: what one gives, if it is not the result; `also`: other ports of it. */
  outputs: { node: string; port: string; code?: string; rows?: Rows; also?: string[] }[];
  /** The node that fails when it fails; undefined: it can not. */
  failing: string | undefined;
  /** What it gives, from the input of a node behind it, and for expressions anywhere. */
  result: Source;
}

export type Outcome = 'converted' | 'partly' | 'placeholder' | 'left out';

/** What a node of Weft needs. `path`: where its output has what n8n's node gives. */
export interface Made {
  type: string;
  config: Record<string, unknown>;
  path?: string;
}

/** What is around one node of n8n while it is converted. */
export interface Around {
  source: Source;
  /** What comes in at each input. */
  inputs: readonly (Source | undefined)[];
  nodes: ReadonlyMap<string, Place>;
  workflowName: string;
  resumeUrl: string | undefined;
  /** A new id for a name. */
  idOf(name: string): string;
  /** Characters of expressions that may still be parsed, in the whole file. */
  budget: { characters: number };
  /** Whether there is room for so many nodes more. */
  hasRoom(count: number): boolean;
  /** The parts of a node, such as its model and its tools, and what becomes of one. */
  attached(owner: N8nNode, kind: string): N8nNode[];
  tell(part: N8nNode, outcome: Outcome, message: string): void;
  /** See Scope. */
  fromAi?: Scope['fromAi'];
}

const LINE = 320;
const NO_ROWS: Rows = new Map();

/** Converts one node of n8n, and keeps what has to be said about it. */
export class Conversion {
  outcome: Outcome = 'converted';
  private readonly said = new Set<string>();
  private readonly lost = new Set<string>();

  constructor(
    readonly node: N8nNode,
    readonly id: string,
    readonly around: Around,
  ) {}

  get source(): Source {
    return this.around.source;
  }

  /** Says something that people need to know. */
  say(sentence: string): void {
    this.said.add(sentence);
  }

  /** Says what people have to do. */
  todo(sentence: string): void {
    if (this.outcome === 'converted') this.outcome = 'partly';
    this.say(sentence);
  }

  get message(): string {
    const lost = [...this.lost].slice(0, 3).map((each) => `Rewrite ${each}.`);
    const more = this.lost.size > 3 ? [`Rewrite ${this.lost.size - 3} more expressions.`] : [];
    return [...this.said, ...lost, ...more].join(' ');
  }

  /** Expressions about an item; `json` is where it is. */
  expressions(json: string, index?: string): Expressions {
    const scope: Scope = {
      json,
      all: this.all,
      index,
      rows: this.source.rows,
      nodes: this.around.nodes,
      workflowName: this.around.workflowName,
      resumeUrl: this.around.resumeUrl,
      fromAi: this.around.fromAi,
      need: (sentence) => this.todo(sentence),
    };
    const { budget } = this.around;
    const spend = (characters: number) => {
      budget.characters -= characters;
      return budget.characters >= 0;
    };
    return { scope, spend, lose: (source, reason) => this.lose(source, reason) };
  }

  lose(source: string, reason: string): void {
    this.todo('');
    this.said.delete('');
    const text = source.length > 80 ? `${cut(source, 79)}…` : source;
    this.lost.add(`the expression “${text}”: ${reason} has no counterpart`);
  }

  /** The list of items that come in. */
  get all(): string {
    const { code, isList } = this.source;
    return isList ? listed(code) : `[${code}]`;
  }

  /** The same from the input of this node, where it is shorter. */
  get items(): string {
    const { path, isList } = this.source;
    if (path === undefined) return this.all;
    return isList || path === '' ? `input${path}` : `[input${path}]`;
  }

  /** What comes in, from the input of this node. */
  get json(): string {
    const { path, code } = this.source;
    return path === undefined ? code : `input${path}`;
  }

  /** A node of Weft for the whole of what comes in. */
  whole({ type, config, path = '' }: Made, isList = false, ports: readonly string[] = ['output']): Piece {
    return {
      nodes: [this.written(this.id, type, config)],
      connections: [],
      entries: [this.id],
      outputs: ports.map((port) => ({ node: this.id, port })),
      failing: this.id,
      result: { code: `nodes.${this.id}${path}`, path, isList },
    };
  }

  /** A node that passes its input on, by one or more ports. */
  passing({ type, config }: Made, ports: readonly string[] = ['output']): Piece {
    const { path, code, isList, rows } = this.source;
    const result = { code: path === undefined ? code : `nodes.${this.id}${path}`, path, isList, rows };
    return { ...this.whole({ type, config }, isList, ports), result };
  }

  /** The expressions that `each` gives. */
  get ofEach(): Expressions {
    return this.source.isList ? this.expressions('input.item', 'input.index') : this.expressions(this.json);
  }

  /** A node that acts on each item: inside of a loop, if a list comes in. `item`: the code of the item, for expressions anywhere. */
  each(make: (expressions: Expressions, item: string) => Made, isList = false): Piece {
    if (!this.source.isList || !this.around.hasRoom(3)) {
      if (this.source.isList) this.todo('It acts once for the whole list: put it into a for_each.');
      return this.whole(make(this.expressions(this.json), this.source.code), isList);
    }
    const start = this.around.idOf(`${this.id}_item`);
    const inner = this.around.idOf(`${this.id}_one`);
    const { type, config, path = '' } = make(this.ofEach, `nodes.${start}.item`);
    const { x, y } = this.node.position;
    const body = {
      nodes: [
        { id: start, type: 'start', position: { x, y }, config: {} },
        { ...this.written(inner, type, config), position: { x: x + LINE, y } },
      ],
      connections: [{ sourceNode: start, sourcePort: 'output', targetNode: inner, targetPort: 'input' }],
    };
    const { retry: _, ...loop } = this.written(this.id, 'for_each', { items: this.items, body });
    return {
      ...this.whole({ type: 'for_each', config: {} }, true),
      nodes: [loop],
      result: { code: `nodes.${this.id}${path}`, path, isList: true, rows: isList ? undefined : this.source.rows },
    };
  }

  /** The values that `make` builds, one for each item, as a transform. `make` gets the code of the item. */
  mapped(make: (expressions: Expressions) => string | undefined): Piece | undefined {
    if (!this.source.isList) {
      const code = make(this.expressions(this.json));
      return code === undefined ? undefined : this.whole({ type: 'transform', config: { expression: code } });
    }
    const code = make(this.expressions('$item', '$index'));
    if (code === undefined) return undefined;
    const config = { expression: `[$map(${this.items}, function($item, $index) { ${code} })]` };
    const piece = this.whole({ type: 'transform', config }, true);
    return { ...piece, result: { ...piece.result, rows: this.source.rows } };
  }

  /** A piece that gives some of the items that come in, or all of them in another order. */
  selected(piece: Piece): Piece {
    const { result, outputs } = piece;
    return {
      ...piece,
      result: { ...result, rows: this.selection(result.code) },
      outputs: outputs.map((output) =>
        output.code === undefined ? output : { ...output, rows: this.selection(output.code) },
      ),
    };
  }

  /** The rows of a list with items of the one that comes in. */
  private selection(code: string): Rows {
    const { rows = NO_ROWS, code: before } = this.source;
    return new Map([...rows].flatMap(([name, list]) => (list === before ? [[name, code] as const] : [])));
  }

  /** Passes its input on in place of a node without a counterpart. */
  placeholder(reason: string): Piece {
    this.outcome = 'placeholder';
    this.say(reason);
    return this.passing({ type: 'transform', config: { expression: 'input' } });
  }

  /** A text with a limit. One with expressions can not be cut. */
  limited(text: string | undefined, most: number): string | undefined {
    if (text === undefined || text.length <= most) return text;
    this.todo('A text of it is too long.');
    return text.includes('{{') ? undefined : cut(text, most);
  }

  /** The node as it is stored. */
  written(id: string, type: string, config: Record<string, unknown>): Node {
    const { name, position, isDisabled, notes, retry } = this.node;
    return {
      id,
      type,
      name: cut(name, 200),
      position,
      config: Object.fromEntries(Object.entries(config).filter(([, each]) => each !== undefined)),
      ...(isDisabled ? { disabled: true } : {}),
      ...(notes ? { notes: cut(notes, 5000) } : {}),
      ...(retry && type !== 'condition' && type !== 'switch' ? { retry } : {}),
    };
  }
}

/** A list as a list: one that is built is one already. */
export const listed = (code: string): string => (code.startsWith('[') && code.endsWith(']') ? code : `[${code}]`);

/** A parameter as a text, which may have expressions; undefined: it is empty. */
export const textOf = (given: unknown, expressions: Expressions): string | undefined =>
  typeof given === 'string' && given !== '' && given !== '='
    ? template(given, expressions)
    : typeof given === 'number' || typeof given === 'boolean'
      ? String(given)
      : undefined;

export const valueOf = value;

/** A parameter as JSONata, or null where it has no counterpart. */
export const codeOf = (given: unknown, expressions: Expressions): string =>
  expression(given, expressions)?.code ??
  (typeof given === 'string' ? quoted(`(n8n: ${cut(given.slice(1), 200)})`) : 'null');
