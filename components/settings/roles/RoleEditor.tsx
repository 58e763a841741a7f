import { Button, Group, Modal, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { RoleResponse } from '@/contract/access/role';
import { readableRoleName } from '@/components/client/role-names';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { usePermissions } from '@/components/client/usePermissions';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { ConditionalPermissions } from './ConditionalPermissions';
import { PermissionMatrix } from './PermissionMatrix';
import { inheritedPermissions } from './role-matrix';

interface Props {
  /** Undefined: a new role. */
  role: RoleResponse | undefined;
  /** The roles that it can inherit from. */
  roles: RoleResponse[];
  onClose(): void;
}

/** Creates or edits a role. System roles are read-only. */
export function RoleEditor({ role, roles, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const can = usePermissions();
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [inherits, setInherits] = useState(role?.inherits ?? []);
  const [permissions, setPermissions] = useState(role?.permissions ?? []);
  const onSuccess = () => {
    refresh();
    onClose();
  };
  const create = useMutation(trpc.roles.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.roles.update.mutationOptions({ onSuccess }));
  const isReadOnly = (role?.isSystem ?? false) || can(role ? 'role:update' : 'role:create') === 'none';
  const { at, elsewhere } = splitFieldErrors(role ? update.error : create.error, (field) =>
    ['name', 'description', 'inherits'].includes(field),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), description, inherits, permissions };
    if (role) update.mutate({ params: { id: role.id }, body });
    else create.mutate({ body });
  };
  return (
    <Modal opened onClose={onClose} size="xl" title={role ? `Role “${readableRoleName(role.name)}”` : 'New role'}>
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          <TextInput
            label="Name"
            required
            maxLength={100}
            readOnly={isReadOnly}
            data-autofocus
            value={name}
            error={at.get('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            autosize
            readOnly={isReadOnly}
            maxLength={1000}
            value={description}
            error={at.get('description')}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <MultiSelect
            label="Inherits from"
            description="The role also has the permissions of these roles. They show a dash in the table below."
            readOnly={isReadOnly}
            data={roles
              .filter(({ id }) => id !== role?.id)
              .map((one) => ({ value: one.id, label: readableRoleName(one.name) }))}
            value={inherits}
            error={at.get('inherits')}
            onChange={setInherits}
          />
          <PermissionMatrix
            permissions={permissions}
            inherited={inheritedPermissions(roles, inherits)}
            isReadOnly={isReadOnly}
            onChange={setPermissions}
          />
          <ConditionalPermissions permissions={permissions} isReadOnly={isReadOnly} onChange={setPermissions} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {isReadOnly ? 'Close' : 'Cancel'}
            </Button>
            {!isReadOnly && (
              <Button type="submit" loading={create.isPending || update.isPending} disabled={name.trim() === ''}>
                {role ? 'Save' : 'Create'}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
