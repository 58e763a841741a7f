'use client';

import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RoleResponse } from '@/contract/access/role';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { QueryList } from '@/components/ui/lists/QueryList';
import { PageSection } from '@/components/ui/page/PageSection';
import { AccessSimulator } from './AccessSimulator';
import { RoleEditor } from './RoleEditor';
import { RoleTable } from './RoleTable';
import { useWorkspaceRoles } from '@/components/client/queries/useWorkspaceRoles';

export function RoleList() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const roles = useWorkspaceRoles();
  const [open, setOpen] = useState<RoleResponse | 'new'>();
  const [deleting, setDeleting] = useState<RoleResponse>();
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
      <PageSection
        title="Roles"
        summary="Five system roles, and the custom roles of this workspace."
        aside={
          <PermittedButton to="role:create">
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen('new')}>
              New role
            </Button>
          </PermittedButton>
        }
      >
        <QueryList of="roles" query={roles} empty={<Text c="dimmed">No roles.</Text>}>
          {(items) => <RoleTable roles={items} onOpen={setOpen} onDelete={setDeleting} />}
        </QueryList>
      </PageSection>
      <AccessSimulator />
      {open && (
        <RoleEditor
          role={open === 'new' ? undefined : open}
          roles={roles.data?.data ?? []}
          onClose={() => setOpen(undefined)}
        />
      )}
      <ConfirmDialog
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
      </ConfirmDialog>
    </Stack>
  );
}
