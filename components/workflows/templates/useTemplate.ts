import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { withTable, type Template } from './template';
import { useCreate } from '../useCreate';

const notCreated = (what: string) => (error: Parameters<typeof sentence>[0]) =>
  notifications.show({ color: 'madder', title: `The ${what} was not created`, message: sentence(error) });

/** Creates a workflow from a template, with its table and its form if it has them, and opens it. */
export function useTemplate() {
  const trpc = useTRPC();
  const workflow = useCreate();
  const form = useMutation(trpc.forms.create.mutationOptions({ onError: notCreated('form') }));
  const table = useMutation(trpc.tables.create.mutationOptions({ onError: notCreated('table') }));
  const create = ({ form: formBody, table: tableBody, ...content }: Template) => {
    const createWorkflow = (tableId?: string) => {
      const body = { ...content, definition: withTable(content.definition, tableId) };
      workflow.mutate({ body }, { onSuccess: ({ id }) => formBody && form.mutate({ params: { id }, body: formBody }) });
    };
    if (!tableBody) return createWorkflow();
    // Without its table the workflow is still useful: another one can be chosen.
    table.mutate({ body: tableBody }, { onSuccess: ({ id }) => createWorkflow(id), onError: () => createWorkflow() });
  };
  return { create, isBusy: workflow.isPending || table.isPending };
}
