import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTRPC } from '../client/trpc';
import { chooseWorkspace } from '../client/workspace';
import { Permitted } from '../shell/Permitted';
import { Confirm } from '../ui/Confirm';
import { Section } from '../ui/Section';
import { DeleteWorkspace } from './DeleteWorkspace';
import { TransferWorkspace } from './TransferWorkspace';

/** What can't be taken back: leaving, handing over, deleting. */
export function DangerZone({ workspace }: { workspace: { id: string; name: string } }) {
  const trpc = useTRPC();
  const [open, setOpen] = useState<'leave' | 'transfer' | 'delete'>();
  const close = () => setOpen(undefined);
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      onSuccess: () => {
        chooseWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  return (
    <Section title="Danger zone" summary="None of this can be taken back.">
      <Stack gap="md">
        <Deed title="Leave" text="You lose all access at once. The last owner can’t leave.">
          <Button variant="default" onClick={() => setOpen('leave')}>
            Leave workspace
          </Button>
        </Deed>
        <Deed title="Hand over" text="Another member becomes the owner, and you an admin.">
          <Permitted to="workspace:assign">
            <Button variant="default" onClick={() => setOpen('transfer')}>
              Transfer ownership
            </Button>
          </Permitted>
        </Deed>
        <Deed title="Delete" text="With all workflows, runs and credentials. Runs under way end now.">
          <Permitted to="workspace:delete">
            <Button color="madder" variant="outline" onClick={() => setOpen('delete')}>
              Delete workspace
            </Button>
          </Permitted>
        </Deed>
      </Stack>
      <Confirm
        isOpen={open === 'leave'}
        title={`Leave ${workspace.name}?`}
        action="Leave"
        isBusy={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate({ params: { id: workspace.id } })}
        onClose={() => {
          leave.reset();
          close();
        }}
      >
        <Text>Your API keys for it stop working, and only an invitation brings you back.</Text>
      </Confirm>
      {open === 'transfer' && <TransferWorkspace workspace={workspace} onClose={close} />}
      {open === 'delete' && <DeleteWorkspace workspace={workspace} onClose={close} />}
    </Section>
  );
}

function Deed({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ flex: '1 1 220px' }}>
        <Text size="sm" fw={570}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
    </Group>
  );
}
