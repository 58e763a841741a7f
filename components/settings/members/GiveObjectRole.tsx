import { Button, Group, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AssignableResource } from '@/contract/access/role';
import { toRoleOptions } from '@/components/client/role-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { ObjectField } from './ObjectField';
import { toResourceOptions } from '../roles/role-matrix';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';

/** Assigns a role on one object to a member. */
export function GiveObjectRole({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data: roles } = useWorkspaceRoles();
  const [roleId, setRoleId] = useState('editor');
  const [type, setType] = useState<AssignableResource>('workflow');
  const [id, setId] = useState('');
  const assign = useMutation(
    trpc.rbac.assign.mutationOptions({
      onSuccess: () => {
        setId('');
        refresh();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(assign.error, (field) => ['roleId', 'resource.id'].includes(field));
  const changed = (set: () => void) => {
    assign.reset();
    set();
  };
  return (
    <Stack gap="sm">
      <FormErrorAlert>{elsewhere}</FormErrorAlert>
      <Group gap="sm" align="flex-start">
        <Select
          label="Role"
          w={140}
          allowDeselect={false}
          data={toRoleOptions(roles?.data.map(({ name }) => name) ?? [roleId])}
          value={roleId}
          error={at.get('roleId')}
          onChange={(value) => value && changed(() => setRoleId(value))}
        />
        <Select
          label="Resource type"
          w={140}
          allowDeselect={false}
          data={toResourceOptions(AssignableResource.options)}
          value={type}
          onChange={(value) =>
            changed(() => {
              setType(AssignableResource.parse(value));
              setId('');
            })
          }
        />
        <ObjectField
          type={type}
          label="Resource"
          required
          value={id}
          error={at.get('resource.id')}
          onChange={(next) => changed(() => setId(next))}
        />
      </Group>
      <PermittedButton to="role:assign">
        <Button
          w="fit-content"
          variant="light"
          disabled={id === ''}
          loading={assign.isPending}
          onClick={() => assign.mutate({ body: { userId, roleId, resource: { type, id } } })}
        >
          Assign role
        </Button>
      </PermittedButton>
    </Stack>
  );
}
