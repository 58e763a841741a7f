import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, type N8nObject } from '../file';
import { shortNodeType } from '../starts/convert-trigger';

/** Nodes of n8n that compute with what they are given: they run in a proof. All others are answered from the record. */
const DATA_NODE_TYPES = new Set(
  (
    'set if filter switch merge code function functionItem splitOut aggregate summarize sort limit removeDuplicates itemLists ' +
    'compareDatasets renameKeys dateTime crypto html htmlExtract xml markdown extractFromFile convertToFile moveBinaryData ' +
    'spreadsheetFile splitInBatches wait stopAndError respondToWebhook noOp stickyNote'
  ).split(' '),
);

/** Whether a node of n8n computes with what it is given, without anything outside. */
export const isDataNode = (type: string): boolean =>
  type.startsWith('n8n-nodes-base.') && DATA_NODE_TYPES.has(shortNodeType(type));

/** Where the outputs of nodes have what n8n gives as the fields of an item. */
const OUTPUT_WRAPPERS: Readonly<Record<string, (item: unknown, parameters: N8nObject) => unknown>> = {
  http_request: (item, { options }) => {
    const { response } = asN8nObject(asN8nObject(options)['response']);
    if (asN8nObject(response)['fullResponse'] !== true) return { status: 200, headers: {}, body: item };
    const { statusCode = 200, headers = {}, body = null } = asN8nObject(item);
    return { status: statusCode, headers, body };
  },
  agent: (item) => ({ text: asN8nObject(item)['output'] ?? null, object: asN8nObject(item)['output'] ?? null }),
  llm: (item) => ({ text: asN8nObject(item)['text'] ?? null, object: asN8nObject(item)['output'] ?? item }),
};

/** The output that a node has when it gives these items. */
export function toNodeOutput(node: WorkflowNode, parameters: N8nObject, items: readonly unknown[]): unknown {
  const inner = innerLoopNode(node);
  const type = (inner ?? node).type;
  const wrap = Object.hasOwn(OUTPUT_WRAPPERS, type) ? OUTPUT_WRAPPERS[type] : undefined;
  const wrapped = (item: unknown) => (wrap ? wrap(item, parameters) : item);
  if (inner || node.each) return items.map(wrapped);
  if (type === 'sql') return { rows: items, rowCount: items.length };
  if (items.length === 1) return wrapped(items[0]);
  return wrap ? wrapped(items) : items;
}

/** The node inside of a loop that replaces one node of n8n: it has the same name. */
function innerLoopNode(node: WorkflowNode): WorkflowNode | undefined {
  const { nodes } = asN8nObject(node.config['body']);
  return node.type === 'for_each' && Array.isArray(nodes)
    ? (nodes as WorkflowNode[]).find(({ name }) => name === node.name)
    : undefined;
}
