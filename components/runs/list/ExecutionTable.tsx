import { Badge, Checkbox, Group, Table, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import type { ExecutionSummary } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { RunningDuration } from '@/components/ui/values/RunningDuration';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { AnnotationMarks } from '../annotation/AnnotationMarks';
import { TriggerLabel } from './TriggerLabel';

interface Props {
  executions: ExecutionSummary[];
  chosen: ReadonlySet<string>;
  onChoose(ids: ReadonlySet<string>): void;
}

export function ExecutionTable({ executions, chosen, onChoose }: Props) {
  const ids = executions.map(({ id }) => id);
  const isAll = ids.every((id) => chosen.has(id));
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
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
            <Table.Th visibleFrom="md" w={110}>
              Duration
            </Table.Th>
            <Table.Th visibleFrom="sm" w={130}>
              Started
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {executions.map((execution) => (
            <Table.Tr key={execution.id} className={classes.row}>
              <Table.Td className={classes.above}>
                <Checkbox
                  size="xs"
                  aria-label={`Select the run of ${execution.workflowName}`}
                  checked={chosen.has(execution.id)}
                  onChange={() => toggle(execution.id)}
                />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <StatusBadge look={RUN_STATUS_STYLE[execution.status]} />
              </Table.Td>
              <Table.Td>
                <AppLink href={`/executions/${execution.id}`} className={classes.link}>
                  {execution.workflowName}
                </AppLink>
                {execution.untilNodeId !== null && (
                  <PartialRunBadge node={execution.untilNodeName ?? execution.untilNodeId} />
                )}
                {execution.annotation && <AnnotationMarks annotation={execution.annotation} />}
                <Group hiddenFrom="sm" gap={8} mt={4}>
                  <StatusBadge look={RUN_STATUS_STYLE[execution.status]} size="sm" />
                  <Text size="xs" c="dimmed">
                    <TimeAgo at={execution.startedAt} /> · <TriggerLabel run={execution} /> · version{' '}
                    {execution.workflowVersion}
                  </Text>
                </Group>
                {execution.error && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {execution.error.message}
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
          ))}
        </Table.Tbody>
      </Table>
    </div>
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
