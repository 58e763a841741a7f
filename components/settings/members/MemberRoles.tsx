import { Button, Group, Modal, MultiSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberResponse } from '@/contract/workspace';
import { toRoleOptions } from '@/components/client/role-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';

interface Props {
  workspaceId: string;
  member: MemberResponse;
  onClose(): void;
}

export function MemberRoles({ workspaceId: id, member, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data } = useWorkspaceRoles();
  const [roles, setRoles] = useState(member.roles);
  const update = useMutation(
    trpc.members.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(update.error, (field) => field.startsWith('roles'));
  return (
    <Modal opened onClose={onClose} title={`Roles of ${member.name || member.email}`}>
      <Stack>
        <FormErrorAlert>{elsewhere}</FormErrorAlert>
        <MultiSelect
          label="Roles"
          data={toRoleOptions(data?.data.map(({ name }) => name) ?? roles)}
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
