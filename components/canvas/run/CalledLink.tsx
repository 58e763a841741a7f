import { IconExternalLink } from '@tabler/icons-react';
import Link from 'next/link';
import type { NodeType } from '@/contract/workflows/node-type';
import type { CalledWorkflow } from '@/components/client/useCalledWorkflows';
import { Hint } from '@/components/ui/Hint';
import classes from '../NodeCard.module.css';

/** The workflow that a node calls, in the line below the title of its card; not the same words twice. */
export function calledSummary({ name }: CalledWorkflow, title: string, kind: NodeType | undefined): string {
  if (name === null) return 'Not found, or not visible to you';
  return name === title && kind ? kind.title : name;
}

/** The link of a card to the workflow that its node calls; none if that is not visible. */
export function CalledLink({ called: { id, name } }: { called: CalledWorkflow }) {
  if (name === null) return null;
  return (
    <Hint label={`Open “${name}”`}>
      <Link
        href={`/workflows/${id}`}
        prefetch={false}
        className={`${classes.link} nodrag nopan`}
        aria-label={`Open “${name}”`}
        onClick={(event) => event.stopPropagation()}
      >
        <IconExternalLink size={16} aria-hidden />
      </Link>
    </Hint>
  );
}
