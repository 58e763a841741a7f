import { certainPiece, knownField, knownPiece, printOperandCode, unknownPiece, type CodePiece } from './conversion';
import {
  JAVASCRIPT_NAME,
  jsonataNodes,
  toJsonataNode,
  type JsonataConversion,
  type JsonataNode,
} from './jsonata-conversion';

/** Values that always have fields. */
const SAFE_ROOTS = new Set(['nodes', 'vars', 'execution']);

/** A value as a list. */
export function toListPiece(converter: JsonataConversion, piece: CodePiece): CodePiece {
  if (piece.type === 'list') {
    // Other data may lack the list.
    const code = piece.isCertain ? printOperandCode(piece) : `(${printOperandCode(piece)} ?? [])`;
    return { ...piece, code, isAtom: true, isCertain: true };
  }
  if (piece.type === 'null' || piece.type === 'unknown')
    converter.doubt('Null is a value of a list in JSONata; here it is left out');
  return certainPiece(`[${printOperandCode(piece)} ?? []].flat()`, 'list');
}

/** A path. `isList`: its result is wanted as a list. */
export function convertJsonataPath(
  converter: JsonataConversion,
  tree: JsonataNode,
  context: CodePiece | undefined,
  isList = false,
): CodePiece {
  if (tree['group']) return converter.refuse('Groups { } have no short form in JavaScript');
  const steps = jsonataNodes(tree['steps']);
  let at = context;
  for (const [place, step] of steps.entries()) {
    converter.position = Math.max(0, (step.position ?? converter.position + 1) - 1);
    if (step['focus'] || step['index']) return converter.refuse('@ and # have no counterpart in JavaScript');
    const isLast = place === steps.length - 1;
    const isMapped = step.type === 'block' || (step.type === 'unary' && step.value === '{');
    if (place === 0) at = convertFirstStep(converter, step, context);
    else if (!at) return converter.refuse('This path begins with nothing');
    else if (step.type === 'name') at = convertNameStep(converter, at, String(step.value), isList && isLast);
    else if (isMapped) at = mapEntries(converter, at, (entry) => converter.convert(step, entry), isList);
    else return converter.refuse(`${String(step.value ?? step.type)} in a path has no short form in JavaScript`);
    const stages = [...jsonataNodes(step['stages']), ...jsonataNodes(step['predicate'])];
    at = convertJsonataFilters(converter, at, stages, isList);
  }
  if (!at) return converter.refuse('The path is empty');
  return isList ? toListPiece(converter, at) : tree['keepSingletonArray'] ? toListPiece(converter, at) : at;
}

function convertFirstStep(converter: JsonataConversion, step: JsonataNode, context: CodePiece | undefined): CodePiece {
  if (step.type === 'variable' && step.value === '$') return ROOT_PIECE;
  if (step.type !== 'name') {
    const { stages: _, predicate: __, ...first } = step;
    return converter.convert(first, context);
  }
  const name = String(step.value);
  if (context) return convertNameStep(converter, context, name, false);
  return convertNameStep(converter, ROOT_PIECE, name, false);
}

function convertNameStep(converter: JsonataConversion, at: CodePiece, name: string, isList: boolean): CodePiece {
  if (at === ROOT_PIECE) {
    const isKnown = converter.data && Object.hasOwn(converter.data, name);
    if ((!converter.names.has(name) && !isKnown) || !JAVASCRIPT_NAME.test(name))
      return converter.refuse(`There is no “${name}” at the top of an expression`);
    return isKnown ? knownPiece(name, converter.data?.[name]) : unknownPiece(name);
  }
  const known = knownField(at, name);
  if (at.type === 'list' || (isList && !at.known && !SAFE_ROOTS.has(at.code)))
    return mapName(converter, at, name, isList);
  if (!at.known && !SAFE_ROOTS.has(at.code))
    converter.doubt('If the path leads through a list, JSONata reads each item');
  const dot = SAFE_ROOTS.has(at.code) ? '.' : '?.';
  const code = JAVASCRIPT_NAME.test(name)
    ? `${printOperandCode(at)}${dot}${name}`
    : `${printOperandCode(at)}${dot === '.' ? '' : '?.'}[${JSON.stringify(name)}]`;
  return known ? knownPiece(code, known.value) : unknownPiece(code);
}

function mapName(converter: JsonataConversion, at: CodePiece, name: string, isList: boolean): CodePiece {
  return mapEntries(converter, at, (entry) => convertNameStep(converter, entry, name, false), isList);
}

