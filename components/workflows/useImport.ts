import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { problemOf, sentence, type Problem } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { writeBackup } from '@/components/client/local-backup';
import { readExchanged, type Exchanged } from './exchange';

/** Whether the definition was refused, so that the author can repair it in the editor. */
const isRepairable = ({ code, details }: Problem) =>
  code === 'VALIDATION_ERROR' || (code === 'FORBIDDEN' && details.length > 0);

const tell = ({ length }: readonly string[]) =>
  notifications.show({
    title: 'Imported from n8n',
    message:
      length === 0
        ? 'Everything was converted.'
        : `${length === 1 ? 'One item needs' : `${length} items need`} review: a note on the canvas lists them.`,
  });

/**
 * Imports workflow files, by `open` or, with `takesDrops`, dropped on the page. A file that the service refuses (unknown node type,
 * forbidden credential) opens as unsaved work, so that it can be repaired.
 */
export function useImport({ takesDrops = true } = {}) {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(trpc.workflows.create.mutationOptions());

  const store = async ({ name, description, definition }: Exchanged) => {
    try {
      return await create.mutateAsync({ body: { name, description, definition } });
    } catch (error) {
      if (!isRepairable(problemOf(error))) throw error;
      const workflow = await create.mutateAsync({ body: { name, description } });
      writeBackup(workflow.id, { version: workflow.version, name, definition });
      return workflow;
    }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    const found = await readExchanged(await file.text(), file.name);
    const refuse = (message: string) =>
      notifications.show({ color: 'madder', title: `${file.name} was not imported`, message });
    if (!found)
      return refuse('The file is not a workflow. An export of Weft or n8n is needed: JSON with nodes and connections.');
    try {
      const { id } = await store(found);
      if (found.n8nReport) tell(found.n8nReport);
      router.push(`/workflows/${id}`);
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
    if (!takesDrops) return;
    const listener = (event: DragEvent) => onDrop(event);
    addEventListener('drop', listener);
    addEventListener('dragover', listener);
    return () => {
      removeEventListener('drop', listener);
      removeEventListener('dragover', listener);
    };
  }, [takesDrops]);
  return { open, isBusy: create.isPending };
}
