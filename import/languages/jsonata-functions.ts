import { EXPRESSION_FUNCTIONS } from '@/contract/workflows/expression-functions';
import {
  certainPiece,
  comparisonPiece,
  printOperandCode,
  unknownPiece,
  type CodePiece,
  type ValueType,
} from './conversion';
import { printJsonataRegex, type JsonataConversion, type JsonataNode } from './jsonata-conversion';

/** The arguments of a call, and how they are converted. */
interface JsonataCall {
  converter: JsonataConversion;
  trees: JsonataNode[];
  context: CodePiece | undefined;
  value(place: number): CodePiece;
  text(place: number): CodePiece;
  number(place: number): CodePiece;
  list(place: number): CodePiece;
}

type CallConversion = (call: JsonataCall) => CodePiece;

/** A method of a text that may be missing. */
const textMethod =
  (write: (call: JsonataCall) => string, type: ValueType): CallConversion =>
  (call) =>
    unknownPiece(`${printOperandCode(call.text(0))}?.${write(call)}`, true, type);

/** A literal text that can stand in `replace`, where `$` has a meaning. */
function literalText(call: JsonataCall, place: number): string {
  const tree = call.trees[place];
  if (tree?.type !== 'string' || String(tree.value).includes('$'))
    return call.converter.refuse('Only a fixed text without $ can be converted here');
  return JSON.stringify(tree.value);
}

const patternOrText = (call: JsonataCall, place: number, isGlobal: boolean): string => {
  const tree = call.trees[place];
  return tree?.type === 'regex' ? printJsonataRegex(tree, isGlobal) : call.text(place).code;
};

