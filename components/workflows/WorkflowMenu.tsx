import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDots, IconDownload, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowSummary } from '@/contract/workflow';
import { sentence } from '../client/problem';
import { later } from '../client/later';
import { useTRPC } from '../client/trpc';
import { useCan } from '../shell/useCan';
import { exportWorkflow } from './exchange';
import { useCreate } from './useCreate';

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
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={`More for ${workflow.name}`} loading={create.isPending}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={can('workflow:create') === 'none'}
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void duplicate()}
          >
            Duplicate
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void withWhole(exportWorkflow)}
          >
            Export as JSON
          </Menu.Item>
          <Menu.Item
            color="madder"
            disabled={can('workflow:delete') === 'none'}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setDeleting(true)}
          >
            Delete …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && <DeleteWorkflow workflow={workflow} onClose={() => setDeleting(false)} />}
    </>
  );
}
