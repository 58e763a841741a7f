import { useState } from 'react';

interface RunPages {
  /** The filters and the order, as they stand in the address. */
  place: string;
  /** How many runs are on the pages before this one, for each page up to this one. */
  offsets: readonly number[];
  /** Upper bound while paging: new runs must not shift the pages. */
  until: string | undefined;
}

/** The pages of the list of runs. Another place begins on the first page, whether a filter, a link or “back” led there. */
export function useRunPages(place: string) {
  const [kept, setKept] = useState<RunPages>({ place, offsets: [0], until: undefined });
  const { offsets, until } = kept.place === place ? kept : { offsets: [0], until: undefined };
  return {
    offset: offsets.at(-1) ?? 0,
    until,
    goToPrevious() {
      const before = offsets.slice(0, -1);
      setKept({ place, offsets: before, until: before.length > 1 ? until : undefined });
    },
    /** `bound` is the time of the newest run of the first page. Undefined: new runs come last. */
    goToNext: (offset: number, bound: string | undefined) =>
      setKept({ place, offsets: [...offsets, offset], until: until ?? bound }),
  };
}
