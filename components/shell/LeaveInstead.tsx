import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { chooseWorkspace } from '@/components/client/workspace';
import { Confirm } from '@/components/ui/Confirm';
import { Section } from '@/components/ui/page/Section';
import { useMe } from '@/components/client/useMe';

/** Lets a user leave a workspace whose security policy they don't accept. */
export function LeaveInstead() {
  const trpc = useTRPC();
  const { me } = useMe();
  const [leaving, setLeaving] = useState<{ id: string; name: string }>();
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      onSuccess: () => {
        chooseWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  const close = () => {
    leave.reset();
    setLeaving(undefined);
  };
  return (
    <Section title="Or leave the workspace" summary="You can leave without a second factor.">
      <Group gap="xs">
        {me?.workspaces.map(({ id, name }) => (
          <Button key={id} size="compact-sm" variant="default" onClick={() => setLeaving({ id, name })}>
            Leave {name}
          </Button>
        ))}
      </Group>
      {leaving && (
        <Confirm
          isOpen
          title={`Leave ${leaving.name}?`}
          action="Leave"
          isBusy={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate({ params: { id: leaving.id } })}
          onClose={close}
        >
          <Text>Your API keys for this workspace stop working. You need an invitation to join again.</Text>
        </Confirm>
      )}
    </Section>
  );
}
