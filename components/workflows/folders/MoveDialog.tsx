import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useBulkChange, workflowCountText, type ChangedWorkflow } from '../useBulkChange';
import { FolderSelect } from './FolderSelect';
import { TOP_LEVEL_NAME } from './FolderTrail';
import { useFolders } from './useFolders';

interface Props {
  workflows: readonly ChangedWorkflow[];
  /** Called after they were moved. */
  onDone?(): void;
  onClose(): void;
}

/** Moves workflows to a folder, or to the top level. */
export function MoveDialog({ workflows, onDone, onClose }: Props) {
  const { folders } = useFolders();
  const { isBusy, move } = useBulkChange();
  const [only] = workflows;
  const [folderId, setFolderId] = useState(only?.folderId ?? null);
  const submit = async () => {
    await move(workflows, folderId, folders.find(({ id }) => id === folderId)?.path ?? TOP_LEVEL_NAME);
    onClose();
    onDone?.();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Move ${workflows.length === 1 && only ? only.name : workflowCountText(workflows.length)}`}
    >
      <Stack>
        <FolderSelect label="To the folder" data-autofocus value={folderId} onChange={setFolderId} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isBusy} onClick={() => void submit()}>
            Move
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
