import { Table, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHandStop } from '@tabler/icons-react';
import type { AuditEntry } from '@/contract/audit';
import type { AuditResult } from '@/contract/access/security';
import type { Look } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { usePeople } from '../members/usePeople';

export const RESULT_LOOK: Record<AuditResult, Look> = {
  success: { label: 'Success', icon: IconCheck, tone: 'done' },
  failure: { label: 'Failure', icon: IconAlertTriangle, tone: 'failed' },
  denied: { label: 'Denied', icon: IconHandStop, tone: 'waiting' },
};

/** The actor: the email of a user, otherwise its id or kind. */
export const actorOf = ({ actor }: AuditEntry): string => actor.email ?? actor.id ?? actor.type;

export function AuditTable({ entries, onOpen }: { entries: AuditEntry[]; onOpen(entry: AuditEntry): void }) {
  const people = usePeople();
  const nameOf = (id: string | null) => people.find(({ value }) => value === id)?.name;
  return (
    <Table.ScrollContainer minWidth={560} className={classes.frame}>
      <Table className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>Actor</Table.Th>
            <Table.Th w={110}>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.id} className={classes.row}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <TimeAgo at={entry.timestamp} />
              </Table.Td>
              <Table.Td>
                <UnstyledButton className={classes.link} onClick={() => onOpen(entry)}>
                  {entry.action}
                </UnstyledButton>
                {entry.resource.id && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {entry.resource.type} {entry.resource.id}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {entry.actor.email ?? nameOf(entry.actor.id) ?? actorOf(entry)}
              </Table.Td>
              <Table.Td>
                <StatusBadge look={RESULT_LOOK[entry.result]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
