import { DEFAULT_EXPRESSION_LANGUAGE } from '@/contract/workflows/expression-language';
import type { WorkflowNode, WorkflowDefinition } from '@/contract/workflows/workflow';
import { findNodeType } from '@/server/workflow/nodes';
import { findInnerDefinition } from '@/server/workflow/nodes/inner-nodes';
import { partOfNodeId } from '@/server/workflow/nodes/parts';

/** Whether a node with this id, or a path such as `loop[3].inner` to one, exists in an inner definition. */
export const containsInnerNode = (definition: WorkflowDefinition, idOrPath: string): boolean =>
  definition.nodes.some((node) => {
    const { definition: body } = findInnerDefinition(node) ?? {};
    return body !== undefined && (body.nodes.some(({ id }) => id === idOrPath) || containsInnerNode(body, idOrPath));
  }) || hasNodeAtPath(definition, idOrPath);

const EACH_INDEX_PATTERN = /^\[\d+\]/;
const ROUND_INDEX_PATTERN = /^\[\d+\]\./;

/** The node to which a path such as `loop[3].inner`, or with `each` `node[3]`, can lead, reachable or not. */
export function findNodeByPath({ nodes }: WorkflowDefinition, path: string): WorkflowNode | undefined {
  for (const node of nodes) {
    if (node.id === path) return node;
    if (!path.startsWith(node.id)) continue;
    let rest = path.slice(node.id.length);
    if (node.each) {
      const [ofItem = ''] = EACH_INDEX_PATTERN.exec(rest) ?? [];
      if (ofItem !== '' && ofItem === rest) return node;
      rest = rest.slice(ofItem.length);
    }
    const round = ROUND_INDEX_PATTERN.exec(rest);
    const found = round && findNodeInRound(node, rest.slice(round[0].length));
    if (found) return found;
  }
  return undefined;
}

function findNodeInRound(node: WorkflowNode, path: string): WorkflowNode | undefined {
  const inner = findInnerDefinition(node);
  if (inner) return findNodeByPath(inner.definition, path);
  // The ids of parts are the same in every language.
  const parts = findNodeType(node.type)?.parts?.(node, DEFAULT_EXPRESSION_LANGUAGE).parts ?? [];
  return parts.find((part) => part.node.id === partOfNodeId(path))?.node;
}

/** Whether a path such as `loop[3].inner` can lead to a node of a definition, reachable or not. */
export const hasNodeAtPath = (definition: WorkflowDefinition, path: string): boolean =>
  findNodeByPath(definition, path) !== undefined;
