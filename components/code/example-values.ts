import type { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import {
  CONSTRUCTED_OBJECTS,
  ITEM_OF_LIST,
  KnownObject,
  knownObjects,
  LIST_RESULTS,
  NUMBER_OBJECT,
  SAME_OBJECT,
  TEXT_RESULTS,
} from './javascript-members';

export type CodeSyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** The names that a program or an expression can use, with example values. */
export interface CodeNames {
  scope: Readonly<Record<string, unknown>>;
  isExpression: boolean;
}

/** Steps of a path and calls: deeper ones are not followed. */
const MAX_FOLLOWED_STEPS = 50;

const fieldValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** An example of what a member of a value is or, for a method, returns. */
function memberExample(value: unknown, name: string): unknown {
  if (value instanceof KnownObject) return fieldValue(value.results, name);
  if (typeof value === 'string') return fieldValue(TEXT_RESULTS, name);
  if (typeof value === 'number') return fieldValue(NUMBER_OBJECT.results, name);
  if (!Array.isArray(value)) return fieldValue(value, name);
  if (/^\d+$/.test(name)) return (value as unknown[])[Number(name)];
  const result = fieldValue(LIST_RESULTS, name);
  if (result === SAME_OBJECT) return value;
  return result === ITEM_OF_LIST ? (value as unknown[])[0] : result;
}

/** The number or text in brackets that end at `end`. */
export function readSubscript(state: EditorState, end: CodeSyntaxNode): string | null {
  const value = end.name === ']' ? end.prevSibling : null;
  if (!value) return null;
  const text = state.sliceDoc(value.from, value.to);
  if (value.name === 'Number') return text;
  return value.name === 'String' && !text.includes('\\') ? text.slice(1, -1) : null;
}

/** Methods of lists whose function gets an item at first. */
const ITEM_METHODS = new Set(['map', 'filter', 'find', 'some', 'every', 'flatMap']);

/** The list whose items a parameter of a function stands for: `list.map(item => item.` */
function parameterExample(state: EditorState, node: CodeSyntaxNode, names: CodeNames, depth: number): unknown {
  const name = state.sliceDoc(node.from, node.to);
  for (let inner: CodeSyntaxNode | null = node; inner; inner = inner.parent) {
    if (inner.name !== 'ArrowFunction') continue;
    const parameters = inner.getChild('ParamList')?.getChildren('VariableDefinition') ?? [];
    if (!parameters.some(({ from, to }) => state.sliceDoc(from, to) === name)) continue;
    const callee = inner.parent?.name === 'ArgList' ? inner.parent.parent?.firstChild : undefined;
    const [object, method] = [callee?.firstChild, callee?.lastChild];
    if (!object || !method || !ITEM_METHODS.has(state.sliceDoc(method.from, method.to))) return undefined;
    const isFirst = parameters[0] && state.sliceDoc(parameters[0].from, parameters[0].to) === name;
    const list = isFirst ? inferExampleValue(state, object, names, depth + 1) : 0;
    return Array.isArray(list) ? (list as unknown[])[0] : isFirst ? undefined : list;
  }
  return NO_PARAMETER;
}
const NO_PARAMETER = Symbol('no parameter');

function nameExample(state: EditorState, node: CodeSyntaxNode, names: CodeNames, depth: number): unknown {
  const parameter = parameterExample(state, node, names, depth);
  if (parameter !== NO_PARAMETER) return parameter;
  const name = state.sliceDoc(node.from, node.to);
  return Object.hasOwn(names.scope, name) ? names.scope[name] : fieldValue(knownObjects(names.isExpression), name);
}

/** An example of the value that a part of a program has, from the data and the methods of its types. */
export function inferExampleValue(state: EditorState, node: CodeSyntaxNode, names: CodeNames, depth = 0): unknown {
  if (depth > MAX_FOLLOWED_STEPS) return undefined;
  const [first, last] = [node.firstChild, node.lastChild];
  switch (node.name) {
    case 'VariableName':
      return nameExample(state, node, names, depth);
    case 'String':
    case 'TemplateString':
      return names.isExpression ? '' : undefined;
    case 'ArrayExpression':
      return [];
    case 'ParenthesizedExpression':
      return first?.nextSibling ? inferExampleValue(state, first.nextSibling, names, depth + 1) : undefined;
    case 'NewExpression': {
      const made = node.getChild('VariableName');
      return made ? fieldValue(CONSTRUCTED_OBJECTS, state.sliceDoc(made.from, made.to)) : undefined;
    }
    case 'CallExpression':
      return first ? inferExampleValue(state, first, names, depth + 1) : undefined;
    case 'MemberExpression': {
      if (!first || !last) return undefined;
      const name = last.name === 'PropertyName' ? state.sliceDoc(last.from, last.to) : readSubscript(state, last);
      return name === null ? undefined : memberExample(inferExampleValue(state, first, names, depth + 1), name);
    }
    default:
      return undefined;
  }
}
