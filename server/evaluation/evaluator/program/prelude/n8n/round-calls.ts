/** What a round of a circle gets. */
interface CircleRound {
  index: number;
  /** What the round before gave. */
  previous: unknown;
  /** What came to the circle. */
  input: unknown;
}

/** An item that leaves a round, with the position of the one that it came from in the list of the loop. */
interface TracedItem {
  item: unknown;
  from: number | null;
}

/** The items that come to a node at once, and the position of the first of them among all that come. */
interface ItemRun {
  from: number;
  items: unknown[];
}

const readList = (value: unknown): unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

/** What a node of a round gave: the output of a round with several ends has it by the id of the node. */
const readRoundEnd = (round: unknown, end: string): unknown[] =>
  readList(Array.isArray(round) ? round : (round as Record<string, unknown> | null)?.[end]);

/** A list whose items came from the items at these positions. */
const writeTracedList = (items: unknown[], origins: (number | null)[]) => ({ $items: items, $origins: origins });

/** Lists as runs; those without items are none. */
function numberRuns(lists: unknown[][]): ItemRun[] {
  let from = 0;
  const runs = lists.map((items) => {
    const run = { from, items };
    from += items.length;
    return run;
  });
  return runs.filter(({ items }) => items.length > 0);
}

const writeNumbers = (numbers: (number | null)[]) =>
  writeTracedList(
    numbers.map((n) => ({ n })),
    numbers,
  );
const writeOwnItems = (items: unknown[]) =>
  writeTracedList(
    items,
    items.map((_, index) => index),
  );

/** How the items of rounds are numbered, taken over and joined, as the nodes of imported loops call it. */
export const ROUND_CALLS = {
  /** The positions that the items of a batch have in the list of the loop. */
  roundNumbers: ({ index, item }: { index: number; item: unknown }, size: number | null) =>
    writeNumbers(readList(item).map((_, at) => (size === null ? null : index * size + at))),
  /** The items of a batch, each of which belongs to its number. */
  roundItems: (items: unknown) => writeOwnItems(readList(items)),
  /** The positions that the items of a round of a circle have in the list that came to the circle. */
  circleNumbers: ({ index, previous, input }: CircleRound, back: string) =>
    writeNumbers(
      index === 0
        ? readList(input).map((_, at) => at)
        : (readRoundEnd(previous, back) as TracedItem[]).map(({ from }) => from),
    ),
  /** The items of a round of a circle: those that came to it, or that the round before led back. */
  circleItems: ({ index, previous, input }: CircleRound, back: string) =>
    writeOwnItems(
      index === 0 ? readList(input) : (readRoundEnd(previous, back) as TracedItem[]).map(({ item }) => item),
    ),
  /** The lists of several sources, each as one run, with the position of its first item among all. */
  joinedRuns: (lists: unknown[]) => numberRuns(lists.map(readList)),
  /** What the rounds of a circle let out, each as one run. `isReversed`: n8n goes on with the last one first. */
  circleRuns: (rounds: unknown, end: string, isReversed: boolean) => {
    const runs = numberRuns(
      readList(rounds).map((round) => (readRoundEnd(round, end) as TracedItem[]).map(({ item }) => item)),
    );
    return isReversed ? runs.toReversed() : runs;
  },
  /** The positions that the items of a run have among those of all runs. */
  runNumbers: ({ item: { from, items } }: { item: ItemRun }) => writeNumbers(items.map((_, at) => from + at)),
  /** What leaves all rounds by one of their ends, as one list. */
  joinTracedRounds: (rounds: unknown, end: string) => {
    const all = readList(rounds).flatMap((round) => readRoundEnd(round, end) as TracedItem[]);
    return writeTracedList(
      all.map(({ item }) => item),
      all.map(({ from }) => from),
    );
  },
  /** The items of a round of a circle, without where they came from. */
  nextRound: ({ index, previous, input }: CircleRound, back: string) =>
    index === 0
      ? input
      : Array.isArray(previous)
        ? (previous as unknown[])
        : ((previous as Record<string, unknown> | null)?.[back] ?? []),
  /** The results of rounds as one list, without where they came from. */
  joinRounds: (rounds: unknown, last: string | null) =>
    (Array.isArray(rounds) ? rounds : []).flatMap((round: unknown) => {
      const result = last === null || Array.isArray(round) ? round : (round as Record<string, unknown> | null)?.[last];
      return result === undefined || result === null ? [] : result;
    }),
};
