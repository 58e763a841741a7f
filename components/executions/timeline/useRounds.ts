import { useMemo, useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { resultsOf, type Run } from '../live';
import { innerResults, roundsIn, roundToShow, type ChosenRounds } from './rounds';

/** Results of a run for the nodes on the canvas and, inside a loop, the rounds to choose from. */
export interface Rounds {
  results: ReadonlyMap<string, NodeResult>;
  /** Prefix of their ids in the run: empty, or `loop[3].` */
  prefix: string;
  /** Rounds of the innermost opened loop; empty outside of loops. */
  all: Map<number, NodeResult[]>;
  chosen: number | undefined;
  choose(round: number): void;
  /** The same for the loop whose result has this id, e.g. a loop on the canvas. Undefined: no round was chosen. */
  chosenAt(place: string): number | undefined;
  chooseAt(place: string, round: number): void;
}

const NONE: Map<number, NodeResult[]> = new Map();

/** `path`: the opened loops, from the outside in. */
export function useRounds(execution: Run | undefined, path: readonly string[]): Rounds {
  const [choices, setChoices] = useState<ChosenRounds>({});
  return useMemo(() => {
    const whole = resultsOf(execution);
    const loop = path.at(-1);
    const outer = innerResults(whole, path.slice(0, -1), choices);
    const all = loop === undefined ? NONE : roundsIn(outer.values(), loop);
    // A choice is stored per outer round.
    const place = placeOf(whole, path, choices);
    const chosen = choices[place] ?? roundToShow(all);
    const chooseAt = (at: string, round: number) => setChoices((before) => ({ ...before, [at]: round }));
    return {
      results: innerResults(whole, path, choices),
      prefix: loop === undefined ? '' : `${place}[${chosen}].`,
      all,
      chosen,
      choose: (round) => chooseAt(place, round),
      chosenAt: (at) => choices[at],
      chooseAt,
    };
  }, [execution, path, choices]);
}

/** `['outer', 'inner']` → `outer[2].inner`, by the rounds chosen. */
function placeOf(results: Rounds['results'], path: readonly string[], choices: ChosenRounds): string {
  let place = '';
  path.forEach((id, depth) => {
    const outer = innerResults(results, path.slice(0, depth), choices);
    const round = choices[place + id] ?? roundToShow(roundsIn(outer.values(), id));
    place += depth === path.length - 1 ? id : `${id}[${round}].`;
  });
  return place;
}
