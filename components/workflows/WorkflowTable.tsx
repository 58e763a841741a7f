import { ActionIcon, Table, Text, Tooltip } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import Link from 'next/link';
import type { WorkflowSummary } from '@/contract/workflow';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import classes from '../ui/Table.module.css';
import { TimeAgo } from '../ui/TimeAgo';
import { RunFromList } from './RunFromList';

export function WorkflowTable({ workflows }: { workflows: WorkflowSummary[] }) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={110}>Status</Table.Th>
            <Table.Th w={150} visibleFrom="sm">
              Updated
            </Table.Th>
            <Table.Th w={104}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflows.map(({ id, name, description, status, updatedAt }) => (
            <Table.Tr key={id} className={classes.row}>
              <Table.Td>
                <Link href={`/workflows/${id}`} className={classes.link}>
                  {name}
                </Link>
                {description && (
                  <Text size="xs" c="dimmed" lineClamp={1}>
                    {description}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <StatusBadge look={WORKFLOW_LOOK[status]} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <TimeAgo at={updatedAt} />
              </Table.Td>
              <Table.Td>
                <div className={classes.actions}>
                  <RunFromList id={id} name={name} />
                  <Tooltip label="Open">
                    <ActionIcon component={Link} href={`/workflows/${id}`} tabIndex={-1} aria-hidden size="lg">
                      <IconChevronRight size={18} />
                    </ActionIcon>
                  </Tooltip>
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
