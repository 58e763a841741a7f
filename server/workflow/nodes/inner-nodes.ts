import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findNodeType } from './index';
import type { NestedNode } from './node-type';

/** The definition inside a node, and the field that contains it. */
export function findInnerDefinition({
  type,
  config,
}: Pick<WorkflowNode, 'type' | 'config'>): { definition: WorkflowDefinition; field: string } | undefined {
  const field = findNodeType(type)?.inner;
  const definition = field === undefined ? undefined : (config[field] as WorkflowDefinition | undefined);
  return definition && field !== undefined ? { definition, field } : undefined;
}

/** The nodes directly inside a node: those of its inner definition, or its tools. */
export function listInnerNodes(node: Pick<WorkflowNode, 'type' | 'config'>): NestedNode[] {
  const inner = findInnerDefinition(node);
  if (!inner) return findNodeType(node.type)?.tools?.(node.config) ?? [];
  const { definition, field } = inner;
  return definition.nodes.map((each, index) => ({ node: each, at: `config.${field}.nodes[${index}]` }));
}

/** Whether nodes of a type run in rounds: the results inside them are stored as `loop[3].inner`. */
export const runsInRounds = (type: string): boolean => {
  const kind = findNodeType(type);
  return kind?.inner !== undefined || kind?.parts !== undefined;
};
