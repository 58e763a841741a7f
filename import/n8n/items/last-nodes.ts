import { asN8nObject, type N8nConnection, type N8nFile, type N8nNode, type N8nObject } from '../file';
import { isLoopNode, loopBodyOutput } from './rounds/loops';
import { groupLinksByEnd, reachableIds, sortWithoutCycles } from '../node-links';
import { isTriggerNode, shortNodeType } from '../starts/convert-trigger';
import type { ImportedTrigger } from '../starts/trigger';
import { ArrivalMap, readRootArrivals } from './arrivals/arrivals';

/** Whether a webhook or a chat answers with the first item that the last node gives. */
export function answersFirstItem({ type, parameters }: N8nNode): boolean {
  const short = shortNodeType(type);
  if (short === 'chatTrigger') {
    const mode = asN8nObject(parameters['options'])['responseMode'] ?? parameters['responseMode'];
    return !['responseNode', 'responseNodes'].includes(String(mode));
  }
  return (
    short === 'webhook' &&
    parameters['responseMode'] === 'lastNode' &&
    (parameters['responseData'] ?? 'firstEntryJson') === 'firstEntryJson'
  );
}

/** Types with several outputs, any of which may be the last one. */
const BRANCHING_TYPES = new Set(['if', 'switch', 'textClassifier', 'sentimentAnalysis']);
const MAX_BRANCHES = 10;

/** A node that n8n does not have, behind another one. */
const addedNode = (type: string, name: string, before: N8nNode, parameters: N8nObject = {}): N8nNode => ({
  name,
  type: `n8n-nodes-base.${type}`,
  version: 1.1,
  parameters,
  position: { x: before.position.x + 320, y: before.position.y },
  isDisabled: false,
  alwaysOutputsData: false,
  executesOnce: false,
  notes: '',
  hasCredential: false,
  retry: undefined,
  onError: 'stop',
});

/** The outputs of a node that lead to nothing, if it may be the last one; empty: it is none. */
function listLastOutputs(node: N8nNode, own: readonly N8nConnection[]): number[] {
  const short = shortNodeType(node.type);
  if (isLoopNode(node)) {
    const done = 1 - loopBodyOutput(node);
    return own.some(({ output }) => output === done) ? [] : [done];
  }
  if (own.length > 0 || short === 'respondToWebhook') return [];
  return Array.from({ length: BRANCHING_TYPES.has(short) ? MAX_BRANCHES : 1 }, (_, output) => output);
}

/** A last node with its outputs that lead to nothing. */
interface LastNode {
  end: N8nNode;
  outputs: number[];
}

/** The last nodes behind triggers, with their outputs that lead to nothing. */
function findLastNodes(file: N8nFile, triggers: readonly N8nNode[]): LastNode[] {
  const outgoing = groupLinksByEnd(file.links, 'from');
  const reached = reachableIds(
    triggers.map(({ name }) => name),
    (name) => (outgoing.get(name) ?? []).map(({ to }) => to),
  );
  return file.nodes.flatMap((end) => {
    const isStep = reached.has(end.name) && !file.parts.has(end.name) && !triggers.includes(end);
    const outputs = isStep ? listLastOutputs(end, outgoing.get(end.name) ?? []) : [];
    return outputs.length > 0 ? [{ end, outputs }] : [];
  });
}

/** A file with one more node behind outputs of others. */
const withNodeBehind = (file: N8nFile, node: N8nNode, ends: readonly LastNode[]): N8nFile => ({
  ...file,
  nodes: [...file.nodes, node],
  links: [
    ...file.links,
    ...ends.flatMap(({ end, outputs }) =>
      outputs.map((output) => ({ from: end.name, output, to: node.name, input: 0 })),
    ),
  ],
});

const MAX_COMPARED_OUTPUTS = 60;

/** Whether at most one of the outputs of last nodes brings something in a run. */
function areExclusive({ nodes, links }: N8nFile, ends: readonly LastNode[]): boolean {
  const outputs = ends.flatMap(({ end, outputs: own }) =>
    own.map((output) => ({ from: end.name, output, to: '', input: 0 })),
  );
  const { order, cut } = sortWithoutCycles(
    nodes.map(({ name }) => name),
    links,
  );
  if (cut.length > 0) return false;
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const triggers = nodes.filter(isTriggerNode).map(({ name }) => name);
  const roots = readRootArrivals(triggers, byName);
  const arrivals = new ArrivalMap({ order, links: [...links, ...outputs], nodes: byName, roots });
  return arrivals.areExclusive(outputs, MAX_COMPARED_OUTPUTS);
}

/**
 * A file in which each last node behind these triggers is followed by one that answers with its first item: what a node
 * gives here is a list. `count`: how many last nodes there are; `isSeveral`: more than one of them may run.
 */
export function addFirstItemAnswers(
  file: N8nFile,
  triggers: readonly N8nNode[],
): { file: N8nFile; count: number; isSeveral: boolean } {
  const ends = findLastNodes(file, triggers);
  const answered = ends.reduce((before, one) => {
    const answer = addedNode('respondToWebhook', `${one.end.name}: answer`, one.end, {
      respondWith: 'firstIncomingItem',
    });
    return withNodeBehind(before, answer, [one]);
  }, file);
  return { file: answered, count: ends.length, isSeveral: ends.length > 1 && !areExclusive(file, ends) };
}

/**
 * A file whose last nodes lead to one, if others call it and there are several: what that node gives is what a caller
 * gets. `isExclusive`: at most one of them runs.
 */
export function joinCalledResults(
  file: N8nFile,
  triggers: readonly N8nNode[],
): { file: N8nFile; isJoined: boolean; isExclusive: boolean } {
  const called = triggers.filter(({ type }) => shortNodeType(type) === 'executeWorkflowTrigger');
  const ends = findLastNodes(file, called);
  const [first] = ends;
  if (!first || ends.length < 2) return { file, isJoined: false, isExclusive: true };
  const result = addedNode('noOp', 'Result for callers', first.end);
  return { file: withNodeBehind(file, result, ends), isJoined: true, isExclusive: areExclusive(file, ends) };
}

/** A webhook whose answer is that of a node. */
export const answerByNode = (trigger: ImportedTrigger): ImportedTrigger =>
  trigger.kind === 'webhook' && trigger.settings.response?.mode === 'last_node'
    ? {
        ...trigger,
        settings: { ...trigger.settings, response: { ...trigger.settings.response, mode: 'respond_node' } },
      }
    : trigger;
