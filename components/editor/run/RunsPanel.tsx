import { Anchor, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { useTRPC } from '@/components/client/trpc';
import { runTriggerLabel } from '@/components/runs/list/trigger';
import { AppLink } from '@/components/ui/AppLink';
import { QueryList } from '@/components/ui/lists/QueryList';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useDraft } from '../draft/draft';
import classes from './RunsPanel.module.css';

const MAX_LISTED_RUNS = 30;
const RUN_LIST_REFRESH_MS = 5000;

interface Props {
  /** The run on the canvas. */
  shownId: string | undefined;
  /** Shows a run on the canvas. */
  onRun(executionId: string): void;
}

/** The latest runs of the workflow. */
export function RunsPanel({ shownId, onRun }: Props) {
  const trpc = useTRPC();
  const workflowId = useDraft((draft) => draft.saved.id);
  const runs = useQuery(
    trpc.executions.list.queryOptions(
      { query: { workflowId, limit: String(MAX_LISTED_RUNS) } },
      { refetchInterval: RUN_LIST_REFRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <Stack gap="sm">
      <QueryList
        of="runs"
        query={runs}
        empty={
          <Text size="sm" c="dimmed">
            This workflow has not run yet.
          </Text>
        }
      >
        {(list) => (
          <ul className={classes.list}>
            {list.map((run) => (
              <li key={run.id}>
                <WorkflowRunRow run={run} isShown={run.id === shownId} onShow={() => onRun(run.id)} />
              </li>
            ))}
          </ul>
        )}
      </QueryList>
      <Anchor component={AppLink} href={`/executions?workflow=${workflowId}`} size="sm">
        All runs, with search and filters
      </Anchor>
    </Stack>
  );
}

interface RunRowProps {
  run: ExecutionSummary;
  isShown: boolean;
  onShow(): void;
}

function WorkflowRunRow({ run, isShown, onShow }: RunRowProps) {
  return (
    <UnstyledButton className={classes.row} aria-current={isShown || undefined} onClick={onShow}>
      <span className={classes.head}>
        <StatusBadge look={RUN_STATUS_STYLE[run.status]} size="sm" />
        <TimeAgo at={run.startedAt} />
        <span className={classes.duration}>
          <RunningDuration {...run} isTicking={!isFinalStatus(run.status)} />
        </span>
      </span>
      <span className={classes.about}>
        {runTriggerLabel(run)} · version {run.workflowVersion}
        {run.untilNodeId !== null && ` · up to ${run.untilNodeName ?? run.untilNodeId}`}
        {run.error && ` · ${run.error.message}`}
      </span>
    </UnstyledButton>
  );
}
