import { Table, Text } from '@mantine/core';
import { Link } from '@/components/ui/Link';
import type { Stats } from '@/contract/stats';
import classes from '@/components/ui/lists/Table.module.css';
import { duration } from '@/components/ui/values/time';

const durationText = (ms: number | null) => (ms === null ? '–' : duration(ms));

/** Runs, failures and durations of each workflow, those that fail most first. */
export function WorkflowFigures({ workflows }: { workflows: Stats['workflows'] }) {
  return (
    <Table.ScrollContainer minWidth={520} className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Workflow</Table.Th>
            <Table.Th ta="right">Done</Table.Th>
            <Table.Th ta="right">Failed</Table.Th>
            <Table.Th ta="right">Median</Table.Th>
            <Table.Th ta="right">95th percentile</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflows.map(({ workflowId, name, completed, failed, p50Ms, p95Ms }) => (
            <Table.Tr key={workflowId} className={classes.row}>
              <Table.Td>
                <Link href={`/workflows/${workflowId}`} className={classes.link}>
                  {name}
                </Link>
              </Table.Td>
              <Table.Td ta="right">{completed.toLocaleString('en')}</Table.Td>
              <Table.Td ta="right">
                <Text fz="inherit" c={failed > 0 ? 'var(--weft-failed)' : undefined} fw={failed > 0 ? 600 : undefined}>
                  {failed.toLocaleString('en')}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{durationText(p50Ms)}</Table.Td>
              <Table.Td ta="right">{durationText(p95Ms)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
