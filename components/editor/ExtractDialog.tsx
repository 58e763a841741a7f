import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { extractSubWorkflow } from '@/components/graph/extract/extract';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { selectedNodeIds } from '@/components/graph/groups';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { editCanvas, canvasDefinition, useDraftStore } from './draft/draft';

/** The extracted workflow is in the language of the one around it, with its prelude. */
const namedLanguage = ({
  language,
  prelude,
}: WorkflowDefinition): Pick<WorkflowDefinition, 'language' | 'prelude'> => ({
  ...(language ? { language } : {}),
  ...(prelude ? { prelude } : {}),
});

/** Moves the selected nodes into a new workflow, and calls it with a sub-workflow node. */
export function ExtractDialog({ catalogue, onClose }: { catalogue: NodeTypesByName; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const [name, setName] = useState(`${store.get().name.slice(0, 180)}: part`);
  const found = () =>
    extractSubWorkflow(
      canvasDefinition(store.get()),
      catalogue,
      selectedNodeIds(canvasDefinition(store.get()), store.get().selectedIds),
    );
  const [extraction] = useState(found);
  const create = useMutation(
    trpc.workflows.create.mutationOptions({
      onSuccess: (workflow) => {
        const now = found();
        if ('refusal' in now) return;
        const { definition, id } = now.outer(workflow.id, workflow.name);
        store.set({ ...editCanvas(store.get(), definition), selectedIds: [id] });
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
        onClose();
      },
    }),
  );
  if ('refusal' in extraction)
    return (
      <Modal opened onClose={onClose} title="The selection can’t become a sub-workflow">
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
    <Modal opened onClose={onClose} title="Extract to sub-workflow">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({
            body: { name: name.trim(), definition: { ...extraction.inner, ...namedLanguage(store.get().definition) } },
          });
        }}
      >
        <Stack>
          <FormErrorAlert>{create.error ? apiErrorSentence(create.error) : null}</FormErrorAlert>
          <Text size="sm">
            {count === 1 ? 'One node moves' : `${count} nodes move`} into a new workflow. A sub-workflow node replaces{' '}
            {count === 1 ? 'it' : 'them'} here.
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
