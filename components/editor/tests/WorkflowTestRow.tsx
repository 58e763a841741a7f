import { ActionIcon, Anchor, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconCheck, IconMinus, IconPencil, IconPlayerPlay, IconTrash, IconX } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import type { ExpectationFailure, WorkflowTestResponse } from '@/contract/workflows/workflow-test';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import classes from './Tests.module.css';

interface Props {
  test: WorkflowTestResponse;
  /** The last saved version. */
  version: number;
  isRunning: boolean;
  /** The title of the node of a result on the canvas. */
  nameOf(id: string): string;
  onRun(): void;
  onEdit(): void;
  onShowNode(id: string): void;
}

/** A test with its last result: what differs is listed below it. */
export function WorkflowTestRow({ test, version, isRunning, nameOf, onRun, onEdit, onShowNode }: Props) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id, workflowId, name, lastResult } = test;
  const remove = useMutation(
    trpc.workflowTests.delete.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.workflowTests.list.queryKey() }),
    }),
  );
  return (
    <li className={classes.row}>
      <Group gap="sm" wrap="nowrap" justify="space-between">
        <Group gap="sm" wrap="nowrap" miw={0}>
          {isRunning ? <Loader size={16} aria-label="Running" /> : <TestStatusIcon test={test} />}
          <Stack gap={0} miw={0}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {lastResult ? (
                <>
                  Version {lastResult.version}
                  {lastResult.version === version ? '' : `, not yet run on version ${version}`} ·{' '}
                  <Anchor component={AppLink} href={`/executions/${lastResult.executionId}`} size="xs">
                    Show the run
                  </Anchor>
                </>
              ) : (
                'Not run yet'
              )}
            </Text>
          </Stack>
        </Group>
        <Group gap={4} wrap="nowrap">
          <PermittedButton to="workflow:execute">
            <ActionIcon variant="subtle" title="Run" aria-label={`Run ${name}`} disabled={isRunning} onClick={onRun}>
              <IconPlayerPlay size={16} aria-hidden />
            </ActionIcon>
          </PermittedButton>
          <PermittedButton to="workflow:update">
            <ActionIcon variant="subtle" title="Edit" aria-label={`Edit ${name}`} onClick={onEdit}>
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </PermittedButton>
          <PermittedButton to="workflow:update">
            <ActionIcon
              variant="subtle"
              title="Delete"
              aria-label={`Delete ${name}`}
              loading={remove.isPending}
              onClick={() => remove.mutate({ params: { id: workflowId, testId: id } })}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </PermittedButton>
        </Group>
      </Group>
      {lastResult?.failures.map((failure, index) => (
        <TestFailureDetails key={index} failure={failure} nameOf={nameOf} onShowNode={onShowNode} />
      ))}
    </li>
  );
}

function TestStatusIcon({ test: { lastResult } }: { test: WorkflowTestResponse }) {
  if (lastResult?.status === 'passed') return <IconCheck size={18} color="var(--weft-done)" aria-label="Passed" />;
  if (lastResult?.status === 'failed') return <IconX size={18} color="var(--weft-failed)" aria-label="Failed" />;
  return <IconMinus size={18} color="var(--weft-muted)" aria-label="No result" />;
}

const comparedValueText = (value: unknown) =>
  value === undefined ? 'nothing' : JSON.stringify(value, null, 1).slice(0, 2000);

function TestFailureDetails({
  failure,
  nameOf,
  onShowNode,
}: Pick<Props, 'nameOf' | 'onShowNode'> & { failure: ExpectationFailure }) {
  const { nodeId, message, expected, actual } = failure;
  return (
    <div className={classes.failure}>
      <Text size="sm">
        {nodeId !== null && (
          <Anchor component="button" size="sm" title={nodeId} onClick={() => onShowNode(nodeId.replace(/\[.*$/, ''))}>
            {nameOf(nodeId)}
          </Anchor>
        )}{' '}
        {message}
      </Text>
      <div className={classes.sides}>
        <Text size="xs" c="dimmed">
          Expected
        </Text>
        <Code block>{comparedValueText(expected)}</Code>
        <Text size="xs" c="dimmed">
          Actual
        </Text>
        <Code block>{comparedValueText(actual)}</Code>
      </div>
    </div>
  );
}
