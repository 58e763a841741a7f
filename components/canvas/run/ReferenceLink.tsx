import { IconExternalLink } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import type { NamedReference } from '@/components/client/queries/useReferenceNames';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from '../NodeCard.module.css';

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
