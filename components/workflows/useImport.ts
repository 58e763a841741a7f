import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { keep } from '../editor/kept';
import { readExchanged, type Exchanged } from './exchange';

/**
 * Takes workflows as files: by `open`, or dropped anywhere on the page. One that this installation can't accept as it is
 * (a node type it doesn't know, say) opens all the same, as unsaved work to be repaired.
 */
export function useImport() {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(trpc.workflows.create.mutationOptions());

  const store = async ({ name, description, definition }: Exchanged) => {
    try {
      return await create.mutateAsync({ body: { name, description, definition } });
    } catch (error) {
      if (problemOf(error).code !== 'VALIDATION_ERROR') throw error;
      const workflow = await create.mutateAsync({ body: { name, description } });
      keep(workflow.id, { version: workflow.version, name, definition });
      return workflow;
    }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    const found = await readExchanged(await file.text(), file.name);
    const refuse = (message: string) =>
      notifications.show({ color: 'madder', title: `${file.name} was not imported`, message });
    if (!found) return refuse('It is no workflow: a JSON file with nodes and connections is needed.');
    try {
      router.push(`/workflows/${(await store(found)).id}`);
    } catch (error) {
      refuse(sentence(error));
    }
  };

  const onDrop = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'drop') void open(event.dataTransfer.files[0]);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => onDrop(event);
    addEventListener('drop', listener);
    addEventListener('dragover', listener);
    return () => {
      removeEventListener('drop', listener);
      removeEventListener('dragover', listener);
    };
  }, []);
  return { open, isBusy: create.isPending };
}
