import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { sortByStart } from '../live';
import { findResultNode } from '@/components/graph/agent';
import { definitionAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitle } from '@/components/graph/summary';

type ResultsById = ReadonlyMap<string, NodeResult>;

const ROUND_MARK_PATTERN = /\[(\d+)\]\./;

/**
 * Parses `each[2].mail` into round 2 of the loop `each` and the inner id `mail`. Returns undefined for a node in no
 * loop.
 */
export function parseRoundId(id: string): { loop: string; round: number; inner: string } | undefined {
  const found = ROUND_MARK_PATTERN.exec(id);
  if (!found) return undefined;
  return {
    loop: id.slice(0, found.index),
    round: Number(found[1]),
    inner: id.slice(found.index + found[0].length),
  };
}

/** The ids of the loops around a node and its own: `outer[1].each[2].mail` → outer, each, mail. */
export const nodeIdPath = (resultId: string): string[] => resultId.split(/\[\d+\]\./);

/** Results outside of loops. */
export const resultsOutsideLoops = (results: NodeResult[]): NodeResult[] =>
  results.filter(({ nodeId }) => !parseRoundId(nodeId));

/** The started rounds of a loop in order, with their results; ids as in the loop's definition. */
export function groupByRound(results: Iterable<NodeResult>, loopId: string): Map<number, NodeResult[]> {
  const rounds = new Map<number, NodeResult[]>();
  for (const result of results) {
    const place = parseRoundId(result.nodeId);
    if (place?.loop !== loopId) continue;
    const inner = { ...result, nodeId: place.inner };
    const others = rounds.get(place.round);
    if (others) others.push(inner);
    else rounds.set(place.round, [inner]);
  }
  return new Map([...rounds].sort(([a], [b]) => a - b));
}

/** Groups the results of a loop inside loops by round. `place` is the id of its result: `outer[1].inner`. */
export function groupNestedRounds(results: readonly NodeResult[], place: string): Map<number, NodeResult[]> {
  const prefix = /^(?:.*\]\.)?/.exec(place)?.[0] ?? '';
  const around = results.flatMap((result) =>
    result.nodeId.startsWith(prefix) ? [{ ...result, nodeId: result.nodeId.slice(prefix.length) }] : [],
  );
  return groupByRound(around, place.slice(prefix.length));
}

/** The default round: the first failed one, otherwise the last. */
export function defaultRound(rounds: Map<number, NodeResult[]>): number | undefined {
  const failed = [...rounds].find(([, results]) => results.some(({ status }) => status === 'failed'));
  return failed?.[0] ?? [...rounds.keys()].at(-1);
}

/**
 * The result of a round that is shown: the wanted node's, otherwise the first failed one, otherwise that of the node
 * that started last.
 */
export function defaultRoundResult(results: NodeResult[], wanted: string | undefined): NodeResult | undefined {
  const began = sortByStart(resultsOutsideLoops(results)).filter(({ startedAt }) => startedAt !== undefined);
  const chosen = results.find(({ nodeId }) => nodeId === wanted);
  return chosen ?? began.find(({ status }) => status === 'failed') ?? began.at(-1);
}

/** Chosen rounds by loop, with result ids such as `outer[1].inner`. */
export type ChosenRounds = Readonly<Record<string, number>>;

/** The results of the nodes on the canvas; inside loops, those of the chosen rounds. `loop[3].step` becomes `step`. */
export function visibleLoopResults(
  results: ResultsById,
  path: readonly string[],
  chosen: ChosenRounds = {},
): ResultsById {
  let [inner, prefix] = [results, ''];
  for (const id of path) {
    const rounds = groupByRound(inner.values(), id);
    const round = chosen[prefix + id] ?? defaultRound(rounds);
    inner = new Map((rounds.get(round ?? -1) ?? []).map((result) => [result.nodeId, result]));
    prefix += `${id}[${round}].`;
  }
  return inner;
}

/** The variable `nodes` of a node's expressions: outputs by id; its own round overrides outer ones. */
export function outputsInScope(results: readonly NodeResult[], resultId: string): Record<string, unknown> {
  const prefixes = [
    '',
    ...[...resultId.matchAll(/\[\d+\]\./g)].map((mark) => resultId.slice(0, mark.index + mark[0].length)),
  ];
  return Object.fromEntries(
    prefixes.flatMap((prefix) =>
      results
        .filter(({ nodeId }) => nodeId.startsWith(prefix) && !parseRoundId(nodeId.slice(prefix.length)))
        .map(({ nodeId, output }) => [nodeId.slice(prefix.length), output]),
    ),
  );
}

/** The node of a result, at any loop depth. */
export function findNestedNode(definition: WorkflowDefinition, resultId: string): WorkflowNode | undefined {
  const place = parseRoundId(resultId);
  return place
    ? findNestedNode(definitionAtPath(definition, [place.loop]), place.inner)
    : findResultNode(definition, resultId);
}

/** The round of an id in words: `, round 3` for `each[2].mail`; empty outside of loops. */
export const roundSuffix = (resultId: string): string =>
  [...resultId.matchAll(/\[(\d+)\]\./g)].map(([, round]) => `, round ${Number(round) + 1}`).join('');

/** What the node of a result is called on the canvas, with its round. A node that the version lacks has its id. */
export function resultNodeTitle(definition: WorkflowDefinition, catalogue: NodeTypesByName, resultId: string): string {
  const node = findNestedNode(definition, resultId);
  return node ? nodeTitle(node, catalogue.get(node.type)) + roundSuffix(resultId) : resultId;
}

/** The outermost node of a result: itself or the outer loop. */
export const outermostNodeId = (resultId: string): string => parseRoundId(resultId)?.loop ?? resultId;
