import { parse, type AnyNode, type Expression } from 'acorn';

const MAX_CODE = 80_000;
const FUNCTION_TYPES = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** What the code of a node returns, as far as it is written out: undefined: it cannot be read. */
function listReturned(source: string): (Expression | null | undefined)[] | undefined {
  if (source.length > MAX_CODE) return undefined;
  try {
    const tree = parse(source, {
      ecmaVersion: 2023,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    const found: (Expression | null | undefined)[] = [];
    const open: unknown[] = [tree];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (typeof one !== 'object' || one === null) continue;
      if (Array.isArray(one)) {
        open.push(...(one as unknown[]));
        continue;
      }
      const node = one as AnyNode;
      if (node.type === 'ReturnStatement') found.push(node.argument);
      else if (!FUNCTION_TYPES.has(node.type)) open.push(...Object.values(node));
    }
    return found;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isOneAtMost = (value: Expression | null | undefined): boolean =>
  value?.type === 'ObjectExpression' ||
  (value?.type === 'ArrayExpression' &&
    value.elements.length <= 1 &&
    value.elements.every((element) => element?.type !== 'SpreadElement'));

/** Whether code that runs once for all items gives one item at most. */
export function returnsOneItem(source: unknown): boolean {
  const returned = typeof source === 'string' && source.includes('return') ? listReturned(source) : undefined;
  return returned !== undefined && returned.length > 0 && returned.every(isOneAtMost);
}
