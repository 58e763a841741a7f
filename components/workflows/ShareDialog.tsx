import { ActionIcon, Badge, Button, Divider, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberRoleAssignment } from '@/contract/access/role';
import { readableRoleName, toRoleOptions } from '@/components/client/role-names';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useMemberOptions } from '@/components/client/queries/useMemberOptions';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';
import { QueryList } from '@/components/ui/lists/QueryList';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

interface Props {
  workflow: { id: string; name: string };
  onClose(): void;
}

/** The members who have a role on this workflow alone, and the form that gives such a role. */
export function ShareDialog({ workflow: { id, name }, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const resource = { resourceType: 'workflow', resourceId: id } as const;
  const assignments = useQuery(trpc.rbac.list.queryOptions({ query: { ...resource, limit: 100 } }));
  const revoke = useMutation(trpc.rbac.revoke.mutationOptions({ onSuccess: refresh }));
  return (
    <Modal opened onClose={onClose} size="lg" title={`Share “${name}”`}>
      <Stack>
        <Text size="sm" c="dimmed">
          These members have a role on this workflow, in addition to their roles in the workspace. It also covers runs,
          webhooks, forms, chats, schedules and polls of the workflow.
        </Text>
        <FormErrorAlert>{revoke.error && apiErrorSentence(revoke.error)}</FormErrorAlert>
        <QueryList of="roles" query={assignments} empty={<Text size="sm">Not shared with single members.</Text>}>
          {(items) => (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Shared with">
              {items.map((item) => (
                <ShareRow
                  key={`${item.userId} ${item.roleId}`}
                  assignment={item}
                  onRemove={() => revoke.mutate({ query: { userId: item.userId, roleId: item.roleId, ...resource } })}
                />
              ))}
            </Stack>
          )}
        </QueryList>
        <Divider />
        <NewShareForm workflowId={id} />
      </Stack>
    </Modal>
  );
}

interface ShareRowProps {
  assignment: MemberRoleAssignment;
  onRemove(): void;
}

function ShareRow({ assignment: { name, email, role }, onRemove }: ShareRowProps) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name || email}
        {name && name !== email && (
          <Text span size="xs" c="dimmed">
            {' '}
            {email}
          </Text>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Badge variant="light" tt="none">
          {readableRoleName(role)}
        </Badge>
        <PermittedButton to="role:assign">
          <ActionIcon
            color="madder"
            aria-label={`Remove: ${readableRoleName(role)} for ${name || email}`}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </PermittedButton>
      </Group>
    </Group>
  );
}

function NewShareForm({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const people = useMemberOptions();
  const { data: roles } = useWorkspaceRoles();
  const [userId, setUserId] = useState<string | null>(null);
  const [roleId, setRoleId] = useState('editor');
  const assign = useMutation(
    trpc.rbac.assign.mutationOptions({
      onSuccess: () => {
        setUserId(null);
        refresh();
      },
    }),
  );
  const submit = () => {
    if (userId !== null) assign.mutate({ body: { userId, roleId, resource: { type: 'workflow', id: workflowId } } });
  };
  return (
    <>
      <FormErrorAlert>{assign.error && apiErrorSentence(assign.error)}</FormErrorAlert>
      <Group gap="sm" align="flex-end">
        <Select
          label="Member"
          withAsterisk
          placeholder="Choose a member"
          flex={1}
          miw={200}
          searchable
          nothingFoundMessage="No results"
          data={people.map(({ value, label }) => ({ value, label }))}
          value={userId}
          onChange={setUserId}
        />
        <Select
          label="Role"
          w={140}
          allowDeselect={false}
          data={toRoleOptions(roles?.data.map(({ name }) => name) ?? [roleId])}
          value={roleId}
          onChange={(next) => setRoleId(next ?? roleId)}
        />
        <PermittedButton to="role:assign">
          <Button disabled={userId === null} loading={assign.isPending} onClick={submit}>
            Share
          </Button>
        </PermittedButton>
      </Group>
    </>
  );
}
