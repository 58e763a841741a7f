import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readableRoleName } from '@/components/client/role-names';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { PageSection } from '@/components/ui/page/PageSection';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

const INVITATIONS_PER_PAGE = 20;

/** Pending invitations, to resend or revoke. Renders nothing without any. */
export function InvitationList({ workspaceId: id }: { workspaceId: string }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [page, setPage] = useState(1);
  const [revoking, setRevoking] = useState<{ userId: string; email: string }>();
  const query = { status: 'invited' as const, limit: INVITATIONS_PER_PAGE, offset: (page - 1) * INVITATIONS_PER_PAGE };
  const invitations = useQuery(trpc.members.list.queryOptions({ params: { id }, query }, { enabled: id !== '' }));
  const invite = useMutation(trpc.members.invite.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: () => {
        setRevoking(undefined);
        refresh();
        notifications.show({ message: 'Invitation revoked', color: 'verdigris' });
      },
    }),
  );
  const { data } = invitations;
  if (!data || data.total === 0) return null;
  return (
    <PageSection title="Invitations" summary="Pending invitations. A link works once and expires after seven days.">
      <Stack gap="md">
        <FormErrorAlert>{invite.error && apiErrorSentence(invite.error)}</FormErrorAlert>
        {data.data.map(({ email, roles, invitationId = '', expiresAt }) => (
          <Group key={email} justify="space-between" gap="xs">
            <div style={{ minWidth: 0, flex: '1 1 200px' }}>
              <Group gap="xs">
                <Text size="sm" fw={570} style={{ overflowWrap: 'anywhere' }}>
                  {email}
                </Text>
                <Badge variant="default" tt="none">
                  {roles.map(readableRoleName).join(', ')}
                </Badge>
              </Group>
              <Text size="xs" c="dimmed">
                expires {expiresAt && <TimeAgo at={expiresAt} />}
              </Text>
            </div>
            <Group gap={6} wrap="nowrap">
              <PermittedButton to="member:create">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Resend the invitation of ${email}`}
                  loading={invite.isPending && invite.variables.body.email === email}
                  onClick={() => invite.mutate({ params: { id }, body: { email, role: roles[0] ?? '' } })}
                >
                  Resend
                </Button>
              </PermittedButton>
              <PermittedButton to="member:delete">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Revoke the invitation of ${email}`}
                  onClick={() => setRevoking({ userId: invitationId, email })}
                >
                  Revoke
                </Button>
              </PermittedButton>
            </Group>
          </Group>
        ))}
        <ListPagination query={invitations} perPage={INVITATIONS_PER_PAGE} page={page} onChange={setPage} />
      </Stack>
      <Modal opened={invite.data !== undefined} onClose={invite.reset} title="New invitation link">
        <Stack>
          <Text size="sm">
            The old link no longer works. If email is configured, the new link was sent to {invite.data?.email}.
          </Text>
          <CopyableField label="Invitation link" value={invite.data?.inviteUrl ?? ''} />
          <Button w="fit-content" onClick={invite.reset}>
            Done
          </Button>
        </Stack>
      </Modal>
      <ConfirmDialog
        isOpen={revoking !== undefined}
        title={`Revoke the invitation of ${revoking?.email ?? ''}?`}
        action="Revoke"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => revoking && remove.mutate({ params: { id, userId: revoking.userId } })}
        onClose={() => {
          remove.reset();
          setRevoking(undefined);
        }}
      >
        <Text>The invitation link stops working.</Text>
      </ConfirmDialog>
    </PageSection>
  );
}
