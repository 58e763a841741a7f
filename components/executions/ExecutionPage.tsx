'use client';

import { ActionIcon, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconArrowsDiff, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState } from 'react';
import { isFinal } from '@/contract/states';
import { catalogueOf } from '../canvas/flow';
import { WorkflowCanvas } from '../canvas/WorkflowCanvas';
import { later } from '../client/later';
import { problemOf } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useNodeTypes } from '../client/useNodeTypes';
import { Hint } from '../ui/Hint';
import { FailureNote } from '../ui/FailureNote';
import { NotFound } from '../ui/NotFound';
import { SidePanel } from '../ui/SidePanel';
import { TimeAgo } from '../ui/TimeAgo';
import classes from '../ui/Workbench.module.css';
import { WorkbenchSkeleton } from '../ui/WorkbenchSkeleton';
import { BarAction } from './BarAction';
import { CancelButton } from './CancelButton';
import { CenterOn } from './CenterOn';
import { inOrder, resultsOf } from './live';
import { nodeAt, outermost, outerResults } from './rounds';
import { RunNodePanel } from './RunNodePanel';
import { RunPanel } from './RunPanel';
import { TimelineDock } from './TimelineDock';
import { TRIGGER_WORDS } from './trigger';
import { useExecution } from './useExecution';
import { useStepKeys } from './useStepKeys';

const CompareRuns = later(() => import('./CompareRuns').then((part) => part.CompareRuns));

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
  const [isComparing, comparing] = useDisclosure(false);
  // A failed run opens at what failed; whoever closes it sees the whole.
  const selectedId = (chosenId === undefined ? execution?.error?.nodeId : chosenId) ?? undefined;
  const onCanvas = selectedId === undefined ? undefined : outermost(selectedId);
  const selectedIds = useMemo(() => (onCanvas === undefined ? [] : [onCanvas]), [onCanvas]);
  const setSelectedId = useCallback((next: string | undefined) => setChosenId(next ?? null), []);
  const select = useCallback((ids: readonly string[]) => {
    const [only] = ids.length === 1 ? ids : [];
    // What is chosen inside a loop stays so when the canvas answers with the loop.
    if (only !== undefined) setChosenId((before) => (before && outermost(before) === only ? before : only));
  }, []);
  const steps = useMemo(() => inOrder(outerResults(execution?.nodeResults ?? [])), [execution]);
  useStepKeys(
    steps.filter(({ status }) => status !== 'skipped').map(({ nodeId }) => nodeId),
    onCanvas,
    setSelectedId,
  );
  const show = (next: string) => router.push(`/executions/${next}`);

  const error = query.error ?? version.error ?? types.error;
  if (error && problemOf(error).code === 'NOT_FOUND') return <NotFound />;
  if (error) return <FailureNote title="The run can’t be shown" error={error} onRetry={() => void query.refetch()} />;
  if (!execution || !version.data || !types.data) return <WorkbenchSkeleton />;

  const { definition, name } = version.data;
  const node = selectedId === undefined ? undefined : nodeAt(definition, selectedId);
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
        {!isFinal(execution.status) && selectedId !== undefined && <CancelButton executionId={id} isInBar />}
        <BarAction label="Compare" icon={IconArrowsDiff} to={comparing.open} />
        <BarAction
          label="Open in the editor"
          icon={IconPencil}
          to={`/workflows/${execution.workflowId}?run=${execution.id}`}
        />
      </header>
      <div className={classes.stage}>
        <div className={classes.column}>
          <div className={classes.canvas}>
            <ReactFlowProvider>
              <WorkflowCanvas
                definition={definition}
                catalogue={catalogue}
                results={results}
                selectedIds={selectedIds}
                onSelect={select}
              >
                <CenterOn nodeId={onCanvas} />
              </WorkflowCanvas>
            </ReactFlowProvider>
          </div>
          <TimelineDock
            execution={execution}
            definition={definition}
            catalogue={catalogue}
            selectedId={onCanvas}
            onSelect={setSelectedId}
          />
        </div>
        {node && result ? (
          <RunNodePanel
            key={result.nodeId}
            node={node}
            result={result}
            execution={execution}
            catalogue={catalogue}
            onRerun={show}
            onClose={() => setSelectedId(undefined)}
          />
        ) : (
          <SidePanel label="Run">
            <RunPanel
              execution={execution}
              definition={definition}
              catalogue={catalogue}
              isInterrupted={isInterrupted}
              onSelect={setSelectedId}
              onRerun={show}
            />
          </SidePanel>
        )}
      </div>
      {isComparing && (
        <CompareRuns execution={execution} definition={definition} catalogue={catalogue} onClose={comparing.close} />
      )}
    </div>
  );
}
