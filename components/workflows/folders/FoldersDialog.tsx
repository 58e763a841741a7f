import { ActionIcon, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { useFolders } from './useFolders';

/** Creates, renames, moves and deletes folders. */
export function FoldersDialog({ onClose }: { onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { folders, rows } = useFolders();
  const [editedId, setEditedId] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [parentId, setParentId] = useState<string | null>(null);
  const clear = () => {
    setEditedId(null);
    setName('');
    setParentId(null);
    refresh();
  };
  const create = useMutation(trpc.folders.create.mutationOptions({ onSuccess: clear }));
  const update = useMutation(trpc.folders.update.mutationOptions({ onSuccess: clear }));
  const remove = useMutation(trpc.folders.delete.mutationOptions({ onSuccess: clear }));
  const error = create.error ?? update.error ?? remove.error;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { name: name.trim(), parentId };
    if (editedId === null) create.mutate({ body });
    else update.mutate({ params: { id: editedId }, body });
  };
  const edit = (id: string) => {
    const row = rows.find((folder) => folder.id === id);
    setEditedId(id);
    setName(row?.name ?? '');
    setParentId(row?.parentId ?? null);
  };
  return (
    <Modal opened onClose={onClose} title="Folders">
      <Stack>
        <FormErrorAlert>{error && apiErrorSentence(error)}</FormErrorAlert>
        {folders.length === 0 && (
          <Text size="sm" c="dimmed">
            No folders yet.
          </Text>
        )}
        <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
          {folders.map(({ id, path }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {path}
              </Text>
              <Group gap={2} wrap="nowrap">
                <ActionIcon aria-label={`Change ${path}`} onClick={() => edit(id)}>
                  <IconPencil size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  aria-label={`Delete ${path}. Its contents move up`}
                  loading={remove.isPending && remove.variables.params.id === id}
                  onClick={() => remove.mutate({ params: { id } })}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            </Group>
          ))}
        </Stack>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              label={editedId === null ? 'New folder' : 'Name'}
              value={name}
              maxLength={100}
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label="Inside"
              placeholder="Top level"
              clearable
              clearButtonProps={{ 'aria-label': 'Top level' }}
              data={folders.filter(({ id }) => id !== editedId).map(({ id, path }) => ({ value: id, label: path }))}
              value={parentId}
              onChange={setParentId}
            />
            <Text size="xs" c="dimmed">
              The contents of a deleted folder move to the folder above.
            </Text>
            <Group justify="flex-end" gap="xs">
              {editedId !== null && (
                <Button variant="default" onClick={clear}>
                  Cancel
                </Button>
              )}
              <Button type="submit" loading={create.isPending || update.isPending} disabled={name.trim() === ''}>
                {editedId === null ? 'Create' : 'Save'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Modal>
  );
}
