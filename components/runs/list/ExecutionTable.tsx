import { Anchor, Badge, Checkbox, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { RunListSort } from '@/contract/list-sort';
import { AppLink } from '@/components/ui/AppLink';
import { usePermissions } from '@/components/client/usePermissions';
import { SortableHeader } from '@/components/ui/lists/SortableHeader';
import type { ExecutionSummary } from '@/contract/execution';
import { describeFailure } from '@/contract/failures/failures';
import { isFinalStatus } from '@/contract/states';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { AnnotationMarks } from '../annotation/AnnotationMarks';
import { isRunGroup, type RunGroup, type RunListRow } from './run-groups';
import { RunGroupRow } from './RunGroupRow';
import { TriggerLabel } from './TriggerLabel';

interface Props {
  rows: RunListRow[];
  sort: RunListSort;
  onSort(sort: RunListSort): void;
  chosen: ReadonlySet<string>;
  onChoose(ids: ReadonlySet<string>): void;
}

export function ExecutionTable({ rows, sort, chosen, onSort, onChoose }: Props) {
  const ids = rows.flatMap((row) => (isRunGroup(row) ? row.runs.map(({ id }) => id) : row.id));
  /** Runs whose groups are open. A group stays open while one of its runs is still in it. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const isOpened = ({ runs }: RunGroup) => runs.some(({ id }) => opened.has(id));
  const isAll = ids.every((id) => chosen.has(id));
  const choose = (some: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of some)
      if (isChosen) next.add(id);
      else next.delete(id);
    onChoose(next);
  };
  const toggleGroup = (group: RunGroup) => {
    const next = new Set(opened);
    for (const { id } of group.runs)
      if (isOpened(group)) next.delete(id);
      else next.add(id);
    setOpened(next);
  };
  const rowOf = (execution: ExecutionSummary, isInGroup = false) => (
    <ExecutionRow
      key={execution.id}
      execution={execution}
      isInGroup={isInGroup}
      isChosen={chosen.has(execution.id)}
      onChoose={(isChosen) => choose([execution.id], isChosen)}
    />
  );
  return (
    <div className={classes.frame}>
      <Table className={classes.table} layout="fixed" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44}>
              <Checkbox
                size="xs"
                aria-label="Select all on this page"
                checked={isAll}
                indeterminate={!isAll && ids.some((id) => chosen.has(id))}
                onChange={(event) => onChoose(new Set(event.currentTarget.checked ? ids : []))}
              />
            </Table.Th>
            <Table.Th visibleFrom="sm" w={120}>
              Status
            </Table.Th>
            <Table.Th>Workflow</Table.Th>
            <Table.Th visibleFrom="lg" w={84}>
              Version
            </Table.Th>
            <Table.Th visibleFrom="sm" w={130}>
              Trigger
            </Table.Th>
            <Table.Th visibleFrom="md" w={130}>
              Duration
            </Table.Th>
            <SortableHeader visibleFrom="sm" w={150} label="Started" first="-createdAt" sort={sort} onSort={onSort} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.flatMap((row) =>
            isRunGroup(row)
              ? [
                  <RunGroupRow
                    key={row.key}
                    group={row}
                    isOpened={isOpened(row)}
                    chosenCount={row.runs.filter(({ id }) => chosen.has(id)).length}
                    onToggle={() => toggleGroup(row)}
                    onChoose={(isChosen) =>
                      choose(
                        row.runs.map(({ id }) => id),
                        isChosen,
                      )
                    }
                  />,
                  ...(isOpened(row) ? row.runs.map((run) => rowOf(run, true)) : []),
                ]
              : [rowOf(row)],
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface ExecutionRowProps {
  execution: ExecutionSummary;
  /** It stands below the row of its group. */
  isInGroup: boolean;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

function ExecutionRow({ execution, isInGroup, isChosen, onChoose }: ExecutionRowProps) {
  const can = usePermissions();
  return (
    <Table.Tr className={classes.row} data-nested={isInGroup || undefined}>
      <Table.Td className={classes.above}>
        <Checkbox
          size="xs"
          aria-label={`Select the run of ${execution.workflowName}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StatusBadge look={RUN_STATUS_STYLE[execution.status]} />
      </Table.Td>
      <Table.Td>
        <AppLink href={`/executions/${execution.id}`} className={classes.link}>
          {execution.workflowName}
        </AppLink>
        {execution.status === 'paused' && can('execution:resume') !== 'none' && (
          <Anchor component={AppLink} href={`/executions/${execution.id}`} size="xs">
            Decide
          </Anchor>
        )}
        {execution.untilNodeId !== null && <PartialRunBadge node={execution.untilNodeName ?? execution.untilNodeId} />}
        {execution.annotation && <AnnotationMarks annotation={execution.annotation} />}
        <Group hiddenFrom="sm" gap={8} mt={4}>
          <StatusBadge look={RUN_STATUS_STYLE[execution.status]} size="sm" />
          <Text size="xs" c="dimmed">
            <TimeAgo at={execution.startedAt} /> · <TriggerLabel run={execution} /> · version{' '}
            {execution.workflowVersion}
          </Text>
        </Group>
        {execution.error && (
          <Text size="xs" c="dimmed" lineClamp={1} title={execution.error.message}>
            {describeFailure(execution.error.code, execution.error.parameters).title} – {execution.error.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="lg">{execution.workflowVersion}</Table.Td>
      <Table.Td visibleFrom="sm">
        <TriggerLabel run={execution} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <RunningDuration {...execution} isTicking={!isFinalStatus(execution.status)} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <TimeAgo at={execution.startedAt} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Tells a test of some nodes from a run of the whole workflow. */
function PartialRunBadge({ node }: { node: string }) {
  return (
    <Group gap={6} mt={2} wrap="nowrap">
      <Badge size="sm" variant="outline" color="gray" tt="none" fw={500} flex="none">
        Partial run
      </Badge>
      <Text size="xs" c="dimmed" truncate>
        up to {node}
      </Text>
    </Group>
  );
}
