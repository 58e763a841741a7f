import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { readPickedSubject } from '@/components/graph/summary';
import type { NamedReference } from '@/components/client/queries/useReferenceNames';

/** The name of what a node refers to, for the line below the title of its card. It does not repeat the title. */
export function nodeReferenceSummary(
  { name, resource, operationTitles }: NamedReference,
  title: string,
  node: WorkflowNode,
  kind: NodeTypeDescription | undefined,
): string {
  if (name === null) return 'Not found, or not visible to you';
  if (resource === 'workflow') return name === title && kind ? kind.title : name;
  const operation = String(node.config.operation ?? '');
  if (resource === 'connector')
    return [name, operationTitles?.[operation], readPickedSubject(node)].filter(Boolean).join(' · ');
  const properties = (kind?.configSchema.properties ?? {}) as { operation?: { 'x-labels'?: Record<string, string> } };
  return [properties.operation?.['x-labels']?.[operation] ?? operation, name].filter(Boolean).join(' · ');
}
