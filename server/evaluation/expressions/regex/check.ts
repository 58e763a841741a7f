import { RegExpParser, RegExpSyntaxError, type AST } from '@eslint-community/regexpp';
import { isUnicodeProperty } from './code-points';
import { unicodePropertyName } from './sets';

/** The reason why a pattern cannot be used, and its position in the pattern. */
export interface RegexProblem {
  message: string;
  position: number;
}

/** Larger patterns take long to compile, or cannot be compiled. */
export const MAX_PATTERN_LENGTH = 10_000;
export const MAX_PATTERN_REPEAT = 1000;
const MAX_GROUP_DEPTH = 100;
/** Characters and operators after all repetitions are expanded. */
const MAX_EXPANDED_SIZE = 20_000;
/** The size that a Unicode property counts as: it has hundreds of ranges. */
const UNICODE_PROPERTY_SIZE = 50;
/** The cost of a match is proportional to the pattern's size. */
const MAX_CAPTURE_GROUPS = 200;

const SUPPORTED_FLAGS = 'gimsu';
/** The syntax of the oldest supported Node.js. */
const ECMA_VERSION = 2024;

/** A pattern or its flags cannot be used. */
export class LinearRegexError extends Error implements RegexProblem {
  override readonly name = 'RegexError';

  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/** Parses a JavaScript pattern. Throws RegexError, also for patterns that cannot be matched in linear time. */
export function parseLinearRegex(pattern: string, flags: string): AST.Pattern {
  requireKnownFlags(pattern, flags);
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new LinearRegexError(`A pattern has at most ${MAX_PATTERN_LENGTH} characters.`, MAX_PATTERN_LENGTH);
  // Checked first, because parsers recurse.
  requireGroupDepth(pattern);
  const tree = parseRegexSyntax(pattern, flags);
  measureElement(tree);
  return tree;
}

function requireKnownFlags(pattern: string, flags: string): void {
  for (const [index, flag] of [...flags].entries()) {
    if (!SUPPORTED_FLAGS.includes(flag))
      throw new LinearRegexError(`The flag "${flag}" is not supported.`, pattern.length);
    if (flags.indexOf(flag) < index) throw new LinearRegexError(`The flag "${flag}" is given twice.`, pattern.length);
  }
}

function requireGroupDepth(pattern: string): void {
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === ')') depth -= 1;
    else if (character === '(') depth += 1;
    if (depth > MAX_GROUP_DEPTH)
      throw new LinearRegexError(`Groups may be nested ${MAX_GROUP_DEPTH} deep at most.`, at);
  }
}

function parseRegexSyntax(pattern: string, flags: string): AST.Pattern {
  try {
    const parser = new RegExpParser({ ecmaVersion: ECMA_VERSION });
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: flags.includes('u') });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    // `Invalid regular expression: /(/: Unterminated group`
    throw new LinearRegexError(`${error.message.slice(error.message.lastIndexOf(': ') + 2)}.`, error.index);
  }
}

interface PatternExtent {
  size: number;
  /** The largest product of nested repetition counts. */
  repeats: number;
  /** Capturing groups. */
  groups: number;
}

const SINGLE_EXTENT: PatternExtent = { size: 1, repeats: 1, groups: 0 };

/** The size of a part of a pattern. Throws RegexError for parts that are too large or have no linear equivalent. */
function measureElement(node: AST.Pattern | AST.Element | AST.CharacterClassElement): PatternExtent {
  switch (node.type) {
    case 'Quantifier':
      return measureRepetition(node);
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return combineExtents(
        node.start,
        node.alternatives.flatMap(({ elements }) => elements.map(measureElement)),
        { ...SINGLE_EXTENT, size: node.alternatives.length + 1, groups: node.type === 'CapturingGroup' ? 1 : 0 },
      );
    case 'CharacterClass':
      return combineExtents(node.start, node.elements.map(measureElement), SINGLE_EXTENT);
    case 'CharacterSet':
      if (node.kind !== 'property') break;
      if (!isUnicodeProperty(unicodePropertyName(node)))
        throw new LinearRegexError(`The property ${node.raw} is unknown.`, node.start);
      return { ...SINGLE_EXTENT, size: UNICODE_PROPERTY_SIZE };
    case 'Backreference':
      throw new LinearRegexError('A back-reference is not supported.', node.start);
    case 'Assertion':
      if (node.kind === 'lookahead') throw new LinearRegexError('A look-ahead is not supported.', node.start);
      if (node.kind === 'lookbehind') throw new LinearRegexError('A look-behind is not supported.', node.start);
      break;
    default:
  }
  return SINGLE_EXTENT;
}

function measureRepetition({ element, min, max }: AST.Quantifier): PatternExtent {
  const position = element.end;
  if (min > MAX_PATTERN_REPEAT || (max !== Infinity && max > MAX_PATTERN_REPEAT))
    throw new LinearRegexError(`A repetition count may be ${MAX_PATTERN_REPEAT} at most.`, position);
  const count = Math.max(1, max === Infinity ? min : max);
  const inner = measureElement(element);
  const repeats = inner.repeats * count;
  if (repeats > MAX_PATTERN_REPEAT)
    throw new LinearRegexError(
      `Nested repetition counts may be ${MAX_PATTERN_REPEAT} at most when multiplied.`,
      position,
    );
  return combineExtents(position, [{ ...inner, size: (inner.size + 1) * count, repeats }], SINGLE_EXTENT);
}

function combineExtents(position: number, parts: readonly PatternExtent[], own: PatternExtent): PatternExtent {
  const extent = { ...own };
  for (const { size, repeats, groups } of parts) {
    extent.size += size;
    extent.repeats = Math.max(extent.repeats, repeats);
    extent.groups += groups;
  }
  if (extent.size > MAX_EXPANDED_SIZE)
    throw new LinearRegexError(
      `The pattern is too large: ${MAX_EXPANDED_SIZE} parts at most, repetitions written out.`,
      position,
    );
  if (extent.groups > MAX_CAPTURE_GROUPS)
    throw new LinearRegexError(`A pattern may have ${MAX_CAPTURE_GROUPS} groups at most.`, position);
  return extent;
}

/**
 * Says why a pattern cannot be matched in linear time: its syntax, features that linear engines lack, or its size.
 * Takes time linear in the pattern's length, because it compiles nothing. Null: it can be used.
 */
export function findRegexProblem(pattern: string, flags = ''): RegexProblem | null {
  try {
    parseLinearRegex(pattern, flags);
    return null;
  } catch (error) {
    if (!(error instanceof LinearRegexError)) throw error;
    return { message: error.message, position: error.position };
  }
}
