/** Where an expression finds a value, as JSONata. */
export interface Place {
  /** The value, or the list of items. */
  code: string;
  /** It is the list of items of n8n, not one of them. */
  isList: boolean;
  /** Of a list: its item that belongs to the round of the loop around. */
  item?: string | undefined;
}

/** Lists by the names of the nodes whose items they have: one for each item of the list that comes in, in the same order. */
export type Rows = ReadonlyMap<string, string>;

/** An argument of a tool. `type`: of JSON Schema; undefined: any. */
export interface Argument {
  name: string;
  description: string;
  type: string | undefined;
  isRequired: boolean;
}

/** What an expression of n8n can name. */
export interface Scope {
  /** `$json`: the item that comes in. */
  json: string;
  /** `$input.all()`: the list of them. */
  all: string;
  /** The number of the item, for `$itemIndex`; undefined: there is one item. */
  index: string | undefined;
  rows?: Rows | undefined;
  /** `$('Name')` by names of nodes. */
  nodes: ReadonlyMap<string, Place>;
  workflowName: string;
  /** The expression of the address at which the run waits; undefined: it does not wait for a call. */
  resumeUrl: string | undefined;
  /** `$fromAI`: the code of an argument that a model chooses; undefined: no model calls this node. */
  fromAi?: ((argument: Argument) => string) | undefined;
  /** Tells what an expression needs that the file does not have, such as variables. */
  need(text: string): void;
}
