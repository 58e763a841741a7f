import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useCalledWorkflows } from '@/components/client/useCalledWorkflows';

/** The link to the workflow that a node calls, or that it is not visible. */
export function CalledNote({ workflowId }: { workflowId: string }) {
  const called = useCalledWorkflows([workflowId])[workflowId];
  if (!called) return null;
  if (called.name === null)
    return (
      <Text size="sm" c="var(--weft-failed)" role="note">
        The workflow was not found: it was deleted, belongs to another workspace, or your role does not show it to you.
      </Text>
    );
  return (
    <Anchor component={Link} href={`/workflows/${called.id}`} size="sm" w="fit-content">
      Open “{called.name}”
    </Anchor>
  );
}
