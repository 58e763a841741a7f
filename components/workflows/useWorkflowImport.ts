import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { use, useEffect, useEffectEvent, useState } from 'react';
import { readApiError, apiErrorSentence, type ApiErrorBody } from '@/components/client/api-error';
import { CurrentFolderContext } from '@/components/client/current-folder';
import { useTRPC } from '@/components/client/trpc';
import { writeLocalBackup } from '@/components/client/local-backup';
import { parseWorkflowFile, type WorkflowFromFile } from './exchange';

/** A file may have at most this number of characters. */
const MAX_IMPORT_CHARACTERS = 10 * 1024 * 1024;

/** Whether the service refused the definition, which the author can then repair in the editor. */
const isRepairableRefusal = ({ code, details }: ApiErrorBody) =>
  code === 'VALIDATION_ERROR' || (code === 'FORBIDDEN' && details.length > 0);

/** A file of n8n that is shown before it becomes a workflow. */
export interface N8nImportPreview {
  file: WorkflowFromFile & Required<Pick<WorkflowFromFile, 'n8n'>>;
  /** Ends the preview: the workflow is created, or not. */
  close(): void;
}

/**
 * Imports workflow files, by `open` or, with `takesDrops`, dropped on the page. A file that the service refuses
 * (unknown node type, forbidden credential) opens as unsaved work, so that it can be repaired. A file of n8n is shown
 * first: see `preview`.
 */
export function useWorkflowImport({ takesDrops = true } = {}) {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(trpc.workflows.create.mutationOptions());
  const folderId = use(CurrentFolderContext);
  const [preview, setPreview] = useState<N8nImportPreview>();

  const store = async ({ name, description, definition, n8n }: WorkflowFromFile) => {
    const settings = n8n ? { settings: n8n.settings, tags: n8n.tags } : {};
    try {
      return await create.mutateAsync({ body: { name, description, definition, folderId, ...settings } });
    } catch (error) {
      if (!isRepairableRefusal(readApiError(error))) throw error;
      const workflow = await create.mutateAsync({ body: { name, description, folderId } });
      writeLocalBackup(workflow.id, { version: workflow.version, name, definition });
      return workflow;
    }
  };
  const refuse = (name: string, message: string) =>
    void notifications.show({ color: 'madder', title: `${name} was not imported`, message });

  /** Creates the workflow and opens it. `andThen` gets its id before it is opened. */
  const save = async (found: WorkflowFromFile, andThen?: (id: string) => Promise<void>) => {
    try {
      const { id } = await store(found);
      await andThen?.(id);
      router.push(`/workflows/${id}`);
    } catch (error) {
      refuse(found.name, apiErrorSentence(error));
    }
  };
  const read = async (file: File) => {
    if (file.size > MAX_IMPORT_CHARACTERS) return refuse(file.name, 'The file is larger than 10 MB.');
    try {
      const found = await parseWorkflowFile(await file.text(), file.name);
      if (found) return found;
      const needed = 'An export of Weft or n8n is needed: JSON with nodes and connections.';
      return refuse(file.name, `The file is not a workflow. ${needed}`);
    } catch (error) {
      return refuse(file.name, error instanceof Error ? error.message : 'The file can not be read.');
    }
  };
  /** Resolves when the file has become a workflow, or the person has declined. */
  const open = async (file: File | undefined) => {
    const found = file && (await read(file));
    if (!found) return;
    const { n8n } = found;
    if (!n8n) return save(found);
    return new Promise<void>((resolve) => {
      const close = () => {
        setPreview(undefined);
        resolve();
      };
      setPreview({ file: { ...found, n8n }, close });
    });
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
  return { open, save, preview, isBusy: create.isPending };
}
