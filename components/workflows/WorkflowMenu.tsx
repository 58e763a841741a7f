import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowSummary } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { MenuButton } from '@/components/ui/MenuButton';
import { exportWorkflow } from './exchange';
import { useCreateWorkflow } from './useCreateWorkflow';

const WorkflowActions = lazyWithPreload(() => import('./WorkflowActions').then((module) => module.WorkflowActions));
const DeleteWorkflow = lazyWithPreload(() => import('./DeleteWorkflow').then((module) => module.DeleteWorkflow));
const MoveDialog = lazyWithPreload(() => import('./folders/MoveDialog').then((module) => module.MoveDialog));
const ShareDialog = lazyWithPreload(() => import('./ShareDialog').then((module) => module.ShareDialog));
const WorkflowSettingsDialog = lazyWithPreload(() =>
  import('./WorkflowSettingsDialog').then((module) => module.WorkflowSettingsDialog),
);

/** Actions for a workflow in the list. */
export function WorkflowMenu({ workflow }: { workflow: WorkflowSummary }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const can = usePermissions();
  const [isSetting, setSetting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const create = useCreateWorkflow();
  const whole = () =>
    queryClient.fetchQuery({ ...trpc.workflows.get.queryOptions({ params: { id: workflow.id } }), staleTime: 0 });
  const withWhole = (use: (found: Awaited<ReturnType<typeof whole>>) => void) =>
    whole().then(use, (error: unknown) =>
      notifications.show({
        color: 'madder',
        title: `${workflow.name} can’t be loaded`,
        message: apiErrorSentence(error),
      }),
    );
  const duplicate = () =>
    withWhole(({ name, description, definition, folderId }) =>
      create.mutate({ body: { name: `${name.slice(0, 193)} (copy)`, description, definition, folderId } }),
    );
  return (
    <>
      <MenuButton
        menu={WorkflowActions}
        menuProps={{
          onSettings: () => setSetting(true),
          onMove: () => setMoving(true),
          onShare: () => setSharing(true),
          onDuplicate: () => void duplicate(),
          onExport: () => void withWhole(exportWorkflow),
          onDelete: () => setDeleting(true),
          canMove: can('workflow:update') !== 'none',
          canShare: can('role:read') !== 'none',
          canDuplicate: can('workflow:create') !== 'none',
          canDelete: can('workflow:delete') !== 'none',
        }}
      >
        <ActionIcon size="lg" aria-label={`More for ${workflow.name}`} loading={create.isPending}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </MenuButton>
      {isSetting && <WorkflowSettingsDialog id={workflow.id} onClose={() => setSetting(false)} />}
      {isSharing && <ShareDialog workflow={workflow} onClose={() => setSharing(false)} />}
      {isMoving && <MoveDialog workflows={[workflow]} onClose={() => setMoving(false)} />}
      {isDeleting && <DeleteWorkflow workflow={workflow} onClose={() => setDeleting(false)} />}
    </>
  );
}
