'use client';

import { ActionIcon, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft, IconArrowsDiff, IconPencil, IconTestPipe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ReactFlowProvider } from '@xyflow/react';
import { AppLink } from '@/components/ui/AppLink';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { isFinalStatus } from '@/contract/states';
import { parseAgentPartId } from '@/components/graph/agent-parts';
import { nodeTitle, nodeTitlesById } from '@/components/graph/summary';
import { AgentPartCallList } from './agent/AgentPartCallList';
import { RunAgentPartPanel } from './agent/RunAgentPartPanel';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { PageNotFoundState } from '@/components/ui/states/PageNotFoundState';
import { SidePanel } from '@/components/ui/page/SidePanel';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import classes from '@/components/ui/states/Workbench.module.css';
import { WorkbenchSkeleton } from '@/components/ui/states/WorkbenchSkeleton';
import { BarAction } from './BarAction';
import { CancelButton } from './CancelButton';
import { CenterOn } from './CenterOn';
import { indexNodeResults, type LiveRun } from './live';
import { findNestedNode } from './timeline/rounds';
import { ReplayBar } from './replay/ReplayBar';
import replayClasses from './replay/ReplayBar.module.css';
import { useRunReplay } from './replay/useRunReplay';
import { EmptyDataText } from './EmptyDataText';
import { RunCanvas } from './RunCanvas';
import { RunNodePanel } from './RunNodePanel';
import { RunPanel } from './RunPanel';
import { TimelineDock } from './timeline/TimelineDock';
import { TriggerLabel } from './list/TriggerLabel';
import { useExecution } from './useExecution';
import { useRunSelection } from './useRunSelection';

const RecordTest = lazyWithPreload(() => import('./RecordTest').then((module) => module.RecordTest));
const CompareRuns = lazyWithPreload(() => import('./compare/CompareRuns').then((module) => module.CompareRuns));

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
  const catalogue = useMemo(() => indexNodeTypes(types.data ?? []), [types.data]);
  const replay = useRunReplay(execution);
  const results = useMemo(() => indexNodeResults(replay.shown), [replay.shown]);
  const router = useRouter();
  // The list of runs opens the comparison of two runs that are selected there.
  const comparedId = useSearchParams().get('compare') ?? undefined;
  const [isComparing, comparing] = useDisclosure(comparedId !== undefined);
  const [isRecording, recording] = useDisclosure(false);
  const { selectedId, onCanvas, select, selectOnCanvas } = useRunSelection(execution);
  const show = (next: string) => router.push(`/executions/${next}`);

  const error = query.error ?? version.error ?? types.error;
  if (error && readApiError(error).code === 'NOT_FOUND') return <PageNotFoundState />;
  if (error)
    return <RequestErrorAlert title="The run can’t be shown" error={error} onRetry={() => void query.refetch()} />;
  if (!execution || !replay.shown || !version.data || !types.data) return <WorkbenchSkeleton />;

  const { definition, name } = version.data;
  const node = selectedId === undefined ? undefined : findNestedNode(definition, selectedId);
  const result = selectedId === undefined ? undefined : results.get(selectedId);
  const chosenPart = selectedId === undefined ? undefined : parseAgentPartId(selectedId);
  const agent = chosenPart && findNestedNode(definition, chosenPart.agentId);
  return (
    <div className={classes.page}>
      <RunHeaderBar
        execution={execution}
        name={name}
        isPanelHidden={selectedId !== undefined}
        onCompare={comparing.open}
        onRecord={recording.open}
      />
      <div className={classes.stage}>
        <div className={classes.column}>
          <div className={classes.canvas}>
            <ReactFlowProvider>
              <RunCanvas
                execution={replay.shown}
                definition={definition}
                catalogue={catalogue}
                selectedId={selectedId}
                onCanvas={onCanvas}
                onSelectInside={select}
                onSelect={selectOnCanvas}
              >
                <CenterOn nodeId={onCanvas} />
              </RunCanvas>
            </ReactFlowProvider>
          </div>
          <div className={replayClasses.strip}>
            <ReplayBar execution={execution} definition={definition} catalogue={catalogue} replay={replay} />
          </div>
          <TimelineDock
            execution={execution}
            definition={definition}
            catalogue={catalogue}
            selectedId={onCanvas}
            onSelect={select}
          />
        </div>
        {agent && chosenPart ? (
          <RunAgentPartPanel
            agent={agent}
            part={chosenPart.part}
            catalogue={catalogue}
            titles={nodeTitlesById(definition, catalogue)}
            agentTitle={nodeTitle(agent, catalogue.get(agent.type))}
            calls={
              <AgentPartCallList
                execution={replay.shown}
                place={chosenPart.agentId}
                agent={agent}
                part={chosenPart.part}
                onSelect={select}
              />
            }
            onSelectAgent={() => select(chosenPart.agentId)}
            onClose={() => select(undefined)}
          />
        ) : node && result ? (
          <RunNodePanel
            key={result.nodeId}
            node={node}
            result={result}
            execution={replay.shown}
            catalogue={catalogue}
            definition={definition}
            onSelect={select}
            onRerun={show}
            onClose={() => select(undefined)}
          />
        ) : node && replay.at !== undefined ? (
          <SidePanel label={nodeTitle(node, catalogue.get(node.type))} onClose={() => select(undefined)}>
            <EmptyDataText>It had not started at this moment of the run.</EmptyDataText>
          </SidePanel>
        ) : (
          <SidePanel label="Run">
            <RunPanel
              execution={execution}
              definition={definition}
              catalogue={catalogue}
              isInterrupted={isInterrupted}
              onSelect={select}
              onRerun={show}
            />
          </SidePanel>
        )}
      </div>
      {isRecording && <RecordTest execution={execution} onClose={recording.close} />}
      {isComparing && (
        <CompareRuns
          execution={execution}
          firstOtherId={comparedId}
          definition={definition}
          catalogue={catalogue}
          onClose={comparing.close}
        />
      )}
    </div>
  );
}

interface RunHeaderBarProps {
  execution: LiveRun;
  name: string;
  /** The panel of the run, which has its own cancel button, is not visible. */
  isPanelHidden: boolean;
  onCompare(): void;
  onRecord(): void;
}

function RunHeaderBar({ execution, name, isPanelHidden, onCompare, onRecord }: RunHeaderBarProps) {
  return (
    <header className={classes.bar}>
      <LightTooltip label="All runs">
        <ActionIcon component={AppLink} href="/executions" size="lg" aria-label="All runs">
          <IconArrowLeft size={19} aria-hidden />
        </ActionIcon>
      </LightTooltip>
      <div className={classes.title}>
        <Title order={1} fz={16} lineClamp={1}>
          {name}
        </Title>
        <Text size="xs" c="dimmed">
          <TriggerLabel run={execution} /> · version {execution.workflowVersion} · <TimeAgo at={execution.startedAt} />
        </Text>
      </div>
      {!isFinalStatus(execution.status) && isPanelHidden && <CancelButton executionId={execution.id} isInBar />}
      {isFinalStatus(execution.status) && execution.untilNodeId === null && execution.dataRemovedAt === undefined && (
        <PermittedButton to="workflow:update">
          <BarAction label="Record a test" icon={IconTestPipe} to={onRecord} />
        </PermittedButton>
      )}
      <BarAction label="Compare" icon={IconArrowsDiff} to={onCompare} />
      <BarAction
        label="Open in the editor"
        icon={IconPencil}
        to={`/workflows/${execution.workflowId}?run=${execution.id}`}
      />
    </header>
  );
}
