import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { usePermissions } from '@/components/client/usePermissions';
import { LightTooltip } from '@/components/ui/LightTooltip';

/** Runs a workflow without input, and opens the run. */
export function RunWorkflowButton({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC();
  const can = usePermissions();
  const router = useRouter();
  const run = useMutation(
    trpc.workflows.execute.mutationOptions({
      onSuccess: ({ executionId }) => router.push(`/executions/${executionId}`),
      onError: (error) =>
        notifications.show({ color: 'madder', title: `${name} was not started`, message: apiErrorSentence(error) }),
    }),
  );
  const button = (
    <ActionIcon
      size="lg"
      aria-label={`Run ${name}`}
      loading={run.isPending}
      onClick={() => run.mutate({ params: { id }, body: { input: {} } })}
    >
      <IconPlayerPlay size={18} aria-hidden />
    </ActionIcon>
  );
  if (can('workflow:execute') === 'none') return <PermittedButton to="workflow:execute">{button}</PermittedButton>;
  return <LightTooltip label="Run">{button}</LightTooltip>;
}
