/** The JSONata by which an expression reads a value. */
export interface ValueReference {
  /** The value, or the list of items. */
  code: string;
  /** The code gives the list of n8n's items, not one of them. */
  isList: boolean;
  /** For a list: the item that belongs to the current round of the surrounding loop. */
  item?: string | undefined;
}

/**
 * The lists of earlier nodes, by the names of the nodes. Each list has one item for each incoming item, in the same
 * order.
 */
export type ListsByNodeName = ReadonlyMap<string, string>;

/** An argument of a tool. `type`: of JSON Schema; undefined: any. */
export interface ToolArgument {
  name: string;
  description: string;
  type: string | undefined;
  isRequired: boolean;
}

/** The values that an expression of n8n can name. */
export interface ExpressionScope {
  /** `$json`: the item that comes in. */
  json: string;
  /** `$input.all()`: the list of them. */
  all: string;
  /** The number of the item, for `$itemIndex`; undefined: there is one item. */
  index: string | undefined;
  rows?: ListsByNodeName | undefined;
  /** `$('Name')` by names of nodes. */
  nodes: ReadonlyMap<string, ValueReference>;
  workflowName: string;
  /** The expression of the address at which the run waits; undefined: it does not wait for a call. */
  resumeUrl: string | undefined;
  /** `$fromAI`: the code of an argument that a model chooses; undefined: no model calls this node. */
  fromAi?: ((argument: ToolArgument) => string) | undefined;
  /** Tells what an expression needs that the file does not have, such as variables. */
  need(text: string): void;
}
