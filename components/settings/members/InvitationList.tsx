import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { Confirm } from '@/components/ui/Confirm';
import { CopyField } from '@/components/ui/values/CopyField';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { Pages } from '@/components/ui/lists/Pages';
import { Section } from '@/components/ui/page/Section';
import { TimeAgo } from '@/components/ui/values/TimeAgo';

const PER_PAGE = 20;

/** Pending invitations, to resend or revoke. Renders nothing without any. */
export function InvitationList({ workspaceId: id }: { workspaceId: string }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [revoking, setRevoking] = useState<{ userId: string; email: string }>();
  const query = { status: 'invited' as const, limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
  const { data } = useQuery(trpc.members.list.queryOptions({ params: { id }, query }, { enabled: id !== '' }));
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
  if (!data || data.total === 0) return null;
  return (
    <Section title="Invitations" summary="Pending invitations. A link works once and expires after seven days.">
      <Stack gap="md">
        <ErrorNote>{invite.error && sentence(invite.error)}</ErrorNote>
        {data.data.map(({ email, roles, invitationId = '', expiresAt }) => (
          <Group key={email} justify="space-between" gap="xs">
            <div style={{ minWidth: 0, flex: '1 1 200px' }}>
              <Group gap="xs">
                <Text size="sm" fw={570} style={{ overflowWrap: 'anywhere' }}>
                  {email}
                </Text>
                <Badge variant="default" tt="none">
                  {roles.join(', ')}
                </Badge>
              </Group>
              <Text size="xs" c="dimmed">
                expires {expiresAt && <TimeAgo at={expiresAt} />}
              </Text>
            </div>
            <Group gap={6} wrap="nowrap">
              <Permitted to="member:create">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Resend the invitation of ${email}`}
                  loading={invite.isPending && invite.variables.body.email === email}
                  onClick={() => invite.mutate({ params: { id }, body: { email, role: roles[0] ?? '' } })}
                >
                  Resend
                </Button>
              </Permitted>
              <Permitted to="member:delete">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Revoke the invitation of ${email}`}
                  onClick={() => setRevoking({ userId: invitationId, email })}
                >
                  Revoke
                </Button>
              </Permitted>
            </Group>
          </Group>
        ))}
        <Pages total={data.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      </Stack>
      <Modal opened={invite.data !== undefined} onClose={invite.reset} title="New invitation link">
        <Stack>
          <Text size="sm">
            The old link no longer works. If email is configured, the new link was sent to {invite.data?.email}.
          </Text>
          <CopyField label="Invitation link" value={invite.data?.inviteUrl ?? ''} />
          <Button w="fit-content" onClick={invite.reset}>
            Done
          </Button>
        </Stack>
      </Modal>
      <Confirm
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
      </Confirm>
    </Section>
  );
}
