/** What an expression names as the list of a node: what comes in, or the whole output of a node. */
export type ItemListReference = { kind: 'input' } | { kind: 'node'; id: string };

/** `input`, `nodes.orders`, `nodes."my orders"`, also in braces. */
const INPUT_EXPRESSION = /^(?:\{\{)?\s*input\s*(?:\}\})?$/;
const NODE_EXPRESSION =
  /^(?:\{\{)?\s*nodes\s*\.\s*(?:([\p{L}_][\p{L}\d_]*)|"([^"\\]+)"|\x60([^\x60]+)\x60)\s*(?:\}\})?$/u;

/** Reads an expression that names a whole list. Undefined: it computes another one. */
export function readItemListReference(expression: string): ItemListReference | undefined {
  if (INPUT_EXPRESSION.test(expression)) return { kind: 'input' };
  const [, plain, quoted, ticked] = NODE_EXPRESSION.exec(expression) ?? [];
  const id = plain ?? quoted ?? ticked;
  return id === undefined ? undefined : { kind: 'node', id };
}
