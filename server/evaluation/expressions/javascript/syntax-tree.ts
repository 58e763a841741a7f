import type { Node } from 'acorn';

/** A node of JavaScript's syntax tree (https://github.com/estree/estree). */
export type JavaScriptTree = Node & Record<string, unknown>;

const isJavaScriptTree = (value: unknown): value is JavaScriptTree =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** Parts of a tree that are names, not references: `b` of `a.b`, `{b: 1}`, `b() {}`, and labels. */
function isPlainName(tree: JavaScriptTree, part: string): boolean {
  if (part === 'label') return true;
  if (part === 'property') return tree.type === 'MemberExpression' && tree['computed'] === false;
  return part === 'key' && tree['computed'] === false;
}

/** The parts of a tree that are evaluated or bound, in the order of the text. */
export function listChildNodes(tree: JavaScriptTree): JavaScriptTree[] {
  const children: JavaScriptTree[] = [];
  for (const part of Object.keys(tree)) {
    if (isPlainName(tree, part)) continue;
    const value = tree[part];
    if (Array.isArray(value)) children.push(...value.filter(isJavaScriptTree));
    else if (isJavaScriptTree(value)) children.push(value);
  }
  return children;
}

/** The name that a member expression reads, if it stands in the text: `a.b`, `a["b"]`. */
export function staticPropertyName(tree: JavaScriptTree): string | undefined {
  const property = tree['property'] as JavaScriptTree;
  if (tree['computed'] === false) return property.type === 'Identifier' ? String(property['name']) : undefined;
  const isText = property.type === 'Literal' && typeof property['value'] === 'string';
  return isText ? String(property['value']) : undefined;
}
