import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { extract } from '../canvas/extract';
import type { Catalogue } from '../canvas/flow';
import { nodesAmong } from '../canvas/groups';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { ErrorNote } from '../ui/ErrorNote';
import { edited, shown, useDraftStore } from './draft';

/** Makes the selected nodes a workflow of their own, which is called in their place. */
export function ExtractDialog({ catalogue, onClose }: { catalogue: Catalogue; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const [name, setName] = useState(`${store.get().name.slice(0, 180)}: part`);
  const found = () => extract(shown(store.get()), catalogue, nodesAmong(shown(store.get()), store.get().selectedIds));
  const [extraction] = useState(found);
  const create = useMutation(
    trpc.workflows.create.mutationOptions({
      onSuccess: (workflow) => {
        const now = found();
        if ('refusal' in now) return;
        const { definition, id } = now.outer(workflow.id, workflow.name);
        store.set({ ...edited(store.get(), definition), selectedIds: [id] });
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
        onClose();
      },
    }),
  );
  if ('refusal' in extraction)
    return (
      <Modal opened onClose={onClose} title="This can’t become a sub-workflow">
        <Stack>
          <Text size="sm">{extraction.refusal}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              Back to the canvas
            </Button>
          </Group>
        </Stack>
      </Modal>
    );
  const count = extraction.inner.nodes.length - 1;
  return (
    <Modal opened onClose={onClose} title="Selection to sub-workflow">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name: name.trim(), definition: extraction.inner } });
        }}
      >
        <Stack>
          <ErrorNote>{create.error ? sentence(create.error) : null}</ErrorNote>
          <Text size="sm">
            {count === 1 ? 'One node becomes' : `${count} nodes become`} a workflow of their own, and one node here runs
            it in their place.
          </Text>
          <TextInput
            label="Name of the new workflow"
            value={name}
            maxLength={200}
            required
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
