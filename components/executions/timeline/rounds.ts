import type { NodeResult } from '@/contract/execution';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { inOrder } from '../live';
import { nodeOf } from '@/components/graph/agent';
import { bodyAt } from '@/components/graph/body';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';

type Results = ReadonlyMap<string, NodeResult>;

const MARK = /\[(\d+)\]\./;

/** Parses `each[2].mail` into round 2 of the loop `each` and the inner id `mail`. Undefined: it is in no loop. */
export function roundOf(id: string): { loop: string; round: number; inner: string } | undefined {
  const found = MARK.exec(id);
  if (!found) return undefined;
  return {
    loop: id.slice(0, found.index),
    round: Number(found[1]),
    inner: id.slice(found.index + found[0].length),
  };
}

/** The ids of the loops around a node and its own: `outer[1].each[2].mail` → outer, each, mail. */
export const placeOf = (resultId: string): string[] => resultId.split(/\[\d+\]\./);

/** Results outside of loops. */
export const outerResults = (results: NodeResult[]): NodeResult[] => results.filter(({ nodeId }) => !roundOf(nodeId));

/** The started rounds of a loop in order, with their results; ids as in the loop's definition. */
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

/** The same for a loop inside loops; `place` is the id of its result: `outer[1].inner`. */
export function roundsAt(results: readonly NodeResult[], place: string): Map<number, NodeResult[]> {
  const prefix = /^(?:.*\]\.)?/.exec(place)?.[0] ?? '';
  const around = results.flatMap((result) =>
    result.nodeId.startsWith(prefix) ? [{ ...result, nodeId: result.nodeId.slice(prefix.length) }] : [],
  );
  return roundsIn(around, place.slice(prefix.length));
}

/** The default round: the first failed one, otherwise the last. */
export function roundToShow(rounds: Map<number, NodeResult[]>): number | undefined {
  const failed = [...rounds].find(([, results]) => results.some(({ status }) => status === 'failed'));
  return failed?.[0] ?? [...rounds.keys()].at(-1);
}

/** The result to show of a round: the wanted node's, otherwise the first failed one, otherwise that of the last node to start. */
export function resultInRound(results: NodeResult[], wanted: string | undefined): NodeResult | undefined {
  const began = inOrder(outerResults(results)).filter(({ startedAt }) => startedAt !== undefined);
  const chosen = results.find(({ nodeId }) => nodeId === wanted);
  return chosen ?? began.find(({ status }) => status === 'failed') ?? began.at(-1);
}

/** Chosen rounds by loop, with result ids such as `outer[1].inner`. */
export type ChosenRounds = Readonly<Record<string, number>>;

/** The results of the nodes on the canvas; inside loops, those of the chosen rounds. `loop[3].step` becomes `step`. */
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

/** The variable `nodes` of a node's expressions: outputs by id; its own round overrides outer ones. */
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

/** The node of a result, at any loop depth. */
export function nodeAt(definition: Definition, resultId: string): Node | undefined {
  const place = roundOf(resultId);
  return place ? nodeAt(bodyAt(definition, [place.loop]), place.inner) : nodeOf(definition, resultId);
}

/** The round of an id in words: `, round 3` for `each[2].mail`; empty outside of loops. */
export const roundWords = (resultId: string): string =>
  [...resultId.matchAll(/\[(\d+)\]\./g)].map(([, round]) => `, round ${Number(round) + 1}`).join('');

/** What the node of a result is called on the canvas, with its round. A node that the version lacks has its id. */
export function titleAt(definition: Definition, catalogue: Catalogue, resultId: string): string {
  const node = nodeAt(definition, resultId);
  return node ? nodeTitle(node, catalogue.get(node.type)) + roundWords(resultId) : resultId;
}

/** The outermost node of a result: itself or the outer loop. */
export const outermost = (resultId: string): string => roundOf(resultId)?.loop ?? resultId;
