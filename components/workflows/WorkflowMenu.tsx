import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowSummary } from '@/contract/workflow';
import { sentence } from '../client/problem';
import { later } from '../client/later';
import { useTRPC } from '../client/trpc';
import { useCan } from '../shell/useCan';
import { MenuButton } from '../ui/MenuButton';
import { exportWorkflow } from './exchange';
import { useCreate } from './useCreate';

const WorkflowActions = later(() => import('./WorkflowActions').then((part) => part.WorkflowActions));
const DeleteWorkflow = later(() => import('./DeleteWorkflow').then((part) => part.DeleteWorkflow));

/** What can be done with a workflow from the list. */
export function WorkflowMenu({ workflow }: { workflow: WorkflowSummary }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const can = useCan();
  const [isDeleting, setDeleting] = useState(false);
  const create = useCreate();
  const whole = () =>
    queryClient.fetchQuery({ ...trpc.workflows.get.queryOptions({ params: { id: workflow.id } }), staleTime: 0 });
  const withWhole = (use: (found: Awaited<ReturnType<typeof whole>>) => void) =>
    whole().then(use, (error: unknown) =>
      notifications.show({ color: 'madder', title: `${workflow.name} can’t be read`, message: sentence(error) }),
    );
  const duplicate = () =>
    withWhole(({ name, description, definition }) =>
      create.mutate({ body: { name: `${name.slice(0, 193)} (copy)`, description, definition } }),
    );
  return (
    <>
      <MenuButton
        menu={WorkflowActions}
        given={{
          onDuplicate: () => void duplicate(),
          onExport: () => void withWhole(exportWorkflow),
          onDelete: () => setDeleting(true),
          canDuplicate: can('workflow:create') !== 'none',
          canDelete: can('workflow:delete') !== 'none',
        }}
      >
        <ActionIcon size="lg" aria-label={`More for ${workflow.name}`} loading={create.isPending}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </MenuButton>
      {isDeleting && <DeleteWorkflow workflow={workflow} onClose={() => setDeleting(false)} />}
    </>
  );
}
