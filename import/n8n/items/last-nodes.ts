import { asN8nObject, type N8nConnection, type N8nFile, type N8nNode, type N8nObject } from '../file';
import { isLoopNode, loopBodyOutput } from '../loops';
import { groupLinksByEnd, reachableIds } from '../node-links';
import { shortNodeType } from '../starts/convert-trigger';
import type { ImportedTrigger } from '../starts/trigger';

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

/** The last nodes behind triggers, with their outputs that lead to nothing. */
function findLastNodes(file: N8nFile, triggers: readonly N8nNode[]): { end: N8nNode; outputs: number[] }[] {
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
const withNodeBehind = (
  file: N8nFile,
  node: N8nNode,
  ends: readonly { end: N8nNode; outputs: number[] }[],
): N8nFile => ({
  ...file,
  nodes: [...file.nodes, node],
  links: [
    ...file.links,
    ...ends.flatMap(({ end, outputs }) =>
      outputs.map((output) => ({ from: end.name, output, to: node.name, input: 0 })),
    ),
  ],
});

/**
 * A file in which each last node behind these triggers is followed by one that answers with its first item: what a node
 * gives here is a list. `count`: how many last nodes there are.
 */
export function addFirstItemAnswers(file: N8nFile, triggers: readonly N8nNode[]): { file: N8nFile; count: number } {
  const ends = findLastNodes(file, triggers);
  const answered = ends.reduce((before, one) => {
    const answer = addedNode('respondToWebhook', `${one.end.name}: answer`, one.end, {
      respondWith: 'firstIncomingItem',
    });
    return withNodeBehind(before, answer, [one]);
  }, file);
  return { file: answered, count: ends.length };
}

/**
 * A file whose last nodes lead to one, if others call it and there are several: what that node gives is what a caller
 * gets.
 */
export function joinCalledResults(file: N8nFile, triggers: readonly N8nNode[]): { file: N8nFile; isJoined: boolean } {
  const called = triggers.filter(({ type }) => shortNodeType(type) === 'executeWorkflowTrigger');
  const ends = findLastNodes(file, called);
  const [first] = ends;
  if (!first || ends.length < 2) return { file, isJoined: false };
  return { file: withNodeBehind(file, addedNode('noOp', 'Result for callers', first.end), ends), isJoined: true };
}

/** A webhook whose answer is that of a node. */
export const answerByNode = (trigger: ImportedTrigger): ImportedTrigger =>
  trigger.kind === 'webhook' && trigger.settings.response?.mode === 'last_node'
    ? {
        ...trigger,
        settings: { ...trigger.settings, response: { ...trigger.settings.response, mode: 'respond_node' } },
      }
    : trigger;
