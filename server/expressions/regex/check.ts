import { RegExpParser, RegExpSyntaxError, type AST } from '@eslint-community/regexpp';
import { isProperty } from './code-points';
import { propertyName } from './sets';

/** Why a pattern cannot be used, and the position in the pattern. */
export interface RegexProblem {
  message: string;
  position: number;
}

/** Larger patterns take long to compile, or cannot be compiled. */
export const MAX_PATTERN_LENGTH = 10_000;
export const MAX_PATTERN_REPEAT = 1000;
const MAX_DEPTH = 100;
/** Characters and operators after all repetitions are expanded. */
const MAX_SIZE = 20_000;
/** The size that a Unicode property counts as: it has hundreds of ranges. */
const PROPERTY_SIZE = 50;
/** The cost of a match is proportional to the pattern's size. */
const MAX_GROUPS = 200;

const FLAGS = 'gimsu';
/** The syntax of the oldest supported Node.js. */
const ECMA_VERSION = 2024;

/** A pattern or its flags cannot be used. */
export class RegexError extends Error implements RegexProblem {
  override readonly name = 'RegexError';

  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

/** Parses a JavaScript pattern. Throws RegexError, also for patterns that cannot be matched in linear time. */
export function parsed(pattern: string, flags: string): AST.Pattern {
  checkFlags(pattern, flags);
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new RegexError(`A pattern has at most ${MAX_PATTERN_LENGTH} characters.`, MAX_PATTERN_LENGTH);
  // Checked first, because parsers recurse.
  checkDepth(pattern);
  const tree = tryToParse(pattern, flags);
  measure(tree);
  return tree;
}

function checkFlags(pattern: string, flags: string): void {
  for (const [index, flag] of [...flags].entries()) {
    if (!FLAGS.includes(flag)) throw new RegexError(`The flag "${flag}" is not supported.`, pattern.length);
    if (flags.indexOf(flag) < index) throw new RegexError(`The flag "${flag}" is given twice.`, pattern.length);
  }
}

function checkDepth(pattern: string): void {
  let depth = 0;
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === ')') depth -= 1;
    else if (character === '(') depth += 1;
    if (depth > MAX_DEPTH) throw new RegexError(`Groups may be nested ${MAX_DEPTH} deep at most.`, at);
  }
}

function tryToParse(pattern: string, flags: string): AST.Pattern {
  try {
    const parser = new RegExpParser({ ecmaVersion: ECMA_VERSION });
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: flags.includes('u') });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    // `Invalid regular expression: /(/: Unterminated group`
    throw new RegexError(`${error.message.slice(error.message.lastIndexOf(': ') + 2)}.`, error.index);
  }
}

interface Extent {
  size: number;
  /** The largest product of nested repetition counts. */
  repeats: number;
  /** Capturing groups. */
  groups: number;
}

const ONE: Extent = { size: 1, repeats: 1, groups: 0 };

/** The size of a part of a pattern. Throws RegexError for parts that are too large or have no linear equivalent. */
function measure(node: AST.Pattern | AST.Element | AST.CharacterClassElement): Extent {
  switch (node.type) {
    case 'Quantifier':
      return measureRepetition(node);
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return combined(
        node.start,
        node.alternatives.flatMap(({ elements }) => elements.map(measure)),
        { ...ONE, size: node.alternatives.length + 1, groups: node.type === 'CapturingGroup' ? 1 : 0 },
      );
    case 'CharacterClass':
      return combined(node.start, node.elements.map(measure), ONE);
    case 'CharacterSet':
      if (node.kind !== 'property') break;
      if (!isProperty(propertyName(node))) throw new RegexError(`The property ${node.raw} is unknown.`, node.start);
      return { ...ONE, size: PROPERTY_SIZE };
    case 'Backreference':
      throw new RegexError('A back-reference is not supported.', node.start);
    case 'Assertion':
      if (node.kind === 'lookahead') throw new RegexError('A look-ahead is not supported.', node.start);
      if (node.kind === 'lookbehind') throw new RegexError('A look-behind is not supported.', node.start);
      break;
    default:
  }
  return ONE;
}

function measureRepetition({ element, min, max }: AST.Quantifier): Extent {
  const position = element.end;
  if (min > MAX_PATTERN_REPEAT || (max !== Infinity && max > MAX_PATTERN_REPEAT))
    throw new RegexError(`A repetition count may be ${MAX_PATTERN_REPEAT} at most.`, position);
  const count = Math.max(1, max === Infinity ? min : max);
  const inner = measure(element);
  const repeats = inner.repeats * count;
  if (repeats > MAX_PATTERN_REPEAT)
    throw new RegexError(`Nested repetition counts may be ${MAX_PATTERN_REPEAT} at most when multiplied.`, position);
  return combined(position, [{ ...inner, size: (inner.size + 1) * count, repeats }], ONE);
}

function combined(position: number, parts: readonly Extent[], own: Extent): Extent {
  const extent = { ...own };
  for (const { size, repeats, groups } of parts) {
    extent.size += size;
    extent.repeats = Math.max(extent.repeats, repeats);
    extent.groups += groups;
  }
  if (extent.size > MAX_SIZE)
    throw new RegexError(`The pattern is too large: ${MAX_SIZE} parts at most, repetitions written out.`, position);
  if (extent.groups > MAX_GROUPS) throw new RegexError(`A pattern may have ${MAX_GROUPS} groups at most.`, position);
  return extent;
}

/**
 * Why a pattern cannot be matched in linear time: its syntax, features that linear engines lack, its size. Takes time linear in the
 * pattern's length, because it compiles nothing. Null: it can be used.
 */
export function regexProblem(pattern: string, flags = ''): RegexProblem | null {
  try {
    parsed(pattern, flags);
    return null;
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    return { message: error.message, position: error.position };
  }
}
