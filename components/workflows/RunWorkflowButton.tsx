import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { usePermissions } from '@/components/client/usePermissions';
import { LightTooltip } from '@/components/ui/LightTooltip';
import {
  findRunStart,
  listStartChoices,
  rememberRunStart,
  type StartChoice,
} from '@/components/ui/start-nodes/start-choices';
import { StartChoiceItems } from '@/components/ui/start-nodes/StartChoiceItems';

/** Runs a workflow without input, from the start node that is chosen if it has several, and opens the run. */
export function RunWorkflowButton({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC();
  const can = usePermissions();
  const router = useRouter();
  const queries = useQueryClient();
  const [starts, setStarts] = useState<readonly StartChoice[]>([]);
  const [isOpen, setOpen] = useState(false);
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: `${name} was not started`, message: apiErrorSentence(error) });
  const run = useMutation(
    trpc.workflows.execute.mutationOptions({
      onSuccess: ({ executionId }) => router.push(`/executions/${executionId}`),
      onError,
    }),
  );
  const runFrom = (startNodeId?: string) => run.mutate({ params: { id }, body: { input: {}, startNodeId } });
  // Lists have no definitions, so it is read when somebody runs the workflow.
  const start = useMutation({
    mutationFn: () => queries.fetchQuery(trpc.workflows.get.queryOptions({ params: { id } })),
    onSuccess: ({ definition }) => {
      const found = listStartChoices(definition);
      if (found.length < 2) return runFrom();
      setStarts(found);
      setOpen(true);
    },
    onError,
  });
  const button = (
    <ActionIcon
      size="lg"
      aria-label={`Run ${name}`}
      loading={run.isPending || start.isPending}
      onClick={() => (isOpen ? setOpen(false) : start.mutate())}
    >
      <IconPlayerPlay size={18} aria-hidden />
    </ActionIcon>
  );
  if (can('workflow:execute') === 'none') return <PermittedButton to="workflow:execute">{button}</PermittedButton>;
  if (starts.length === 0) return <LightTooltip label="Run">{button}</LightTooltip>;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <StartChoiceItems
          starts={starts}
          startNodeId={findRunStart(id, starts)?.id}
          onStart={(startNodeId) => {
            rememberRunStart(id, startNodeId);
            runFrom(startNodeId);
          }}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
