import type { AST } from '@eslint-community/regexpp';
import { LINE_ENDS } from './code-points';
import { isSet, joined, pointsOf, toRe2, type Flags } from './sets';

/** A JavaScript pattern in the syntax of RE2, and the mapping of their groups. */
export interface Translation {
  source: string;
  /** The group of RE2 for each group of JavaScript. */
  groups: readonly number[];
  names: readonly (string | null)[];
  /**
   * For groups of RE2 inside a repetition: the enclosing group that captures the last round. JavaScript resets the captures of a round at
   * the beginning of the next; RE2 does not.
   */
  rounds: ReadonlyMap<number, number>;
  /** Rounds that do not count if they match nothing: in JavaScript the repetition was not entered. */
  optional: ReadonlySet<number>;
  /** Empty groups of RE2, each before a line end matched by `$`. */
  ends: readonly number[];
}

type Branch = AST.Group | AST.CapturingGroup;

const LINE_END = toRe2(LINE_ENDS);

/**
 * Translates a pattern. `hasOtherLineEnds`: the text has line ends other than `\n`, the only one that RE2 supports. `^` becomes a
 * look-behind then; `$` as the last part of the pattern matches the line end, and `ends` marks where it begins. In other places `$` still
 * matches before `\n` only.
 */
export function translated(pattern: AST.Pattern, flags: Flags, hasOtherLineEnds: boolean): Translation {
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
      const pair = flags.isUnicode ? undefined : pairOf(node, elements[index + 1], flags);
      parts.push(pair ?? element(node, isLast && index === elements.length - 1));
      if (pair) index += 1;
    }
    return parts.join('');
  };

  const element = (node: AST.Element, isLast: boolean): string => {
    if (isSet(node)) return one(node);
    if (node.type === 'Quantifier') return repetition(node);
    if (node.type === 'Assertion') return assertion(node, isLast);
    if (node.type === 'CapturingGroup') return group(node, isLast);
    if (node.type === 'Group') return `(?:${alternatives(node.alternatives, isLast)})`;
    throw new Error(`${node.type} has passed the check`);
  };

  const one = (node: Parameters<typeof pointsOf>[0]): string => {
    const text = sets.get(node.raw) ?? toRe2(pointsOf(node, flags));
    sets.set(node.raw, text);
    return text;
  };

  /** A capturing group, of the author or to detect the last round of a repetition. */
  const group = (node: Branch, isLast: boolean, isRound = false): string => {
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
    if (node.kind === 'start') return `(?:\\A|(?<=${LINE_END}))`;
    if (!isLast) return '(?m:$)';
    ends.push(open());
    return `(?:\\z|()${LINE_END})`;
  };

  const repetition = ({ element: repeated, min, max, greedy }: AST.Quantifier): string => {
    const isOptional = min === 0 && isNullable(repeated);
    const isRound = isBranch(repeated) && hasGroup(repeated) && (max > 1 || isOptional);
    if (isRound && isOptional) optional.add(count + 1);
    const body = isRound ? group(repeated, false, true) : element(repeated, false);
    return `${body}${counts(min, max)}${greedy ? '' : '?'}`;
  };

  const source = alternatives(pattern.alternatives, true);
  return { source, groups, names, rounds, optional, ends };
}

function counts(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

const isBranch = (node: AST.Element): node is Branch => node.type === 'Group' || node.type === 'CapturingGroup';

const hasGroup = (node: AST.Element): boolean =>
  node.type === 'CapturingGroup' ||
  (node.type === 'Quantifier' && hasGroup(node.element)) ||
  (node.type === 'Group' && node.alternatives.some(({ elements }) => elements.some(hasGroup)));

/** Whether a part may match the empty text. */
const isNullable = (node: AST.Element): boolean =>
  node.type === 'Assertion' ||
  (node.type === 'Quantifier' && (node.min === 0 || isNullable(node.element))) ||
  (isBranch(node) && node.alternatives.some(({ elements }) => elements.every(isNullable)));

/** Two consecutive surrogates, the second of which may be repeated: only one repetition can match. */
function pairOf(node: AST.Element, next: AST.Element | undefined, flags: Flags): string | undefined {
  const repeated = next?.type === 'Quantifier' && next.min <= 1 && next.max >= 1 ? next.element : next;
  if (!repeated || !isSet(node) || !isSet(repeated) || !mayBeHalf(node)) return undefined;
  const points = joined(pointsOf(node, flags), pointsOf(repeated, flags));
  return points && toRe2(points);
}

const mayBeHalf = (node: AST.Element) =>
  node.type === 'Character' ? node.value >= 0xd800 && node.value <= 0xdbff : node.type === 'CharacterClass';
