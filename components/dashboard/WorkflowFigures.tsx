import { Table, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import type { ExecutionStats } from '@/contract/stats';
import classes from '@/components/ui/lists/Table.module.css';
import { formatDuration } from '@/components/ui/values/time-format';

const optionalDuration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

/** Runs, failures and durations of each workflow, those that fail most first. */
export function WorkflowFigures({ workflows }: { workflows: ExecutionStats['workflows'] }) {
  return (
    <Table.ScrollContainer minWidth={520} className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Workflow</Table.Th>
            <Table.Th ta="right">Done</Table.Th>
            <Table.Th ta="right">Failed</Table.Th>
            <Table.Th ta="right">Median</Table.Th>
            <Table.Th ta="right">95 % of runs within</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflows.map(({ workflowId, name, completed, failed, p50Ms, p95Ms }) => (
            <Table.Tr key={workflowId} className={classes.row}>
              <Table.Td>
                <AppLink href={`/workflows/${workflowId}`} className={classes.link}>
                  {name}
                </AppLink>
              </Table.Td>
              <Table.Td ta="right">{completed.toLocaleString('en')}</Table.Td>
              <Table.Td ta="right">
                <Text fz="inherit" c={failed > 0 ? 'var(--weft-failed)' : undefined} fw={failed > 0 ? 600 : undefined}>
                  {failed.toLocaleString('en')}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{optionalDuration(p50Ms)}</Table.Td>
              <Table.Td ta="right">{optionalDuration(p95Ms)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