/** What a function yields for each item of a list; of what is no list, for the value itself. */
function mapEntries(
  converter: JsonataConversion,
  at: CodePiece,
  body: (entry: CodePiece) => CodePiece,
  isList: boolean,
): CodePiece {
  const list = toListPiece(converter, at);
  const { name, entry } = openEntry(converter, at);
  const inner = body(entry);
  converter.openEntries -= 1;
  if (!isList) converter.doubt('JSONata makes of a list with one item the item itself');
  const isPlain = inner.isCertain && inner.type !== 'list';
  const code = inner.code.startsWith('{') ? `(${inner.code})` : inner.code;
  return isPlain
    ? certainPiece(`${list.code}.map((${name}) => ${code})`, 'list')
    : certainPiece(`${list.code}.flatMap((${name}) => ${printOperandCode({ ...inner, code })} ?? [])`, 'list');
}

/** `[ ]` after a value: indexes and conditions. */
export function convertJsonataFilters(
  converter: JsonataConversion,
  given: CodePiece,
  filters: JsonataNode[],
  isList: boolean,
): CodePiece {
  let at = given;
  for (let place = 0; place < filters.length; place += 1) {
    const filter = filters[place];
    if (filter?.type !== 'filter') return converter.refuse('This part of a path has no short form in JavaScript');
    const expression = toJsonataNode(filter['expr']);
    const index = constantIndex(expression);
    if (index !== undefined) {
      at = convertIndex(converter, at, index);
      continue;
    }
    const next = toJsonataNode(filters[place + 1]?.['expr'] ?? {});
    const isFirst = constantIndex(next) === 0;
    if (isFirst) place += 1;
    at = convertSearch(converter, at, expression, isFirst || !isList ? 'find' : 'filter');
    if (!isFirst && !isList) converter.doubt('If several items match, JSONata takes all of them');
  }
  return at;
}

function convertSearch(
  converter: JsonataConversion,
  at: CodePiece,
  expression: JsonataNode,
  method: 'find' | 'filter',
): CodePiece {
  const list = toListPiece(converter, at);
  const { name, entry } = openEntry(converter, at);
  const test = converter.convertTest(expression, entry);
  converter.openEntries -= 1;
  if (test.type === 'number' || test.type === 'unknown') converter.doubt('A number in [ ] is an index in JSONata');
  const code = `${list.code}.${method}((${name}) => ${test.code})`;
  return method === 'filter' ? certainPiece(code, 'list') : unknownPiece(code);
}

/** The parameter that stands for an item of a list. */
function openEntry(converter: JsonataConversion, at: CodePiece): { name: string; entry: CodePiece } {
  converter.openEntries += 1;
  const name = converter.openEntries === 1 ? 'entry' : `entry${converter.openEntries}`;
  const items: unknown = at.known?.value;
  const [first] = Array.isArray(items) ? (items as unknown[]) : [];
  if (Array.isArray(items) && items.some((item) => valueKindDiffers(item, first)))
    converter.doubt('The items of the list differ');
  return { name, entry: Array.isArray(items) && items.length > 0 ? knownPiece(name, first) : unknownPiece(name) };
}

function convertIndex(converter: JsonataConversion, at: CodePiece, index: number): CodePiece {
  if (!Number.isInteger(index)) return converter.refuse('An index has to be a whole number');
  if (at.type !== 'list') converter.doubt('What is no list counts as a list of one in JSONata');
  const known = Array.isArray(at.known?.value) ? { value: at.known.value.at(index) as unknown } : undefined;
  const dot = at.type === 'list' && !at.known ? '' : '?.';
  const code = `${printOperandCode(at)}${index < 0 ? `${dot || '.'}at(${index})` : `${dot}[${index}]`}`;
  return known ? knownPiece(code, known.value) : unknownPiece(code);
}

/** Stands for the data at the top of an expression. */
const ROOT_PIECE: CodePiece = { code: '', isAtom: true, type: 'object' };

const valueKindDiffers = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) !== Array.isArray(other) || typeof one !== typeof other || (one === null) !== (other === null);

/** The fixed index that a filter is; undefined: it is a condition. */
const constantIndex = (tree: JsonataNode): number | undefined => {
  if (tree.type === 'number') return Number(tree.value);
  const inner = tree.type === 'unary' && tree.value === '-' ? toJsonataNode(tree['expression']) : undefined;
  return inner?.type === 'number' ? -Number(inner.value) : undefined;
};
