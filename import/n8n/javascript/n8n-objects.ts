import { atomicCode, jsonataCall, elementAtIndex, fieldAccess, type JsonataCode } from './code';
import { literalCode } from './functions';
import { literalText } from './model-argument';
import type { ExpressionScope } from './scope';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';
import { currentTimeCode, currentDayCode } from './times';

/** The index that a key is, also when it is written as a text; undefined: the key is no index. */
export function literalIndex(key: ExpressionSyntax): number | undefined {
  const index = key.kind === 'literal' && /^\d{1,9}$/.test(String(key.value)) ? Number(key.value) : undefined;
  return index;
}

/** Another index than a number would be evaluated inside of the element, where names mean something else. */
export const itemAtIndexCode = (list: string, index: string): string => `($key := ${index}; (${list})[$key])`;

/** A name that n8n defines. */
export function n8nNameCode(scope: ExpressionScope, name: string): JsonataCode {
  switch (name) {
    case '$json':
      return atomicCode(scope.json);
    case '$input':
      return atomicCode('', 'input');
    case '$now':
      return currentTimeCode();
    case '$today':
      return currentDayCode();
    case '$itemIndex':
      return atomicCode(scope.index ?? '0', 'number');
    case '$runIndex':
      return atomicCode('0', 'number');
    case '$executionId':
      return atomicCode('execution.id', 'string');
    default:
      throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}\``);
  }
}

/** Fields of n8n's own objects; undefined: it is none of them. */
export function n8nFieldCode(scope: ExpressionScope, object: string, name: string): JsonataCode | undefined {
  switch (object) {
    case '$node':
      return n8nNodeCode(scope, name);
    case '$execution':
      if (name === 'id') return atomicCode('execution.id', 'string');
      if (name === 'resumeUrl' && scope.resumeUrl) return atomicCode(scope.resumeUrl, 'string');
      throw new UnsupportedSyntaxError(`\`$execution.${name.slice(0, 40)}\``);
    case '$workflow':
      if (name === 'id') return atomicCode('execution.workflowId', 'string');
      if (name === 'name') return literalCode(scope.workflowName);
      throw new UnsupportedSyntaxError(`\`$workflow.${name.slice(0, 40)}\``);
    case '$vars':
    case '$env': {
      const variable = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
      if (!/^[A-Z]/.test(variable)) throw new UnsupportedSyntaxError(`\`${object}.${name.slice(0, 40)}\``);
      scope.need(`It reads the variable ${variable}: create it under Settings, Variables.`);
      return atomicCode(`vars.${variable}`);
    }
    default:
      return undefined;
  }
}

/** A node by its name. */
export function n8nNodeCode(scope: ExpressionScope, name: string): JsonataCode {
  const place = scope.nodes.get(name);
  if (!place) throw new UnsupportedSyntaxError(`the node “${name.slice(0, 60)}”, which is not before it`);
  const { rows, index } = scope;
  const list = rows?.get(name);
  const own = list !== undefined && index !== undefined ? itemAtIndexCode(list, index) : undefined;
  return {
    code: place.code,
    type: 'node',
    isAtom: !place.isList,
    item: place.isList ? (own ?? place.item) : undefined,
  };
}

/** `json`, `item`, `first()` and others of a node, or of `$input`. */
export function nodeFieldCode(
  scope: ExpressionScope,
  { code, type, isAtom, item }: JsonataCode,
  name: string,
): JsonataCode {
  const isInput = type === 'input';
  // For a list, an expression means the item that belongs to its own item. That one is not always known.
  const isList = !isInput && !isAtom;
  const list = isInput ? scope.all : isList ? code : `[${code}]`;
  if (name === 'all') return atomicCode(list, 'items');
  const isOne = isInput ? list === `[${scope.json}]` : !isList;
  if ((name === 'first' || name === 'last') && isOne) return atomicCode(isInput ? scope.json : code, 'item');
  if (name === 'first') return elementAtIndex(atomicCode(list), '0', 'item');
  if (name === 'last') return elementAtIndex(atomicCode(list), '-1', 'item');
  if (name === 'isExecuted') return jsonataCall('exists', 'boolean', code);
  if (!['item', 'json', 'data', 'pairedItem', 'itemMatching'].includes(name)) {
    throw new UnsupportedSyntaxError(`\`${name.slice(0, 40)}\` of a node`);
  }
  if (isList && item === undefined) throw new UnsupportedSyntaxError('the item of a list that belongs to this one');
  const one = isInput ? scope.json : isList ? (item ?? code) : code;
  return atomicCode(one, name === 'json' || name === 'data' ? 'any' : 'item');
}

/** `$item(0).$node["Name"]`: a node at a position; undefined: it is something else. */
export function nodeAtPositionCode(
  scope: ExpressionScope,
  object: ExpressionSyntax,
  name: string,
): JsonataCode | undefined {
  if (object.kind !== 'member' || object.key.kind !== 'literal' || object.key.value !== '$node') return undefined;
  const { object: call } = object;
  if (call.kind !== 'call' || call.callee.kind !== 'name' || call.callee.name !== '$item') return undefined;
  const [position] = call.parameters;
  const index = position && literalIndex(position);
  const node = n8nNodeCode(scope, name);
  if (node.isAtom) return node;
  if (index === undefined) throw new UnsupportedSyntaxError('`$item()` with this position');
  return { ...elementAtIndex(node, String(index)), type: 'node' };
}

/** `$jmespath(value, path)`: paths mean the same in JSONata. */
export function jmespathCode(
  [value, path]: readonly ExpressionSyntax[],
  print: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode {
  const text = path && literalText(path);
  if (!value || text === undefined || !/^(?:\[\*?\])?(?:\.?[A-Za-z_]\w*(?:\[\*?\])?){1,20}$/.test(text)) {
    throw new UnsupportedSyntaxError('`$jmespath()` with this query');
  }
  const steps = text
    .replaceAll(/\[\*?\]/g, '')
    .split('.')
    .filter(Boolean);
  const found = steps.reduce(fieldAccess, print(value));
  return text.includes('[') ? atomicCode(`[${found.code}]`, 'list') : found;
}
