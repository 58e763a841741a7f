import type { AST } from '@eslint-community/regexpp';
import { LINE_END_CODE_POINTS } from './code-points';
import { isCharacterSetNode, joinSurrogateSets, matchedCodePoints, writeRe2Set, type RegexFlags } from './sets';

/** A JavaScript pattern in the syntax of RE2, and the mapping of their groups. */
export interface RegexTranslation {
  source: string;
  /** The group of RE2 for each group of JavaScript. */
  groups: readonly number[];
  names: readonly (string | null)[];
  /**
   * For groups of RE2 inside a repetition: the enclosing group that captures the last round. JavaScript resets the
   * captures of a round at the beginning of the next; RE2 does not.
   */
  rounds: ReadonlyMap<number, number>;
  /** Rounds that do not count if they match nothing: in JavaScript the repetition was not entered. */
  optional: ReadonlySet<number>;
  /** The empty groups of RE2 that mark line ends matched by `$`, each before its line end. */
  ends: readonly number[];
}

type GroupNode = AST.Group | AST.CapturingGroup;

const RE2_LINE_END = writeRe2Set(LINE_END_CODE_POINTS);

/**
 * Translates a pattern. `hasOtherLineEnds`: the text has line ends other than `\n`, the only one that RE2 supports. `^`
 * becomes a look-behind then; `$` as the last part of the pattern matches the line end, and `ends` marks where it
 * begins. In other places `$` still matches before `\n` only.
 */
export function translateRegex(pattern: AST.Pattern, flags: RegexFlags, hasOtherLineEnds: boolean): RegexTranslation {
  const groups: number[] = [];
  const names: (string | null)[] = [];
  const rounds = new Map<number, number>();
  const optional = new Set<number>();
  const ends: number[] = [];
  /** Cache of written sets: large ones take time. */
  const sets = new Map<string, string>();
  let count = 0;
  let round = 0;

  const open = (): number => {
    count += 1;
    rounds.set(count, round);
    return count;
  };

  const alternatives = (nodes: readonly AST.Alternative[], isLast: boolean): string =>
    nodes.map(({ elements }) => sequence(elements, isLast)).join('|');

  const sequence = (elements: readonly AST.Element[], isLast: boolean): string => {
    const parts: string[] = [];
    for (let index = 0; index < elements.length; index += 1) {
      const node = elements[index] as AST.Element;
      const pair = flags.isUnicode ? undefined : translateSurrogatePair(node, elements[index + 1], flags);
      parts.push(pair ?? element(node, isLast && index === elements.length - 1));
      if (pair) index += 1;
    }
    return parts.join('');
  };

  const element = (node: AST.Element, isLast: boolean): string => {
    if (isCharacterSetNode(node)) return one(node);
    if (node.type === 'Quantifier') return repetition(node);
    if (node.type === 'Assertion') return assertion(node, isLast);
    if (node.type === 'CapturingGroup') return group(node, isLast);
    if (node.type === 'Group') return `(?:${alternatives(node.alternatives, isLast)})`;
    throw new Error(`${node.type} has passed the check`);
  };

  const one = (node: Parameters<typeof matchedCodePoints>[0]): string => {
    const text = sets.get(node.raw) ?? writeRe2Set(matchedCodePoints(node, flags));
    sets.set(node.raw, text);
    return text;
  };

  /** A capturing group, of the author or to detect the last round of a repetition. */
  const group = (node: GroupNode, isLast: boolean, isRound = false): string => {
    const outer = round;
    const own = open();
    if (node.type === 'CapturingGroup') {
      groups.push(own);
      names.push(node.name);
    }
    if (isRound) round = own;
    const body = `(${alternatives(node.alternatives, isLast)})`;
    round = outer;
    return body;
  };

  const assertion = (node: AST.Assertion, isLast: boolean): string => {
    if (node.kind === 'word') return node.negate ? '\\B' : '\\b';
    if (!flags.isMultiline) return node.kind === 'start' ? '\\A' : '\\z';
    if (!hasOtherLineEnds) return node.kind === 'start' ? '(?m:^)' : '(?m:$)';
    if (node.kind === 'start') return `(?:\\A|(?<=${RE2_LINE_END}))`;
    if (!isLast) return '(?m:$)';
    ends.push(open());
    return `(?:\\z|()${RE2_LINE_END})`;
  };

  const repetition = ({ element: repeated, min, max, greedy }: AST.Quantifier): string => {
    const isOptional = min === 0 && matchesEmptyText(repeated);
    const isRound = isGroupNode(repeated) && hasCapturingGroup(repeated) && (max > 1 || isOptional);
    if (isRound && isOptional) optional.add(count + 1);
    const body = isRound ? group(repeated, false, true) : element(repeated, false);
    return `${body}${writeRepetition(min, max)}${greedy ? '' : '?'}`;
  };

  const source = alternatives(pattern.alternatives, true);
  return { source, groups, names, rounds, optional, ends };
}

function writeRepetition(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

const isGroupNode = (node: AST.Element): node is GroupNode => node.type === 'Group' || node.type === 'CapturingGroup';

const hasCapturingGroup = (node: AST.Element): boolean =>
  node.type === 'CapturingGroup' ||
  (node.type === 'Quantifier' && hasCapturingGroup(node.element)) ||
  (node.type === 'Group' && node.alternatives.some(({ elements }) => elements.some(hasCapturingGroup)));

/** Whether a part may match the empty text. */
const matchesEmptyText = (node: AST.Element): boolean =>
  node.type === 'Assertion' ||
  (node.type === 'Quantifier' && (node.min === 0 || matchesEmptyText(node.element))) ||
  (isGroupNode(node) && node.alternatives.some(({ elements }) => elements.every(matchesEmptyText)));

/** Two consecutive surrogates, the second of which may be repeated: only one repetition can match. */
function translateSurrogatePair(
  node: AST.Element,
  next: AST.Element | undefined,
  flags: RegexFlags,
): string | undefined {
  const repeated = next?.type === 'Quantifier' && next.min <= 1 && next.max >= 1 ? next.element : next;
  if (!repeated || !isCharacterSetNode(node) || !isCharacterSetNode(repeated) || !mayMatchSurrogate(node))
    return undefined;
  const points = joinSurrogateSets(matchedCodePoints(node, flags), matchedCodePoints(repeated, flags));
  return points && writeRe2Set(points);
}

const mayMatchSurrogate = (node: AST.Element) =>
  node.type === 'Character' ? node.value >= 0xd800 && node.value <= 0xdbff : node.type === 'CharacterClass';
