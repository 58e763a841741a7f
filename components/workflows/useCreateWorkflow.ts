import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { createStarterDefinition } from '@/components/graph/starter';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';

/** Creates a workflow from a template, a file or another workflow, and opens it. */
export function useCreateWorkflow() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.workflows.create.mutationOptions({
      onSuccess: ({ id }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
        router.push(`/workflows/${id}`);
      },
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not created', message: apiErrorSentence(error) }),
    }),
  );
}

/** The body that creates an empty workflow in the language of the workspace. */
export const emptyWorkflowBody = (language: ExpressionLanguage | undefined, name: string, description = '') => ({
  name,
  description,
  ...(language === 'javascript' ? { definition: createStarterDefinition(language) } : {}),
});
