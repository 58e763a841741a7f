'use client';

import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '@/contract/access/role';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { Confirm } from '@/components/ui/Confirm';
import { Listing } from '@/components/ui/lists/Listing';
import { Section } from '@/components/ui/page/Section';
import { AccessSimulator } from './AccessSimulator';
import { RoleEditor } from './RoleEditor';
import { RoleTable } from './RoleTable';
import { useRoles } from '@/components/client/queries/useRoles';

export function RoleList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const roles = useRoles();
  const [open, setOpen] = useState<Role | 'new'>();
  const [deleting, setDeleting] = useState<Role>();
  const remove = useMutation(
    trpc.roles.delete.mutationOptions({
      onSuccess: () => {
        setDeleting(undefined);
        refresh();
      },
    }),
  );
  return (
    <Stack gap="lg">
      <Section
        title="Roles"
        summary="Five system roles, and the custom roles of this workspace."
        aside={
          <Permitted to="role:create">
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen('new')}>
              New role
            </Button>
          </Permitted>
        }
      >
        <Listing of="roles" query={roles} empty={<Text c="dimmed">No roles.</Text>}>
          {(items) => <RoleTable roles={items} onOpen={setOpen} onDelete={setDeleting} />}
        </Listing>
      </Section>
      <AccessSimulator />
      {open && (
        <RoleEditor
          role={open === 'new' ? undefined : open}
          roles={roles.data?.data ?? []}
          onClose={() => setOpen(undefined)}
        />
      )}
      <Confirm
        isOpen={deleting !== undefined}
        title={`Delete the role “${deleting?.name ?? ''}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate({ params: { id: deleting.id } })}
        onClose={() => {
          remove.reset();
          setDeleting(undefined);
        }}
      >
        <Text>You can’t undo this.</Text>
      </Confirm>
    </Stack>
  );
}
