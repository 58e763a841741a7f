import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { storeChosenWorkspace } from '@/components/client/chosen-workspace';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { PageSection } from '@/components/ui/page/PageSection';
import { useCurrentUser } from '@/components/client/useCurrentUser';

/** Lets a user leave a workspace whose security policy they don't accept. */
export function LeaveInstead() {
  const trpc = useTRPC();
  const { me } = useCurrentUser();
  const [leaving, setLeaving] = useState<{ id: string; name: string }>();
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      onSuccess: () => {
        storeChosenWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  const close = () => {
    leave.reset();
    setLeaving(undefined);
  };
  return (
    <PageSection title="Or leave the workspace" summary="You can leave without a second factor.">
      <Group gap="xs">
        {me?.workspaces.map(({ id, name }) => (
          <Button key={id} size="compact-sm" variant="default" onClick={() => setLeaving({ id, name })}>
            Leave {name}
          </Button>
        ))}
      </Group>
      {leaving && (
        <ConfirmDialog
          isOpen
          title={`Leave ${leaving.name}?`}
          action="Leave"
          isBusy={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ params: { id: leaving.id } })}
          onClose={close}
        >
          <Text>Your API keys for this workspace stop working. You need an invitation to join again.</Text>
        </ConfirmDialog>
      )}
    </PageSection>
  );
}
