import { Anchor, Text } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import type { Reference } from '@/components/graph/summary';
import { useReferences } from '@/components/client/queries/useReferences';

/** The link to the workflow or table that a node names, or that what it names is not visible. */
export function ReferenceNote({ reference }: { reference: Reference }) {
  const found = useReferences([reference])[reference.id];
  if (!found) return null;
  if (found.name === null)
    return (
      <Text size="sm" c="var(--weft-failed)" role="note">
        The {reference.resource} was not found: it was deleted, belongs to another workspace, or your role does not show
        it to you.
      </Text>
    );
  if (reference.resource === 'connector') return null;
  return (
    <Anchor component={Link} href={`/${reference.resource}s/${reference.id}`} size="sm" w="fit-content">
      Open “{found.name}”
    </Anchor>
  );
}
