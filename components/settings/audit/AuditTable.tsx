import { Anchor, Table, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconHandStop } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import type { AuditLogLine } from '@/contract/audit';
import type { AuditResult } from '@/contract/access/security';
import type { StatusStyle } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { auditActorName, auditWording } from './wording';

export const AUDIT_RESULT_STYLE: Record<AuditResult, StatusStyle> = {
  success: { label: 'Success', icon: IconCheck, tone: 'done' },
  failure: { label: 'Failure', icon: IconAlertTriangle, tone: 'failed' },
  denied: { label: 'Denied', icon: IconHandStop, tone: 'waiting' },
};

export function AuditTable({ lines, onOpen }: { lines: AuditLogLine[]; onOpen(line: AuditLogLine): void }) {
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
                  <AuditSentence line={line} />
                </UnstyledButton>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 110 }}>{auditActorName(line)}</Table.Td>
              <Table.Td>
                <StatusBadge look={AUDIT_RESULT_STYLE[line.entry.result]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** What happened, as a sentence. `isLinked`: with a link to the object. */
export function AuditSentence({ line, isLinked = false }: { line: AuditLogLine; isLinked?: boolean }) {
  const { before, object, after } = auditWording(line);
  return (
    <>
      {before}
      {object && (
        <Text span inherit fw={600}>
          {isLinked && object.href ? (
            <Anchor component={AppLink} href={object.href} inherit>
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
