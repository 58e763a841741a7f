import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { NamedReference } from '@/components/client/queries/useReferenceNames';

/** The name of what a node refers to, for the line below the title of its card. It does not repeat the title. */
export function nodeReferenceSummary(
  { name, resource }: NamedReference,
  title: string,
  { config: { operation } }: WorkflowNode,
  kind: NodeTypeDescription | undefined,
): string {
  if (name === null) return 'Not found, or not visible to you';
  if (resource === 'workflow') return name === title && kind ? kind.title : name;
  const properties = (kind?.configSchema.properties ?? {}) as { operation?: { 'x-labels'?: Record<string, string> } };
  const called = properties.operation?.['x-labels']?.[String(operation)] ?? operation;
  const parts = resource === 'table' ? [called, name] : [name, called];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}
