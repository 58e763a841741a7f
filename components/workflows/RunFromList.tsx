import { ActionIcon } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { Permitted } from '@/components/ui/Permitted';
import { useCan } from '@/components/client/useCan';
import { Hint } from '@/components/ui/Hint';

/** Runs a workflow without input, and opens the run. */
export function RunFromList({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC();
  const can = useCan();
  const router = useRouter();
  const run = useMutation(
    trpc.workflows.execute.mutationOptions({
      onSuccess: ({ executionId }) => router.push(`/executions/${executionId}`),
      onError: (error) =>
        notifications.show({ color: 'madder', title: `${name} was not started`, message: sentence(error) }),
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
  if (can('workflow:execute') === 'none') return <Permitted to="workflow:execute">{button}</Permitted>;
  return <Hint label="Run">{button}</Hint>;
}
