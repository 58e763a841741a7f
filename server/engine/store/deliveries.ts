import { isLargeJson, LargeJsonText, serializeJson } from '@/server/evaluation/expressions/large-json';
import type { GraphNode } from '@/server/workflow/definition/graph';
import { toItemList } from '@/server/workflow/nodes/list/list-node';
import { selectPortShare } from './port-shares';
import { takesOutputPort, type NodeState, type NodeStateReader } from './state';

/** The value that a finished node passes on: `nodes.<id>` in expressions. */
export function finishedNodeValue(state: NodeState): unknown {
  if (state.status === 'completed') return state.output;
  if (state.status !== 'failed' || state.port !== 'error' || !state.error) return null;
  const { message, code, nodeId } = state.error;
  return { message, code, nodeId };
}

/** What a finished node delivers at a port. */
function deliveredValue(state: NodeState, port: string): unknown {
  if (state.status !== 'completed' || !state.shares) return finishedNodeValue(state);
  const { loadedShares, output, shares } = state;
  return loadedShares?.has(port) ? loadedShares.get(port) : selectPortShare(output, shares, port);
}

/**
 * The input of a node: the delivered output; of several, an object keyed by sender, or with `each` their lists one
 * after the other.
 */
export function buildDeliveredInput(node: GraphNode, states: NodeStateReader, runInput: unknown, prefix = ''): unknown {
  if (node.isRoot) return runInput;
  const delivered = node.incoming.flatMap(({ source, port }) => {
    const state = states.get(prefix + source.id);
    return state && takesOutputPort(state, port) ? [[source.id, deliveredValue(state, port)] as const] : [];
  });
  // With the prelude of n8n every value is a list of items.
  const isJoined = node.each !== undefined || node.language === 'n8n';
  if (isJoined && delivered.length > 1) return joinLists(delivered.map(([, value]) => value));
  return delivered.length === 1 ? delivered[0]?.[1] : Object.fromEntries(delivered);
}

/**
 * The items of several values, one after the other. A value that is no list is one item, and null is none. Large ones
 * are not parsed.
 */
function joinLists(values: unknown[]): unknown {
  if (!values.some(isLargeJson)) return values.flatMap((value) => toItemList(value));
  const texts = values.map((value) => {
    const json = serializeJson(value) ?? 'null';
    if (json === 'null') return '';
    return json.startsWith('[') ? json.slice(1, -1) : json;
  });
  return new LargeJsonText(`[${texts.filter((text) => text !== '').join()}]`);
}
