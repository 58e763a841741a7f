import { Button, Group, Modal, Paper, Select, Stack, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowListItem } from '@/contract/workflows/workflow';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { useFolders } from './folders/useFolders';

type BulkDialogName = 'tag' | 'move' | 'delete';

/**
 * Changes the selected workflows one after the other, so that a large selection does not use up the rate limit at once.
 */
function useBulkChange(chosen: WorkflowListItem[], onDone: () => void) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const remove = useMutation(trpc.workflows.delete.mutationOptions());
  const [isBusy, setBusy] = useState(false);

  async function each(act: (workflow: WorkflowListItem) => Promise<unknown>): Promise<void> {
    setBusy(true);
    const failures: string[] = [];
    for (const workflow of chosen) {
      try {
        await act(workflow);
      } catch (error) {
        failures.push(`${workflow.name}: ${apiErrorSentence(error)}`);
      }
    }
    if (failures.length > 0)
      notifications.show({
        color: 'madder',
        title: `${failures.length} of ${chosen.length} were not changed`,
        message: failures[0],
      });
    setBusy(false);
    refresh();
    onDone();
  }

  return {
    isBusy,
    change: (bodyOf: (workflow: WorkflowListItem) => Parameters<typeof update.mutateAsync>[0]['body']) =>
      void each((workflow) => update.mutateAsync({ params: { id: workflow.id }, body: bodyOf(workflow) })),
    remove: () => void each(({ id }) => remove.mutateAsync({ params: { id } })),
  };
}

type BulkChange = ReturnType<typeof useBulkChange>;

/** Actions for the selected workflows. */
export function WorkflowBulkActions({ chosen, onDone }: { chosen: WorkflowListItem[]; onDone(): void }) {
  const [asked, setAsked] = useState<BulkDialogName>();
  const close = () => setAsked(undefined);
  const bulk = useBulkChange(chosen, () => {
    close();
    onDone();
  });
  const dialog = { count: chosen.length === 1 ? '1 workflow' : `${chosen.length} workflows`, bulk, onClose: close };
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Selected workflows">
      <Group justify="space-between">
        <Text size="sm">{dialog.count} selected</Text>
        <BulkActionButtons bulk={bulk} onAsk={setAsked} onClear={onDone} />
      </Group>
      {asked === 'tag' && <BulkTagDialog {...dialog} />}
      {asked === 'move' && <BulkMoveDialog {...dialog} />}
      {asked === 'delete' && <BulkDeleteDialog {...dialog} />}
    </Paper>
  );
}

interface BulkButtonsProps {
  bulk: BulkChange;
  onAsk(asked: BulkDialogName): void;
  onClear(): void;
}

function BulkActionButtons({ bulk: { isBusy, change }, onAsk, onClear }: BulkButtonsProps) {
  return (
    <Group gap="xs">
      <Button variant="default" size="compact-sm" onClick={onClear}>
        Clear selection
      </Button>
      <PermittedButton to="workflow:update">
        <Button size="compact-sm" variant="light" loading={isBusy} onClick={() => change(() => ({ status: 'active' }))}>
          Go live
        </Button>
      </PermittedButton>
      <PermittedButton to="workflow:update">
        <Button
          size="compact-sm"
          variant="light"
          disabled={isBusy}
          onClick={() => change(({ status }) => ({ status: status === 'active' ? 'paused' : status }))}
        >
          Pause
        </Button>
      </PermittedButton>
      <PermittedButton to="workflow:update">
        <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => onAsk('tag')}>
          Tag …
        </Button>
      </PermittedButton>
      <PermittedButton to="workflow:update">
        <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => onAsk('move')}>
          Move …
        </Button>
      </PermittedButton>
      <PermittedButton to="workflow:delete">
        <Button size="compact-sm" color="madder" disabled={isBusy} onClick={() => onAsk('delete')}>
          Delete …
        </Button>
      </PermittedButton>
    </Group>
  );
}

interface BulkDialogProps {
  /** How many workflows, in words. */
  count: string;
  bulk: BulkChange;
  onClose(): void;
}

function BulkTagDialog({ count, bulk: { isBusy, change }, onClose }: BulkDialogProps) {
  const { tags } = useFolders();
  const [chosen, setChosen] = useState<string[]>([]);
  const apply = () => change((workflow) => ({ tags: [...new Set([...workflow.tags, ...chosen])] }));
  return (
    <Modal opened onClose={onClose} title={`Tag ${count}`}>
      <Stack>
        <TagsInput label="Tags to add" data={tags} value={chosen} maxTags={20} maxLength={50} onChange={setChosen} />
        <Group justify="flex-end">
          <Button loading={isBusy} disabled={chosen.length === 0} onClick={apply}>
            Add tags
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function BulkMoveDialog({ count, bulk: { isBusy, change }, onClose }: BulkDialogProps) {
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
          <Button loading={isBusy} onClick={() => change(() => ({ folderId }))}>
            Move
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function BulkDeleteDialog({ count, bulk: { isBusy, remove }, onClose }: BulkDialogProps) {
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${count}?`}
      action="Delete"
      isBusy={isBusy}
      error={null}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text size="sm">
        This also deletes their versions, runs, webhooks, forms, chats, schedules and polls. You can’t undo this.
      </Text>
    </ConfirmDialog>
  );
}
