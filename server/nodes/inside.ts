import type { Definition, Node } from '@/contract/workflows/workflow';
import { kindOf } from './index';
import type { InnerNode } from './node';

/** The definition inside a node, and the field that contains it. */
export function definitionInside({
  type,
  config,
}: Pick<Node, 'type' | 'config'>): { definition: Definition; field: string } | undefined {
  const field = kindOf(type)?.inner;
  const definition = field === undefined ? undefined : (config[field] as Definition | undefined);
  return definition && field !== undefined ? { definition, field } : undefined;
}

/** The nodes directly inside a node: those of its inner definition, or its tools. */
export function nodesInside(node: Pick<Node, 'type' | 'config'>): InnerNode[] {
  const inner = definitionInside(node);
  if (!inner) return kindOf(node.type)?.tools?.(node.config) ?? [];
  const { definition, field } = inner;
  return definition.nodes.map((each, index) => ({ node: each, at: `config.${field}.nodes[${index}]` }));
}

/** Whether nodes of a type run in rounds: the results inside them are stored as `loop[3].inner`. */
export const hasRounds = (type: string): boolean => {
  const kind = kindOf(type);
  return kind?.inner !== undefined || kind?.parts !== undefined;
};
