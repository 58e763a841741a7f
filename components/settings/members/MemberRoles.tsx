import { Button, Group, Modal, MultiSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '@/contract/workspace';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { useRoles } from '@/components/client/queries/useRoles';

interface Props {
  workspaceId: string;
  member: Member;
  onClose(): void;
}

export function MemberRoles({ workspaceId: id, member, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { data } = useRoles();
  const [roles, setRoles] = useState(member.roles);
  const update = useMutation(
    trpc.members.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => field.startsWith('roles'));
  return (
    <Modal opened onClose={onClose} title={`Roles of ${member.name || member.email}`}>
      <Stack>
        <ErrorNote>{elsewhere}</ErrorNote>
        <MultiSelect
          label="Roles"
          data={data?.data.map(({ name }) => name) ?? roles}
          value={roles}
          error={[...at.values()][0]}
          onChange={setRoles}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={update.isPending}
            disabled={roles.length === 0}
            onClick={() => update.mutate({ params: { id, userId: member.userId ?? '' }, body: { roles } })}
          >
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
