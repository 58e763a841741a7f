'use client';

import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '@/contract/role';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Permitted } from '../shell/Permitted';
import { Confirm } from '../ui/Confirm';
import { Listing } from '../ui/Listing';
import { Section } from '../ui/Section';
import { AccessSimulator } from './AccessSimulator';
import { RoleEditor } from './RoleEditor';
import { RoleTable } from './RoleTable';
import { useRoles } from './useRoles';

export function RoleList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const roles = useRoles();
  const [open, setOpen] = useState<Role | 'new'>();
  const [leaving, setLeaving] = useState<Role>();
  const remove = useMutation(
    trpc.roles.delete.mutationOptions({
      onSuccess: () => {
        setLeaving(undefined);
        refresh();
      },
    }),
  );
  return (
    <Stack gap="lg">
      <Section
        title="Roles"
        summary="The five that every workspace has, and your own."
        aside={
          <Permitted to="role:create">
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen('new')}>
              New role
            </Button>
          </Permitted>
        }
      >
        <Listing of="roles" query={roles} empty={<Text c="dimmed">There are none.</Text>}>
          {(items) => <RoleTable roles={items} onOpen={setOpen} onDelete={setLeaving} />}
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
        isOpen={leaving !== undefined}
        title={`Delete the role “${leaving?.name ?? ''}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving && remove.mutate({ params: { id: leaving.id } })}
        onClose={() => {
          remove.reset();
          setLeaving(undefined);
        }}
      >
        <Text>It can’t be brought back.</Text>
      </Confirm>
    </Stack>
  );
}
