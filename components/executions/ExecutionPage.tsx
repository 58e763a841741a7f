'use client';

import { ActionIcon, Button, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState } from 'react';
import { isFinal } from '@/contract/states';
import { catalogueOf } from '../canvas/flow';
import { nodeTitle } from '../canvas/summary';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useNodeTypes } from '../client/useNodeTypes';
import { Permitted } from '../shell/Permitted';
import { FailureNote } from '../ui/FailureNote';
import { NotFound } from '../ui/NotFound';
import { SidePanel } from '../ui/SidePanel';
import { TimeAgo } from '../ui/TimeAgo';
import classes from '../ui/Workbench.module.css';
import { WorkbenchSkeleton } from '../ui/WorkbenchSkeleton';
import { resultsOf } from './live';
import { LogList } from './LogList';
import { NodeResultView } from './NodeResultView';
import { RunPanel } from './RunPanel';
import { TRIGGER_WORDS } from './trigger';
import { useExecution } from './useExecution';
import { useRerun } from './useRerun';
import { Hint } from '../ui/Hint';

/** A run on the canvas of the version that ran. */
export function ExecutionPage({ id }: { id: string }) {
  const trpc = useTRPC();
  const { query, execution, isInterrupted } = useExecution(id);
  const version = useQuery(
    trpc.versions.get.queryOptions(
      { params: { id: execution?.workflowId ?? '', version: String(execution?.workflowVersion) } },
      { enabled: execution !== undefined, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const types = useNodeTypes();
  const catalogue = useMemo(() => catalogueOf(types.data ?? []), [types.data]);
  const results = useMemo(() => resultsOf(execution), [execution]);
  const router = useRouter();
  const [chosenId, setChosenId] = useState<string | null>();
  // A failed run opens at what failed; whoever closes it sees the whole.
  const selectedId = (chosenId === undefined ? execution?.error?.nodeId : chosenId) ?? undefined;
  const selectedIds = useMemo(() => (selectedId === undefined ? [] : [selectedId]), [selectedId]);
  const setSelectedId = useCallback((next: string | undefined) => setChosenId(next ?? null), []);
  const select = useCallback((ids: readonly string[]) => {
    if (ids.length === 1) setChosenId(ids[0]);
  }, []);
  const rerun = useRerun((next) => router.push(`/executions/${next}`));

  const error = query.error ?? version.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error) return <FailureNote title="The run can’t be shown" error={error} onRetry={() => void query.refetch()} />;
  if (!execution || !version.data || !types.data) return <WorkbenchSkeleton />;

  const { definition, name } = version.data;
  const node = definition.nodes.find((candidate) => candidate.id === selectedId);
  const result = selectedId === undefined ? undefined : results.get(selectedId);
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <Hint label="All executions">
          <ActionIcon component={Link} href="/executions" size="lg" aria-label="All executions">
            <IconArrowLeft size={19} aria-hidden />
          </ActionIcon>
        </Hint>
        <div className={classes.title}>
          <Title order={1} fz={16} lineClamp={1}>
            {name}
          </Title>
          <Text size="xs" c="dimmed">
            {TRIGGER_WORDS[execution.trigger]} · version {execution.workflowVersion} ·{' '}
            <TimeAgo at={execution.startedAt} />
          </Text>
        </div>
        <Hint label="Open the workflow">
          <ActionIcon
            component={Link}
            href={`/workflows/${execution.workflowId}`}
            size="lg"
            aria-label="Open the workflow"
          >
            <IconPencil size={19} aria-hidden />
          </ActionIcon>
        </Hint>
      </header>
      <div className={classes.stage}>
        <div className={classes.canvas}>
          <ReactFlowProvider>
            <WorkflowCanvas
              definition={definition}
              catalogue={catalogue}
              results={results}
              selectedIds={selectedIds}
              onSelect={select}
            />
          </ReactFlowProvider>
        </div>
        {node && result ? (
          <SidePanel label={nodeTitle(node, catalogue.get(node.type))} onClose={() => setSelectedId(undefined)}>
            <NodeResultView result={result} />
            {isFinal(execution.status) && (
              <Permitted to="execution:rerun">
                <Button
                  mt="md"
                  variant="default"
                  leftSection={<IconRepeat size={16} aria-hidden />}
                  loading={rerun.isPending}
                  onClick={() => rerun.mutate({ params: { id: execution.id }, body: { fromNodeId: node.id } })}
                >
                  Run again from here
                </Button>
              </Permitted>
            )}
            <Title order={3} fz={14} mt="lg" mb="xs">
              Logs
            </Title>
            <LogList execution={execution} nodeId={node.id} />
          </SidePanel>
        ) : (
          <SidePanel label="Run">
            <RunPanel
              execution={execution}
              definition={definition}
              catalogue={catalogue}
              isInterrupted={isInterrupted}
              onSelect={setSelectedId}
              onRerun={(next) => router.push(`/executions/${next}`)}
            />
          </SidePanel>
        )}
      </div>
    </div>
  );
}
