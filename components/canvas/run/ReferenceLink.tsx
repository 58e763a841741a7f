import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@/components/ui/Link';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import type { Named } from '@/components/client/queries/useReferences';
import { Hint } from '@/components/ui/Hint';
import classes from '../NodeCard.module.css';

/** What a node names, in the line below the title of its card; not the same words twice. */
export function referenceSummary(
  { name, resource }: Named,
  title: string,
  { config: { operation } }: Node,
  kind: NodeType | undefined,
): string {
  if (name === null) return 'Not found, or not visible to you';
  if (resource === 'workflow') return name === title && kind ? kind.title : name;
  const parts = resource === 'table' ? [operation, name] : [name, operation];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

/** The link of a card to the workflow or table that its node names; none if that is not visible. Connectors have no page. */
export function ReferenceLink({ reference: { id, name, resource } }: { reference: Named }) {
  if (name === null || resource === 'connector') return null;
  return (
    <Hint label={`Open “${name}”`}>
      <Link
        href={`/${resource}s/${id}`}
        className={`${classes.link} nodrag nopan`}
        aria-label={`Open “${name}”`}
        onClick={(event) => event.stopPropagation()}
      >
        <IconExternalLink size={16} aria-hidden />
      </Link>
    </Hint>
  );
}
