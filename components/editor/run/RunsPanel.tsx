import { Anchor, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { useTRPC } from '@/components/client/trpc';
import { triggerWord } from '@/components/executions/list/trigger';
import { Link } from '@/components/ui/Link';
import { Listing } from '@/components/ui/lists/Listing';
import { RUN_LOOK } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { Duration } from '@/components/ui/values/Duration';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useDraft } from '../draft/draft';
import classes from './RunsPanel.module.css';

const MOST = 30;
const LIVE_MS = 5000;

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
      { query: { workflowId, limit: String(MOST) } },
      { refetchInterval: LIVE_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <Stack gap="sm">
      <Listing
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
                <Row run={run} isShown={run.id === shownId} onShow={() => onRun(run.id)} />
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Anchor component={Link} href={`/executions?workflow=${workflowId}`} size="sm">
        All runs, with search and filters
      </Anchor>
    </Stack>
  );
}

interface RowProps {
  run: ExecutionSummary;
  isShown: boolean;
  onShow(): void;
}

function Row({ run, isShown, onShow }: RowProps) {
  return (
    <UnstyledButton className={classes.row} aria-current={isShown || undefined} onClick={onShow}>
      <span className={classes.head}>
        <StatusBadge look={RUN_LOOK[run.status]} size="sm" />
        <TimeAgo at={run.startedAt} />
        <span className={classes.duration}>
          <Duration {...run} isTicking={!isFinal(run.status)} />
        </span>
      </span>
      <span className={classes.about}>
        {triggerWord(run)} · version {run.workflowVersion}
        {run.untilNodeId !== null && ` · up to ${run.untilNodeName ?? run.untilNodeId}`}
        {run.error && ` · ${run.error.message}`}
      </span>
    </UnstyledButton>
  );
}
