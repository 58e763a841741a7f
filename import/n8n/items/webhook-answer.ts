import type { N8nFile, N8nNode } from '../file';
import { shortNodeType } from '../starts/convert-trigger';
import type { ImportedTrigger } from '../starts/trigger';

/** Whether a webhook answers with the fields of the first item that the last node gives. */
export const answersFirstItem = ({ type, parameters }: N8nNode): boolean =>
  shortNodeType(type) === 'webhook' &&
  parameters['responseMode'] === 'lastNode' &&
  (parameters['responseData'] ?? 'firstEntryJson') === 'firstEntryJson';

/**
 * A file whose only last node is followed by one that answers with its first item: what the last node gives here is a
 * list. Undefined: several nodes may be the last one.
 */
export function addWebhookAnswer(file: N8nFile, triggers: readonly N8nNode[]): N8nFile | undefined {
  const begins = new Set(file.links.map(({ from }) => from));
  const ends = file.nodes.filter(
    (node) =>
      !begins.has(node.name) &&
      !file.parts.has(node.name) &&
      !triggers.includes(node) &&
      shortNodeType(node.type) !== 'stickyNote',
  );
  const [end] = ends;
  if (!end || ends.length > 1) return undefined;
  const outputs = shortNodeType(end.type) === 'if' ? [0, 1] : [0];
  const answer: N8nNode = {
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
  };
  return {
    ...file,
    nodes: [...file.nodes, answer],
    links: [...file.links, ...outputs.map((output) => ({ from: end.name, output, to: answer.name, input: 0 }))],
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
