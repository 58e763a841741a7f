import { IconExternalLink } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import type { NamedReference } from '@/components/client/queries/useReferenceNames';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from '../NodeCard.module.css';

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

/** Links to the workflow or table that a node refers to. Shows nothing if that is not visible, or is a connector. */
export function ReferenceLink({ reference: { id, name, resource } }: { reference: NamedReference }) {
  if (name === null || resource === 'connector') return null;
  return (
    <LightTooltip label={`Open “${name}”`}>
      <AppLink
        href={`/${resource}s/${id}`}
        className={`${classes.link} nodrag nopan`}
        aria-label={`Open “${name}”`}
        onClick={(event) => event.stopPropagation()}
      >
        <IconExternalLink size={16} aria-hidden />
      </AppLink>
    </LightTooltip>
  );
}
