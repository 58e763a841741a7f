import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import type { Template } from './template';
import { useCreate } from './useCreate';

/** Creates a workflow from a template, and its form if it has one, and opens it. */
export function useTemplate() {
  const trpc = useTRPC();
  const workflow = useCreate();
  const form = useMutation(
    trpc.forms.create.mutationOptions({
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'The form was not created', message: sentence(error) }),
    }),
  );
  const create = ({ form: body, ...content }: Template) =>
    workflow.mutate({ body: content }, { onSuccess: ({ id }) => body && form.mutate({ params: { id }, body }) });
  return { create, isBusy: workflow.isPending };
}
