import type { NodeResult } from '@/contract/execution';
import type { Definition, Node } from '@/contract/workflow';
import { bodyAt } from '../editor/body';

type Results = ReadonlyMap<string, NodeResult>;

const MARK = /\[(\d+)\]\./;

/** `each[2].mail` → round 2 of the loop `each`, and what is left: `mail`. Undefined: it is in no loop. */
export function roundOf(id: string): { loop: string; round: number; inner: string } | undefined {
  const found = MARK.exec(id);
  if (!found) return undefined;
  return {
    loop: id.slice(0, found.index),
    round: Number(found[1]),
    inner: id.slice(found.index + found[0].length),
  };
}

/** Those that are in no round of a loop. */
export const outerResults = (results: NodeResult[]): NodeResult[] => results.filter(({ nodeId }) => !roundOf(nodeId));

/** A loop's rounds that have begun, in order, with the results of each; ids as the loop's definition has them. */
export function roundsIn(results: Iterable<NodeResult>, loopId: string): Map<number, NodeResult[]> {
  const rounds = new Map<number, NodeResult[]>();
  for (const result of results) {
    const place = roundOf(result.nodeId);
    if (place?.loop !== loopId) continue;
    const inner = { ...result, nodeId: place.inner };
    const others = rounds.get(place.round);
    if (others) others.push(inner);
    else rounds.set(place.round, [inner]);
  }
  return new Map([...rounds].sort(([a], [b]) => a - b));
}

/** The round that is worth looking at first: one that failed, else the last. */
export function roundToShow(rounds: Map<number, NodeResult[]>): number | undefined {
  const failed = [...rounds].find(([, results]) => results.some(({ status }) => status === 'failed'));
  return failed?.[0] ?? [...rounds.keys()].at(-1);
}

/** By loop, as its results call it (`outer[1].inner`): the round that somebody chose. */
export type ChosenRounds = Readonly<Record<string, number>>;

/** The results of what is on the canvas: inside loops, those of the rounds chosen. `loop[3].step` becomes `step`. */
export function innerResults(results: Results, path: readonly string[], chosen: ChosenRounds = {}): Results {
  let [inner, prefix] = [results, ''];
  for (const id of path) {
    const rounds = roundsIn(inner.values(), id);
    const round = chosen[prefix + id] ?? roundToShow(rounds);
    inner = new Map((rounds.get(round ?? -1) ?? []).map((result) => [result.nodeId, result]));
    prefix += `${id}[${round}].`;
  }
  return inner;
}

/** What `nodes` was in a node's expressions: outputs by id, those of its own round before those around it. */
export function outputsAround(results: readonly NodeResult[], resultId: string): Record<string, unknown> {
  const prefixes = [
    '',
    ...[...resultId.matchAll(/\[\d+\]\./g)].map((mark) => resultId.slice(0, mark.index + mark[0].length)),
  ];
  return Object.fromEntries(
    prefixes.flatMap((prefix) =>
      results
        .filter(({ nodeId }) => nodeId.startsWith(prefix) && !roundOf(nodeId.slice(prefix.length)))
        .map(({ nodeId, output }) => [nodeId.slice(prefix.length), output]),
    ),
  );
}

/** The node that a result is of, in however many loops it is. */
export function nodeAt(definition: Definition, resultId: string): Node | undefined {
  const place = roundOf(resultId);
  return place
    ? nodeAt(bodyAt(definition, [place.loop]), place.inner)
    : definition.nodes.find(({ id }) => id === resultId);
}

/** The outermost node that a result belongs to: itself, or the loop around. */
export const outermost = (resultId: string): string => roundOf(resultId)?.loop ?? resultId;