/** `#,##0.00` as options of `Intl.NumberFormat`. */
function numberFormat(call: JsonataCall): string {
  const picture = call.trees[1];
  const match = /^(#,##)?(#*0)(?:\.(0+))?$/.exec(picture?.type === 'string' ? String(picture.value) : '');
  if (!match || call.trees.length > 2 || match[2] !== '0')
    return call.converter.refuse('This picture of a number has no short form in JavaScript');
  const digits = match[3]?.length ?? 0;
  const grouping = match[1] === undefined ? ', useGrouping: false' : '';
  return `new Intl.NumberFormat("en-US", { minimumFractionDigits: ${digits}, maximumFractionDigits: ${digits}${grouping} })`;
}

const mathMethod =
  (name: string): CallConversion =>
  (call) =>
    certainPiece(`Math.${name}(${call.number(0).code})`, 'number');

/** A function of two or more arguments on the items of a list. */
const listMethod =
  (name: string, type: ValueType): CallConversion =>
  (call) => {
    const [, action] = call.trees;
    if (action?.type !== 'lambda')
      return call.converter.refuse('Only a function that is written here can be converted');
    if (type === 'list') call.converter.doubt('JSONata makes of a list with one item the item itself');
    const more = call.trees.slice(2).map((_, place) => `, ${call.value(place + 2).code}`);
    return unknownPiece(
      `${call.list(0).code}.${name}(${call.converter.lambdaCode(action, call.context)}${more.join('')})`,
      true,
      type,
    );
  };

const aggregate =
  (write: (list: string) => string, reason: string): CallConversion =>
  (call) => {
    const list = call.list(0);
    call.converter.doubt(reason);
    return certainPiece(write(list.code), 'number');
  };

const NOTHING_DOUBT = 'Without a value, JSONata yields nothing';
const HAS_SURROGATES = /[\ud800-\udfff]/;
const EMOJI_DOUBT = 'JSONata counts an emoji as one letter';

/** The functions with the same result in JavaScript. */
const CALL_CONVERSIONS: Readonly<Record<string, CallConversion>> = {
  string: (call) => {
    const piece = call.value(0);
    if (piece.type === 'text') return piece;
    if (piece.type === 'list' || piece.type === 'object') return certainPiece(`JSON.stringify(${piece.code})`, 'text');
    const { value } = piece.known ?? {};
    if (piece.type !== 'boolean' && !(typeof value === 'number' && Number.isSafeInteger(value)))
      call.converter.doubt('JSONata writes lists and objects as JSON, numbers with 15 digits, and nothing as nothing');
    return certainPiece(`String(${piece.code})`, 'text');
  },
  number: (call) => {
    const piece = call.value(0);
    if (piece.type !== 'number') call.converter.doubt('JSONata fails for a text that is no number');
    return certainPiece(`Number(${piece.code})`, 'number');
  },
  boolean: (call) => certainPiece(`Boolean(${testedValue(call).code})`, 'boolean'),
  not: (call) => {
    const piece = testedValue(call);
    return comparisonPiece(`!${printOperandCode(piece)}`);
  },
  exists: (call) => {
    const piece = call.value(0);
    if (piece.type === 'list' && !piece.known) return comparisonPiece(`${piece.code}.length > 0`);
    return comparisonPiece(`${printOperandCode(piece)} !== undefined`);
  },
  length: (call) => {
    const text = call.text(0);
    const value = text.known?.value;
    if (typeof value !== 'string' || HAS_SURROGATES.test(value)) call.converter.doubt(EMOJI_DOUBT);
    return unknownPiece(`${printOperandCode(text)}${text.isCertain ? '.' : '?.'}length`, true, 'number');
  },
  substring: (call) => {
    const [, start, count] = call.trees;
    const isPlain = (one: JsonataNode | undefined) =>
      one === undefined || (one.type === 'number' && Number(one.value) >= 0);
    if (!isPlain(start) || !isPlain(count)) call.converter.doubt('Signs and lengths below zero count differently');
    const text = call.text(0);
    const known = text.known?.value;
    if (typeof known !== 'string' || HAS_SURROGATES.test(known)) call.converter.doubt(EMOJI_DOUBT);
    const from = call.number(1).code;
    const to = !count
      ? ''
      : isPlain(start) && count.type === 'number'
        ? `, ${Number(start?.value ?? 0) + Number(count.value)}`
        : `, ${from} + ${call.number(2).code}`;
    return unknownPiece(`${printOperandCode(text)}?.slice(${from}${to})`, true, 'text');
  },
  substringBefore: textMethod((call) => `split(${call.text(1).code})[0]`, 'text'),
  substringAfter: (call) => {
    const [text, sign] = [printOperandCode(call.text(0)), call.text(1)];
    const size =
      typeof sign.known?.value === 'string' ? String(sign.known.value.length) : `${printOperandCode(sign)}.length`;
    return unknownPiece(
      `(${text}?.includes(${sign.code}) ? ${text}.slice(${text}.indexOf(${sign.code}) + ${size}) : ${text})`,
      true,
      'text',
    );
  },
  uppercase: textMethod(() => 'toUpperCase()', 'text'),
  lowercase: textMethod(() => 'toLowerCase()', 'text'),
  trim: textMethod(() => 'replace(/[ \\t\\n\\r]+/g, " ").replace(/^ | $/g, "")', 'text'),
  contains: (call) => {
    const pattern = call.trees[1];
    const text = call.text(0);
    if (pattern?.type !== 'regex')
      return unknownPiece(`${printOperandCode(text)}?.includes(${call.text(1).code})`, true, 'boolean');
    const code = printJsonataRegex(pattern);
    if (text.isCertain) return certainPiece(`${code}.test(${text.code})`, 'boolean');
    // A text that is missing matches nothing.
    const guard = (pattern.value as RegExp).test('') ? `${printOperandCode(text)} !== undefined && ` : '';
    return guard
      ? certainPiece(`${guard}${code}.test(${text.code})`, 'boolean', false)
      : certainPiece(`${code}.test(${printOperandCode(text)} ?? "")`, 'boolean');
  },
  split: (call) => {
    if (call.trees.length > 2) return call.converter.refuse('A limit of parts has no short form in JavaScript');
    return unknownPiece(`${printOperandCode(call.text(0))}?.split(${patternOrText(call, 1, false)})`, true, 'list');
  },
  join: (call) => {
    const list = call.list(0);
    if (!list.known) call.converter.doubt('Without a list, JSONata yields nothing');
    return certainPiece(`${list.code}.join(${call.trees[1] ? call.text(1).code : '""'})`, 'text');
  },
  replace: (call) => {
    if (call.trees.length > 3) return call.converter.refuse('A limit of matches has no short form in JavaScript');
    const isPattern = call.trees[1]?.type === 'regex';
    const by = literalText(call, 2);
    return unknownPiece(
      `${printOperandCode(call.text(0))}?.${isPattern ? 'replace' : 'replaceAll'}(${patternOrText(call, 1, true)}, ${by})`,
      true,
      'text',
    );
  },
  sum: aggregate((list) => `${list}.reduce((sum, value) => sum + value, 0)`, 'Without a list, JSONata yields nothing'),
  max: aggregate((list) => `Math.max(...${list})`, 'Of an empty list, JSONata yields nothing'),
  min: aggregate((list) => `Math.min(...${list})`, 'Of an empty list, JSONata yields nothing'),
  count: (call) => certainPiece(`${call.list(0).code}.length`, 'number'),
  floor: mathMethod('floor'),
  ceil: mathMethod('ceil'),
  abs: mathMethod('abs'),
  sqrt: mathMethod('sqrt'),
  formatNumber: (call) => {
    const format = numberFormat(call);
    call.converter.doubt('JSONata rounds halves to the even digit');
    return certainPiece(`${format}.format(${call.number(0).code})`, 'text');
  },
  now: (call) =>
    call.trees.length > 0
      ? call.converter.refuse('A picture of a time has no short form in JavaScript')
      : certainPiece('helpers.now()', 'text'),
  millis: () => certainPiece('Date.now()', 'number'),
  fromMillis: (call) =>
    call.trees.length > 1
      ? call.converter.refuse('A picture of a time has no short form in JavaScript')
      : unknownPiece(`new Date(${call.number(0).code}).toISOString()`, true, 'text'),
  toMillis: (call) =>
    call.trees.length > 1
      ? call.converter.refuse('A picture of a time has no short form in JavaScript')
      : unknownPiece(`Date.parse(${call.text(0).code})`, true, 'number'),
  keys: (call) => {
    const piece = call.value(0);
    if (piece.type !== 'object') call.converter.doubt('Of a list, JSONata collects the names of all items');
    call.converter.doubt('JSONata makes of a list with one item the item itself');
    return certainPiece(`Object.keys(${piece.code} ?? {})`, 'list');
  },
  lookup: (call) => {
    const piece = call.value(0);
    if (piece.type !== 'object') call.converter.doubt('Of a list, JSONata looks into each item');
    return unknownPiece(`${printOperandCode(piece)}?.[${call.text(1).code}]`);
  },
  merge: (call) => certainPiece(`Object.assign({}, ...${call.list(0).code})`, 'object'),
  append: (call) => {
    call.converter.doubt('JSONata makes of a list with one item the item itself');
    return certainPiece(`[...${call.list(0).code}, ...${call.list(1).code}]`, 'list');
  },
  reverse: (call) => certainPiece(`[...${call.list(0).code}].reverse()`, 'list'),
  sort: (call) => {
    if (call.trees.length > 1) return call.converter.refuse('An order of its own has no short form in JavaScript');
    return certainPiece(`[...${call.list(0).code}].sort((a, b) => (a > b ? 1 : a < b ? -1 : 0))`, 'list');
  },
  distinct: (call) => {
    call.converter.doubt(
      'JSONata compares what is in lists and objects, and makes of a list with one item the item itself',
    );
    return certainPiece(`[...new Set(${call.list(0).code})]`, 'list');
  },
  map: listMethod('map', 'list'),
  filter: listMethod('filter', 'list'),
  reduce: listMethod('reduce', 'unknown'),
  base64encode: (call) => unknownPiece(`helpers.base64encode(${call.text(0).code})`, true, 'text'),
  base64decode: (call) => unknownPiece(`helpers.base64decode(${call.text(0).code})`, true, 'text'),
};

/** A value of which counts whether it is true, and whether it is there. */
function testedValue(call: JsonataCall): CodePiece {
  const piece = call.converter.convertTest(tree(call, 0), call.context);
  if (!piece.isCertain && piece.known?.value === undefined) call.converter.doubt(NOTHING_DOUBT);
  return piece;
}

function tree({ trees, converter }: JsonataCall, place: number): JsonataNode {
  return trees[place] ?? converter.refuse('A function without its argument takes what is around it');
}

/** Functions that JavaScript has as `helpers`. They fail without a value, where JSONata yields nothing. */
const HELPER_NAMES: ReadonlySet<string> = new Set(EXPRESSION_FUNCTIONS.map(({ name }) => name));

export function convertJsonataCall(
  converter: JsonataConversion,
  call: JsonataNode,
  context: CodePiece | undefined,
): CodePiece {
  const procedure = call['procedure'] as JsonataNode;
  const name = String(procedure.value);
  const trees = (call['arguments'] as JsonataNode[] | undefined) ?? [];
  if (procedure.type !== 'variable') return converter.refuse('Only functions with a name can be converted');
  const made: JsonataCall = {
    converter,
    trees,
    context,
    value: (place) => converter.convert(tree(made, place), context),
    text: (place) => converter.requireText(converter.convert(tree(made, place), context)),
    number: (place) => converter.requireNumber(converter.convert(tree(made, place), context)),
    list: (place) => converter.convertList(tree(made, place), context),
  };
  if (HELPER_NAMES.has(name)) {
    const pieces = trees.map((_, place) => made.value(place));
    if (pieces.some(({ type }) => type === 'unknown' || type === 'missing')) converter.doubt(NOTHING_DOUBT);
    return unknownPiece(`helpers.${name}(${pieces.map(({ code }) => code).join(', ')})`, true, 'unknown');
  }
  const convert = Object.hasOwn(CALL_CONVERSIONS, name) ? CALL_CONVERSIONS[name] : undefined;
  return convert ? convert(made) : converter.refuse(`$${name} has no counterpart in JavaScript with the same result`);
}
