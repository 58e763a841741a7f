import { Button, Group, Select, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AssignableResource } from '@/contract/access/role';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { ObjectField } from './ObjectField';
import { wordsOf } from '../roles/role-matrix';
import { useRoles } from '@/components/client/queries/useRoles';

/** Assigns a role on one object to a member. */
export function GiveObjectRole({ userId }: { userId: string }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { data: roles } = useRoles();
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
  const { at, elsewhere } = fieldErrorsOf(assign.error, (field) => ['roleId', 'resource.id'].includes(field));
  const changed = (set: () => void) => {
    assign.reset();
    set();
  };
  return (
    <Stack gap="sm">
      <ErrorNote>{elsewhere}</ErrorNote>
      <Group gap="sm" align="flex-start">
        <Select
          label="Role"
          w={140}
          allowDeselect={false}
          data={roles?.data.map(({ name }) => name) ?? [roleId]}
          value={roleId}
          error={at.get('roleId')}
          onChange={(value) => value && changed(() => setRoleId(value))}
        />
        <Select
          label="Resource type"
          w={140}
          allowDeselect={false}
          data={AssignableResource.options.map((value) => ({ value, label: wordsOf(value) }))}
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
          value={id}
          error={at.get('resource.id')}
          onChange={(next) => changed(() => setId(next))}
        />
      </Group>
      <Permitted to="role:assign">
        <Button
          w="fit-content"
          variant="light"
          disabled={id === ''}
          loading={assign.isPending}
          onClick={() => assign.mutate({ body: { userId, roleId, resource: { type, id } } })}
        >
          Assign role
        </Button>
      </Permitted>
    </Stack>
  );
}
