import { useMemo, useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { indexNodeResults, type LiveRun } from '../live';
import { visibleLoopResults, groupByRound, defaultRound, type ChosenRounds } from './rounds';

/** Results of a run for the nodes on the canvas and, inside a loop, the rounds to choose from. */
export interface CanvasRounds {
  results: ReadonlyMap<string, NodeResult>;
  /** Prefix of their ids in the run: empty, or `loop[3].` */
  prefix: string;
  /** Rounds of the innermost opened loop; empty outside of loops. */
  all: Map<number, NodeResult[]>;
  chosen: number | undefined;
  choose(round: number): void;
  /**
   * The chosen round of the loop whose result has this id, such as a loop on the canvas. Undefined if none was chosen.
   */
  chosenAt(place: string): number | undefined;
  chooseAt(place: string, round: number): void;
}

const EMPTY_ROUNDS: Map<number, NodeResult[]> = new Map();

/** The results of a run for the canvas. `path` lists the opened loops from the outside in. */
export function useCanvasRounds(execution: LiveRun | undefined, path: readonly string[]): CanvasRounds {
  const [choices, setChoices] = useState<ChosenRounds>({});
  return useMemo(() => {
    const whole = indexNodeResults(execution);
    const loop = path.at(-1);
    const outer = visibleLoopResults(whole, path.slice(0, -1), choices);
    const all = loop === undefined ? EMPTY_ROUNDS : groupByRound(outer.values(), loop);
    // A choice is stored per outer round.
    const place = chosenLoopPath(whole, path, choices);
    const chosen = choices[place] ?? defaultRound(all);
    const chooseAt = (at: string, round: number) => setChoices((before) => ({ ...before, [at]: round }));
    return {
      results: visibleLoopResults(whole, path, choices),
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
function chosenLoopPath(results: CanvasRounds['results'], path: readonly string[], choices: ChosenRounds): string {
  let place = '';
  path.forEach((id, depth) => {
    const outer = visibleLoopResults(results, path.slice(0, depth), choices);
    const round = choices[place + id] ?? defaultRound(groupByRound(outer.values(), id));
    place += depth === path.length - 1 ? id : `${id}[${round}].`;
  });
  return place;
}
