import { Anchor, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import type { NodeReference } from '@/components/graph/summary';
import { useReferenceNames } from '@/components/client/queries/useReferenceNames';

/** A link to the workflow or table that a node refers to, or a note that the caller can't see it. */
export function NodeReferenceLink({ reference }: { reference: NodeReference }) {
  const found = useReferenceNames([reference])[reference.id];
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
    <Anchor component={AppLink} href={`/${reference.resource}s/${reference.id}`} size="sm" w="fit-content">
      Open “{found.name}”
    </Anchor>
  );
}
