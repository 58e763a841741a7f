import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconHistory, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExecutionReplay, WorkflowTestResponse } from '@/contract/workflows/workflow-test';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { resultNodeTitle } from '@/components/runs/timeline/rounds';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { useDraft } from '../draft/draft';
import { ReplayResults } from './ReplayResults';
import { WorkflowTestForm } from './WorkflowTestForm';
import { WorkflowTestRow } from './WorkflowTestRow';

const ALL_TESTS_QUERY = { limit: '100' };

interface Props {
  catalogue: NodeTypesByName;
  /** Saves first: tests run on the last saved version. */
  onSave(): Promise<boolean>;
  onShowNode(id: string): void;
  onClose(): void;
}

/** Runs tests one after the other, and replays recorded runs. `onSave` as in the props of the dialog. */
function useTestRuns(workflowId: string, onSave: Props['onSave']) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [runningId, setRunningId] = useState<string>();
  const [replays, setReplays] = useState<ExecutionReplay[]>();
  const tell = (title: string) => (error: unknown) =>
    notifications.show({ color: 'madder', title, message: apiErrorSentence(error) });
  const run = useMutation(trpc.workflowTests.run.mutationOptions());
  const runAll = useMutation({
    mutationFn: async (chosen: WorkflowTestResponse[]) => {
      if (!(await onSave())) return;
      for (const test of chosen) {
        setRunningId(test.id);
        await run.mutateAsync({ params: { id: workflowId, testId: test.id }, body: {} });
        await queryClient.invalidateQueries({ queryKey: trpc.workflowTests.list.queryKey() });
      }
    },
    onError: tell('The test could not be run'),
    onSettled: () => setRunningId(undefined),
  });
  const replay = useMutation({
    ...trpc.workflowTests.replay.mutationOptions(),
    onSuccess: ({ data }) => setReplays(data),
    onError: tell('The runs could not be replayed'),
  });
  return {
    run: runAll.mutate,
    isRunning: runAll.isPending,
    runningId,
    replay: () => replay.mutate({ params: { id: workflowId }, body: {} }),
    isReplaying: replay.isPending,
    replays,
  };
}

/** The tests of the workflow: their last results, running them, and replays of recorded runs. */
export function WorkflowTestsDialog({ catalogue, onSave, onShowNode, onClose }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const version = useDraft((draft) => draft.saved.version);
  const definition = useDraft((draft) => draft.definition);
  const nameOf = (nodeId: string) => resultNodeTitle(definition, catalogue, nodeId);
  const [edited, setEdited] = useState<WorkflowTestResponse | 'new'>();
  const listOptions = trpc.workflowTests.list.queryOptions(
    { params: { id }, query: ALL_TESTS_QUERY },
    { staleTime: 0 },
  );
  const tests = useQuery(listOptions);
  const runs = useTestRuns(id, onSave);
  const list = tests.data?.data ?? [];
  const show = (nodeId: string) => {
    onClose();
    onShowNode(nodeId);
  };

  if (edited)
    return (
      <WorkflowTestForm
        workflowId={id}
        test={edited === 'new' ? undefined : edited}
        onClose={() => setEdited(undefined)}
      />
    );
  return (
    <Modal opened onClose={onClose} title="Tests" size="xl">
      <Stack>
        <Text size="sm" c="dimmed">
          A test runs the workflow with an input and compares the run with what is expected. It makes no outside calls:
          such nodes return the outputs that the test has for them.
        </Text>
        {tests.error && (
          <RequestErrorAlert
            title="The tests can’t be shown"
            error={tests.error}
            onRetry={() => void tests.refetch()}
          />
        )}
        {tests.isPending && <PanelSkeleton />}
        {tests.data && list.length === 0 && (
          <Text size="sm">
            There are no tests yet. Open a run and choose <b>Record a test</b>, or write one.
          </Text>
        )}
        {list.length > 0 && (
          <Stack gap={0} component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label="Tests">
            {list.map((test) => (
              <WorkflowTestRow
                key={test.id}
                test={test}
                version={version}
                isRunning={runs.runningId === test.id}
                nameOf={nameOf}
                onRun={() => runs.run([test])}
                onEdit={() => setEdited(test)}
                onShowNode={show}
              />
            ))}
          </Stack>
        )}
        {runs.replays && <ReplayResults replays={runs.replays} nameOf={nameOf} onShowNode={show} />}
        <TestActions list={list} runs={runs} onNew={() => setEdited('new')} />
      </Stack>
    </Modal>
  );
}

interface TestActionsProps {
  list: WorkflowTestResponse[];
  runs: ReturnType<typeof useTestRuns>;
  onNew(): void;
}

function TestActions({ list, runs, onNew }: TestActionsProps) {
  const failed = list.filter(({ lastResult }) => lastResult?.status === 'failed').length;
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <PermittedButton to="workflow:update">
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
            New test
          </Button>
        </PermittedButton>
        <PermittedButton to="workflow:execute">
          <Button
            variant="default"
            leftSection={<IconHistory size={16} aria-hidden />}
            loading={runs.isReplaying}
            onClick={runs.replay}
          >
            Replay recent runs
          </Button>
        </PermittedButton>
      </Group>
      <Group gap="xs">
        {list.length > 0 && (
          <Text size="sm" c={failed > 0 ? 'var(--weft-failed)' : 'dimmed'} role="status">
            {testCountsText(list, failed)}
          </Text>
        )}
        <PermittedButton to="workflow:execute">
          <Button
            leftSection={runs.isRunning ? <Loader size={14} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
            disabled={list.length === 0 || runs.isRunning}
            onClick={() => runs.run(list)}
          >
            Run all
          </Button>
        </PermittedButton>
      </Group>
    </Group>
  );
}

function testCountsText(tests: WorkflowTestResponse[], failed: number): string {
  const passed = tests.filter(({ lastResult }) => lastResult?.status === 'passed').length;
  return `${passed} passed, ${failed} failed`;
}
