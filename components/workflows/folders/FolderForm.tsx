import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { FolderResponse } from '@/contract/workflows/folder';
import { apiErrorSentence, readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FolderSelect } from './FolderSelect';

interface Props {
  /** Undefined: a new one. */
  folder?: FolderResponse;
  /** Where a new one begins. */
  parentId?: string | null;
  onClose(): void;
}

/** Creates, renames or moves a folder. */
export function FolderForm({ folder, parentId: startParentId = null, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [name, setName] = useState(folder?.name ?? '');
  const [parentId, setParentId] = useState(folder ? folder.parentId : startParentId);
  const onSuccess = () => {
    refresh();
    onClose();
  };
  const create = useMutation(trpc.folders.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.folders.update.mutationOptions({ onSuccess }));
  const error = create.error ?? update.error;
  const placeIssue = error && readApiError(error).details.find(({ field }) => field === 'parentId')?.message;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), parentId };
    if (folder) update.mutate({ params: { id: folder.id }, body });
    else create.mutate({ body });
  };
  return (
    <Modal opened onClose={onClose} title={folder ? `The folder ${folder.name}` : 'New folder'}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            placeholder="Sales"
            value={name}
            maxLength={100}
            data-autofocus
            error={error && !placeIssue && apiErrorSentence(error)}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FolderSelect
            label="Inside"
            value={parentId}
            error={placeIssue}
            withoutId={folder?.id}
            onChange={setParentId}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || update.isPending} disabled={name.trim() === ''}>
              {folder ? 'Save' : 'Create folder'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
