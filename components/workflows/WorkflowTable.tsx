import { Group, Table, Text } from '@mantine/core';
import Link from 'next/link';
import type { WorkflowListed } from '@/contract/workflow';
import { WORKFLOW_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';
import classes from '../ui/Table.module.css';
import { TimeAgo } from '../ui/TimeAgo';
import { LastRun } from './LastRun';
import { RunFromList } from './RunFromList';
import { StatusSwitch } from './StatusSwitch';
import { WorkflowMenu } from './WorkflowMenu';

export function WorkflowTable({ workflows }: { workflows: WorkflowListed[] }) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={{ base: 104, sm: 168 }}>Status</Table.Th>
            <Table.Th w={220} visibleFrom="sm">
              Last run
            </Table.Th>
            <Table.Th w={150} visibleFrom="sm">
              Updated
            </Table.Th>
            <Table.Th w={104}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflows.map((workflow) => (
            <WorkflowRow key={workflow.id} workflow={workflow} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function WorkflowRow({ workflow }: { workflow: WorkflowListed }) {
  const { id, name, description, status, updatedAt, draftVersion } = workflow;
  return (
    <Table.Tr className={classes.row}>
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
        <Group gap={8} wrap="nowrap">
          <span className={classes.wide}>
            <StatusSwitch workflow={workflow} />
          </span>
          <StatusBadge look={WORKFLOW_LOOK[status]} />
        </Group>
        {draftVersion !== null && (
          <Text size="xs" c="var(--weft-waiting)" mt={4} visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
            Changes not published
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastRun run={workflow.lastExecution} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <TimeAgo at={updatedAt} />
      </Table.Td>
      <Table.Td>
        <div className={classes.actions}>
          <RunFromList id={id} name={name} />
          <WorkflowMenu workflow={workflow} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}
