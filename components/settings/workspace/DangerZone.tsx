import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { storeChosenWorkspace } from '@/components/client/chosen-workspace';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { PageSection } from '@/components/ui/page/PageSection';
import { DeleteWorkspace } from './DeleteWorkspace';
import { TransferWorkspace } from './TransferWorkspace';

/** Actions that can't be undone: leave, transfer and delete. */
export function DangerZone({ workspace }: { workspace: { id: string; name: string } }) {
  const trpc = useTRPC();
  const [open, setOpen] = useState<'leave' | 'transfer' | 'delete'>();
  const close = () => setOpen(undefined);
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      onSuccess: () => {
        storeChosenWorkspace(null);
        location.assign('/workflows');
      },
    }),
  );
  return (
    <PageSection title="Danger zone" summary="You can’t undo these actions.">
      <Stack gap="md">
        <DangerZoneItem title="Leave" text="You lose access at once. The last owner can’t leave.">
          <Button variant="default" onClick={() => setOpen('leave')}>
            Leave workspace
          </Button>
        </DangerZoneItem>
        <DangerZoneItem title="Transfer" text="Another member becomes the owner. You become an admin.">
          <PermittedButton to="workspace:assign">
            <Button variant="default" onClick={() => setOpen('transfer')}>
              Transfer ownership
            </Button>
          </PermittedButton>
        </DangerZoneItem>
        <DangerZoneItem title="Delete" text="Deletes all workflows, runs and credentials. Active runs are cancelled.">
          <PermittedButton to="workspace:delete">
            <Button color="madder" variant="outline" onClick={() => setOpen('delete')}>
              Delete workspace
            </Button>
          </PermittedButton>
        </DangerZoneItem>
      </Stack>
      <ConfirmDialog
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
        <Text>Your API keys for this workspace stop working. You need an invitation to join again.</Text>
      </ConfirmDialog>
      {open === 'transfer' && <TransferWorkspace workspace={workspace} onClose={close} />}
      {open === 'delete' && <DeleteWorkspace workspace={workspace} onClose={close} />}
    </PageSection>
  );
}

function DangerZoneItem({ title, text, children }: { title: string; text: string; children: ReactNode }) {
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
