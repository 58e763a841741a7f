import { Button, Group, Modal, Paper, Select, Stack, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowListed } from '@/contract/workflows/workflow';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Confirm } from '@/components/ui/Confirm';
import { Permitted } from '@/components/ui/Permitted';
import { useFolders } from './folders/useFolders';

type Asked = 'tag' | 'move' | 'delete';

/** Actions for the selected workflows. */
export function WorkflowBulk({ chosen, onDone }: { chosen: WorkflowListed[]; onDone(): void }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [asked, setAsked] = useState<Asked>();
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const remove = useMutation(trpc.workflows.delete.mutationOptions());
  const [isBusy, setBusy] = useState(false);

  /** One after the other, so that a large selection does not use up the rate limit at once. */
  async function each(act: (workflow: WorkflowListed) => Promise<unknown>): Promise<void> {
    setBusy(true);
    const failures: string[] = [];
    for (const workflow of chosen) {
      try {
        await act(workflow);
      } catch (error) {
        failures.push(`${workflow.name}: ${sentence(error)}`);
      }
    }
    if (failures.length > 0)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${chosen.length} were not changed`,
        message: failures[0],
      });
    setBusy(false);
    setAsked(undefined);
    refresh();
    onDone();
  }
  const change = (bodyOf: (workflow: WorkflowListed) => Parameters<typeof update.mutateAsync>[0]['body']) =>
    void each((workflow) => update.mutateAsync({ params: { id: workflow.id }, body: bodyOf(workflow) }));
  const count = chosen.length === 1 ? '1 workflow' : `${chosen.length} workflows`;
  const close = () => setAsked(undefined);
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Selected workflows">
      <Group justify="space-between">
        <Text size="sm">{count} selected</Text>
        <Group gap="xs">
          <Button variant="default" size="compact-sm" onClick={onDone}>
            Clear selection
          </Button>
          <Permitted to="workflow:update">
            <Button
              size="compact-sm"
              variant="light"
              loading={isBusy}
              onClick={() => change(() => ({ status: 'active' }))}
            >
              Activate
            </Button>
          </Permitted>
          <Permitted to="workflow:update">
            <Button
              size="compact-sm"
              variant="light"
              disabled={isBusy}
              onClick={() => change(({ status }) => ({ status: status === 'active' ? 'paused' : status }))}
            >
              Deactivate
            </Button>
          </Permitted>
          <Permitted to="workflow:update">
            <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => setAsked('tag')}>
              Tag …
            </Button>
          </Permitted>
          <Permitted to="workflow:update">
            <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => setAsked('move')}>
              Move …
            </Button>
          </Permitted>
          <Permitted to="workflow:delete">
            <Button size="compact-sm" color="madder" disabled={isBusy} onClick={() => setAsked('delete')}>
              Delete …
            </Button>
          </Permitted>
        </Group>
      </Group>
      {asked === 'tag' && (
        <TagDialog
          count={count}
          isBusy={isBusy}
          onClose={close}
          onApply={(tags) => change((workflow) => ({ tags: [...new Set([...workflow.tags, ...tags])] }))}
        />
      )}
      {asked === 'move' && (
        <MoveDialog
          count={count}
          isBusy={isBusy}
          onClose={close}
          onApply={(folderId) => change(() => ({ folderId }))}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          isOpen
          title={`Delete ${count}?`}
          action="Delete"
          isBusy={isBusy}
          error={null}
          onConfirm={() => void each(({ id }) => remove.mutateAsync({ params: { id } }))}
          onClose={close}
        >
          <Text size="sm">
            This also deletes their versions, runs, webhooks, forms, chats, schedules and polls. You can’t undo this.
          </Text>
        </Confirm>
      )}
    </Paper>
  );
}

interface DialogProps<Value> {
  count: string;
  isBusy: boolean;
  onApply(value: Value): void;
  onClose(): void;
}

function TagDialog({ count, isBusy, onApply, onClose }: DialogProps<string[]>) {
  const { tags } = useFolders();
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <Modal opened onClose={onClose} title={`Tag ${count}`}>
      <Stack>
        <TagsInput label="Tags to add" data={tags} value={chosen} maxTags={20} maxLength={50} onChange={setChosen} />
        <Group justify="flex-end">
          <Button loading={isBusy} disabled={chosen.length === 0} onClick={() => onApply(chosen)}>
            Add tags
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function MoveDialog({ count, isBusy, onApply, onClose }: DialogProps<string | null>) {
  const { folders } = useFolders();
  const [folderId, setFolderId] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title={`Move ${count}`}>
      <Stack>
        <Select
          label="To the folder"
          placeholder="No folder"
          clearable
          clearButtonProps={{ 'aria-label': 'No folder' }}
          data={folders.map(({ id, path }) => ({ value: id, label: path }))}
          value={folderId}
          onChange={setFolderId}
        />
        <Group justify="flex-end">
          <Button loading={isBusy} onClick={() => onApply(folderId)}>
            Move
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
