import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Permitted } from '../shell/Permitted';
import { Confirm } from '../ui/Confirm';
import { CopyField } from '../ui/CopyField';
import { ErrorNote } from '../ui/ErrorNote';
import { Pages } from '../ui/Pages';
import { Section } from '../ui/Section';
import { TimeAgo } from '../ui/TimeAgo';

const PER_PAGE = 20;

/** Invitations that nobody has answered yet: sent again, or taken back. Where there are none, nothing. */
export function InvitationList({ workspaceId: id }: { workspaceId: string }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [leaving, setLeaving] = useState<{ userId: string; email: string }>();
  const query = { status: 'invited' as const, limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
  const { data } = useQuery(trpc.members.list.queryOptions({ params: { id }, query }, { enabled: id !== '' }));
  const invite = useMutation(trpc.members.invite.mutationOptions({ onSuccess: refresh }));
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: () => {
        setLeaving(undefined);
        refresh();
        notifications.show({ message: 'The invitation is taken back', color: 'verdigris' });
      },
    }),
  );
  if (!data || data.total === 0) return null;
  return (
    <Section title="Invitations" summary="Not answered yet. A link is good for seven days, and once.">
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
                ends {expiresAt && <TimeAgo at={expiresAt} />}
              </Text>
            </div>
            <Group gap={6} wrap="nowrap">
              <Permitted to="member:create">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Send again: a new link for ${email}`}
                  loading={invite.isPending && invite.variables.body.email === email}
                  onClick={() => invite.mutate({ params: { id }, body: { email, role: roles[0] ?? '' } })}
                >
                  Send again
                </Button>
              </Permitted>
              <Permitted to="member:delete">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Take back the invitation of ${email}`}
                  onClick={() => setLeaving({ userId: invitationId, email })}
                >
                  Take back
                </Button>
              </Permitted>
            </Group>
          </Group>
        ))}
        <Pages total={data.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      </Stack>
      <Modal opened={invite.data !== undefined} onClose={invite.reset} title="A new link">
        <Stack>
          <Text size="sm">
            The one before is void. If mail is set up, this one is on its way to {invite.data?.email}.
          </Text>
          <CopyField label="Invitation link" value={invite.data?.inviteUrl ?? ''} />
          <Button w="fit-content" onClick={invite.reset}>
            Done
          </Button>
        </Stack>
      </Modal>
      <Confirm
        isOpen={leaving !== undefined}
        title={`Take the invitation of ${leaving?.email ?? ''} back?`}
        action="Take back"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving && remove.mutate({ params: { id, userId: leaving.userId } })}
        onClose={() => {
          remove.reset();
          setLeaving(undefined);
        }}
      >
        <Text>The link stops working.</Text>
      </Confirm>
    </Section>
  );
}
