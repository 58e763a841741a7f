import { Anchor, Table, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHandStop } from '@tabler/icons-react';
import { Link } from '@/components/ui/Link';
import type { AuditLine } from '@/contract/audit';
import type { AuditResult } from '@/contract/access/security';
import type { Look } from '@/components/ui/states/status';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { actorOf, wordingOf } from './wording';

export const RESULT_LOOK: Record<AuditResult, Look> = {
  success: { label: 'Success', icon: IconCheck, tone: 'done' },
  failure: { label: 'Failure', icon: IconAlertTriangle, tone: 'failed' },
  denied: { label: 'Denied', icon: IconHandStop, tone: 'waiting' },
};

export function AuditTable({ lines, onOpen }: { lines: AuditLine[]; onOpen(line: AuditLine): void }) {
  return (
    <Table.ScrollContainer minWidth={560} className={classes.frame}>
      <Table className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={130}>Time</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th w={150}>Actor</Table.Th>
            <Table.Th w={110}>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.entry.id} className={classes.row}>
              <Table.Td>
                <TimeAgo at={line.entry.timestamp} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <UnstyledButton className={classes.link} fz="inherit" fw={400} onClick={() => onOpen(line)}>
                  <Sentence line={line} />
                </UnstyledButton>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 110 }}>{actorOf(line)}</Table.Td>
              <Table.Td>
                <StatusBadge look={RESULT_LOOK[line.entry.result]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** What happened, as a sentence. `isLinked`: with a link to the object. */
export function Sentence({ line, isLinked = false }: { line: AuditLine; isLinked?: boolean }) {
  const { before, object, after } = wordingOf(line);
  return (
    <>
      {before}
      {object && (
        <Text span inherit fw={600}>
          {isLinked && object.href ? (
            <Anchor component={Link} href={object.href} inherit>
              {object.name}
            </Anchor>
          ) : (
            object.name
          )}
        </Text>
      )}
      {after}
    </>
  );
}
