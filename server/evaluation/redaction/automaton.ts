import type { TextRanges } from './ranges';

const NO_CHILD_SYMBOL = 0x200;
const HAS_SIBLINGS = 0x100;
const PLUS_BYTE = 0x2b;
const SPACE_BYTE = 0x20;

/** Forms write a space as `+`: both are one symbol, in patterns and in texts. */
function foldPlusToSpace(pattern: Uint8Array): Uint8Array {
  const symbols = pattern.slice();
  for (let at = symbols.indexOf(PLUS_BYTE); at >= 0; at = symbols.indexOf(PLUS_BYTE, at)) symbols[at] = SPACE_BYTE;
  return symbols;
}

/**
 * An Aho–Corasick automaton over bytes: finds all patterns in one pass over a text. States are numbered in preorder, so
 * that the first child of a state is the next number and a state takes a few bytes: a dense table of 256 columns would
 * take 1 KiB per byte of a secret.
 */
export class PatternAutomaton {
  /** Length of the shortest pattern in bytes. */
  readonly shortest: number;
  private readonly root = new Int32Array(256);
  /** Symbol of a state's first child, with `HAS_SIBLINGS` when there are more. */
  private readonly child: Uint16Array;
  /** All children but the first, by state and symbol. A pattern branches off at most once: there are few. */
  private readonly siblings = new Map<number, number>();
  /** The state of the longest proper suffix. */
  private readonly suffix: Int32Array;
  /** Length of the longest pattern that ends in a state. */
  private readonly longest: Int32Array;

  /** There is at least one pattern, and none is empty. */
  constructor(secrets: readonly Uint8Array[]) {
    const patterns = secrets.map(foldPlusToSpace).toSorted(compareBytes);
    const lengths = patterns.map(({ length }) => length);
    const most = lengths.reduce((sum, length) => sum + length, 1);
    this.shortest = lengths.reduce((least, length) => Math.min(least, length));
    this.child = new Uint16Array(most).fill(NO_CHILD_SYMBOL);
    this.suffix = new Int32Array(most);
    this.longest = new Int32Array(most);
    this.link(this.insert(patterns, most));
  }

  /** Builds the trie. Answers its states. */
  private insert(patterns: readonly Uint8Array[], most: number): PatternTrie {
    const parents = new Int32Array(most);
    const symbols = new Uint8Array(most);
    const depths = new Int32Array(most);
    /** States of the previous pattern; patterns are sorted. */
    const path = [0];
    let count = 1;
    let before: Uint8Array = new Uint8Array();
    for (const pattern of patterns) {
      const shared = sharedPrefixLength(before, pattern);
      for (let depth = shared; depth < pattern.length; depth += 1) {
        const parent = path[depth] as number;
        const symbol = pattern[depth] as number;
        this.attach(parent, symbol, count);
        parents[count] = parent;
        symbols[count] = symbol;
        depths[count] = depth + 1;
        path[depth + 1] = count;
        count += 1;
      }
      this.longest[path[pattern.length] as number] = pattern.length;
      before = pattern;
    }
    return { count, parents, symbols, depths };
  }

  private attach(parent: number, symbol: number, state: number): void {
    if (parent === 0) this.root[symbol] = state;
    else if (state === parent + 1) this.child[parent] = symbol;
    else {
      this.child[parent] = (this.child[parent] as number) | HAS_SIBLINGS;
      this.siblings.set(parent * 256 + symbol, state);
    }
  }

  /** Links each state to that of its longest proper suffix, shorter ones first. */
  private link({ count, parents, symbols, depths }: PatternTrie): void {
    for (const state of sortStatesByDepth(depths.subarray(0, count))) {
      const parent = parents[state] as number;
      const suffix = parent === 0 ? 0 : this.next(this.suffix[parent] as number, symbols[state] as number);
      this.suffix[state] = suffix;
      // A pattern that ends here is longer than any that ends in a suffix.
      if (this.longest[state] === 0) this.longest[state] = this.longest[suffix] as number;
    }
    this.root[PLUS_BYTE] = this.root[SPACE_BYTE] as number;
  }

  private next(from: number, symbol: number): number {
    const { child, suffix } = this;
    for (let state = from; state !== 0; state = suffix[state] as number) {
      const first = child[state] as number;
      if (first === symbol) return state + 1;
      if (first > 0xff && first !== NO_CHILD_SYMBOL) {
        if ((first & 0xff) === symbol) return state + 1;
        const sibling = this.siblings.get(state * 256 + symbol);
        if (sibling !== undefined) return sibling;
      }
    }
    return this.root[symbol] as number;
  }

  /** Finds the positions of patterns. Time is linear in the length of `bytes`. */
  search(bytes: Uint8Array, found: TextRanges): void {
    const { root, child, longest } = this;
    const end = bytes.length;
    let state = 0;
    for (let index = 0; index < end; index += 1) {
      const byte = bytes[index] as number;
      if (state === 0) state = root[byte] as number;
      else if (child[state] === byte) state += 1;
      else state = this.next(state, byte === PLUS_BYTE ? SPACE_BYTE : byte);
      if (state !== 0 && longest[state] !== 0) found.add(index + 1 - (longest[state] as number), index + 1);
    }
  }
}

interface PatternTrie {
  count: number;
  parents: Int32Array;
  symbols: Uint8Array;
  depths: Int32Array;
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = sharedPrefixLength(one, other);
  return (one[shared] ?? -1) - (other[shared] ?? -1);
}

function sharedPrefixLength(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let index = 0;
  while (index < end && one[index] === other[index]) index += 1;
  return index;
}

/** All states but the root, by depth (counting sort). */
function sortStatesByDepth(depths: Int32Array): Int32Array {
  let deepest = 0;
  for (const depth of depths) deepest = Math.max(deepest, depth);
  const starts = new Int32Array(deepest + 2);
  for (const depth of depths) starts[depth + 1] = (starts[depth + 1] as number) + 1;
  for (let depth = 1; depth < starts.length; depth += 1)
    starts[depth] = (starts[depth] as number) + (starts[depth - 1] as number);
  const states = new Int32Array(depths.length);
  for (let state = 0; state < depths.length; state += 1) {
    const depth = depths[state] as number;
    const position = starts[depth] as number;
    states[position] = state;
    starts[depth] = position + 1;
  }
  return states.subarray(1);
}
