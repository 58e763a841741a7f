import { atom, call, element, stepped, type Code } from './code';
import { literal } from './functions';
import { plainText } from './model-argument';
import type { Scope } from './scope';
import { Unsupported, type Syntax } from './syntax';
import { now, today } from './times';

/** The number of an element, also written as a text; undefined: it is none. */
export function indexOf(key: Syntax): number | undefined {
  const index = key.kind === 'literal' && /^\d{1,9}$/.test(String(key.value)) ? Number(key.value) : undefined;
  return index;
}

/** Another index than a number would be evaluated inside of the element, where names mean something else. */
export const itemAt = (list: string, index: string): string => `($key := ${index}; (${list})[$key])`;

/** A name that n8n defines. */
export function nameOf(scope: Scope, name: string): Code {
  switch (name) {
    case '$json':
      return atom(scope.json);
    case '$input':
      return atom('', 'input');
    case '$now':
      return now();
    case '$today':
      return today();
    case '$itemIndex':
      return atom(scope.index ?? '0', 'number');
    case '$runIndex':
      return atom('0', 'number');
    case '$executionId':
      return atom('execution.id', 'string');
    default:
      throw new Unsupported(`\`${name.slice(0, 40)}\``);
  }
}

/** Fields of n8n's own objects; undefined: it is none of them. */
export function ofN8n(scope: Scope, object: string, name: string): Code | undefined {
  switch (object) {
    case '$node':
      return nodeOf(scope, name);
    case '$execution':
      if (name === 'id') return atom('execution.id', 'string');
      if (name === 'resumeUrl' && scope.resumeUrl) return atom(scope.resumeUrl, 'string');
      throw new Unsupported(`\`$execution.${name.slice(0, 40)}\``);
    case '$workflow':
      if (name === 'id') return atom('execution.workflowId', 'string');
      if (name === 'name') return literal(scope.workflowName);
      throw new Unsupported(`\`$workflow.${name.slice(0, 40)}\``);
    case '$vars':
    case '$env': {
      const variable = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
      if (!/^[A-Z]/.test(variable)) throw new Unsupported(`\`${object}.${name.slice(0, 40)}\``);
      scope.need(`It reads the variable ${variable}: create it under Settings, Variables.`);
      return atom(`vars.${variable}`);
    }
    default:
      return undefined;
  }
}

/** A node by its name. */
export function nodeOf(scope: Scope, name: string): Code {
  const place = scope.nodes.get(name);
  if (!place) throw new Unsupported(`the node “${name.slice(0, 60)}”, which is not before it`);
  const { rows, index } = scope;
  const list = rows?.get(name);
  const own = list !== undefined && index !== undefined ? itemAt(list, index) : undefined;
  return {
    code: place.code,
    type: 'node',
    isAtom: !place.isList,
    item: place.isList ? (own ?? place.item) : undefined,
  };
}

/** `json`, `item`, `first()` and others of a node, or of `$input`. */
export function ofNode(scope: Scope, { code, type, isAtom, item }: Code, name: string): Code {
  const isInput = type === 'input';
  // Of a list, an expression means the item that belongs to its own, which is not always known.
  const isList = !isInput && !isAtom;
  const list = isInput ? scope.all : isList ? code : `[${code}]`;
  if (name === 'all') return atom(list, 'items');
  const isOne = isInput ? list === `[${scope.json}]` : !isList;
  if ((name === 'first' || name === 'last') && isOne) return atom(isInput ? scope.json : code, 'item');
  if (name === 'first') return element(atom(list), '0', 'item');
  if (name === 'last') return element(atom(list), '-1', 'item');
  if (name === 'isExecuted') return call('exists', 'boolean', code);
  if (!['item', 'json', 'data', 'pairedItem', 'itemMatching'].includes(name)) {
    throw new Unsupported(`\`${name.slice(0, 40)}\` of a node`);
  }
  if (isList && item === undefined) throw new Unsupported('the item of a list that belongs to this one');
  const one = isInput ? scope.json : isList ? (item ?? code) : code;
  return atom(one, name === 'json' || name === 'data' ? 'any' : 'item');
}

/** `$item(0).$node["Name"]`: a node at a position; undefined: it is something else. */
export function atPosition(scope: Scope, object: Syntax, name: string): Code | undefined {
  if (object.kind !== 'member' || object.key.kind !== 'literal' || object.key.value !== '$node') return undefined;
  const { object: call } = object;
  if (call.kind !== 'call' || call.callee.kind !== 'name' || call.callee.name !== '$item') return undefined;
  const [position] = call.parameters;
  const index = position && indexOf(position);
  const node = nodeOf(scope, name);
  if (node.isAtom) return node;
  if (index === undefined) throw new Unsupported('`$item()` with this position');
  return { ...element(node, String(index)), type: 'node' };
}

/** `$jmespath(value, path)`: paths mean the same in JSONata. */
export function query([value, path]: readonly Syntax[], print: (syntax: Syntax) => Code): Code {
  const text = path && plainText(path);
  if (!value || text === undefined || !/^(?:\[\*?\])?(?:\.?[A-Za-z_]\w*(?:\[\*?\])?){1,20}$/.test(text)) {
    throw new Unsupported('`$jmespath()` with this query');
  }
  const steps = text
    .replaceAll(/\[\*?\]/g, '')
    .split('.')
    .filter(Boolean);
  const found = steps.reduce(stepped, print(value));
  return text.includes('[') ? atom(`[${found.code}]`, 'list') : found;
}
