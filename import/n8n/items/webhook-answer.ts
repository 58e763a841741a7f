import { asN8nObject, type N8nFile, type N8nNode } from '../file';
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

const answerBehind = (end: N8nNode): N8nNode => ({
  name: `${end.name}: answer`,
  type: 'n8n-nodes-base.respondToWebhook',
  version: 1.1,
  parameters: { respondWith: 'firstIncomingItem' },
  position: { x: end.position.x + 320, y: end.position.y },
  isDisabled: false,
  alwaysOutputsData: false,
  executesOnce: false,
  notes: '',
  hasCredential: false,
  retry: undefined,
  onError: 'stop',
});

/**
 * A file in which each last node behind these triggers is followed by one that answers with its first item: what a node
 * gives here is a list. `isSure`: there is one last node.
 */
export function addFirstItemAnswers(file: N8nFile, triggers: readonly N8nNode[]): { file: N8nFile; isSure: boolean } {
  const outgoing = groupLinksByEnd(file.links, 'from');
  const reached = reachableIds(
    triggers.map(({ name }) => name),
    (name) => (outgoing.get(name) ?? []).map(({ to }) => to),
  );
  const ends = file.nodes.filter(
    ({ name, type }) =>
      reached.has(name) && !outgoing.has(name) && !file.parts.has(name) && shortNodeType(type) !== 'respondToWebhook',
  );
  const answers = ends.filter((end) => !triggers.includes(end)).map((end) => ({ end, answer: answerBehind(end) }));
  const links = answers.flatMap(({ end, answer }) => {
    const count = BRANCHING_TYPES.has(shortNodeType(end.type)) ? MAX_BRANCHES : 1;
    return Array.from({ length: count }, (_, output) => ({ from: end.name, output, to: answer.name, input: 0 }));
  });
  return {
    file: { ...file, nodes: [...file.nodes, ...answers.map(({ answer }) => answer)], links: [...file.links, ...links] },
    isSure: answers.length < 2,
  };
}

/** A webhook whose answer is that of a node. */
export const answerByNode = (trigger: ImportedTrigger): ImportedTrigger =>
  trigger.kind === 'webhook' && trigger.settings.response?.mode === 'last_node'
    ? {
        ...trigger,
        settings: { ...trigger.settings, response: { ...trigger.settings.response, mode: 'respond_node' } },
      }
    : trigger;
