import { Button, Group, Modal, Paper, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowListItem } from '@/contract/workflows/workflow';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { MoveDialog } from './folders/MoveDialog';
import { useBulkChange, workflowCountText, type BulkChange } from './useBulkChange';
import { useWorkflowTags } from './useWorkflowTags';

type BulkDialogName = 'tag' | 'move' | 'delete';

/** Changes all chosen workflows. */
interface ChosenChange {
  isBusy: boolean;
  change(bodyOf: Parameters<BulkChange['change']>[1]): void;
  remove(): void;
}

/** Actions for the selected workflows. */
export function WorkflowBulkActions({ chosen, onDone }: { chosen: WorkflowListItem[]; onDone(): void }) {
  const [asked, setAsked] = useState<BulkDialogName>();
  const close = () => setAsked(undefined);
  const { isBusy, change, remove } = useBulkChange();
  const finish = () => {
    close();
    onDone();
  };
  const bulk: ChosenChange = {
    isBusy,
    change: (bodyOf) => void change(chosen, bodyOf).then(finish),
    remove: () => void remove(chosen).then(finish),
  };
  const dialog = { count: workflowCountText(chosen.length), bulk, onClose: close };
  return (
    <Paper withBorder p="xs" mb="md" component="section" aria-label="Selected workflows">
      <Group justify="space-between">
        <Text size="sm">{dialog.count} selected</Text>
        <BulkActionButtons bulk={bulk} onAsk={setAsked} onClear={onDone} />
      </Group>
      {asked === 'tag' && <BulkTagDialog {...dialog} />}
      {asked === 'move' && <MoveDialog workflows={chosen} onDone={onDone} onClose={close} />}
      {asked === 'delete' && <BulkDeleteDialog {...dialog} />}
    </Paper>
  );
}

interface BulkButtonsProps {
  bulk: ChosenChange;
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
          Move to …
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
  bulk: ChosenChange;
  onClose(): void;
}

function BulkTagDialog({ count, bulk: { isBusy, change }, onClose }: BulkDialogProps) {
  const tags = useWorkflowTags();
  const [chosen, setChosen] = useState<string[]>([]);
  const apply = () => change((workflow) => ({ tags: [...new Set([...workflow.tags, ...chosen])] }));
  return (
    <Modal opened onClose={onClose} title={`Tag ${count}`}>
      <Stack>
        <TagsInput
          label="Tags to add"
          withAsterisk
          data={tags}
          value={chosen}
          maxTags={20}
          maxLength={50}
          onChange={setChosen}
        />
        <Group justify="flex-end">
          <Button loading={isBusy} disabled={chosen.length === 0} onClick={apply}>
            Add tags
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
