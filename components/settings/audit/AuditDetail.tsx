import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import type { AuditFilter, AuditLogLine } from '@/contract/audit';
import { NameValueList } from '@/components/ui/values/NameValueList';
import { JsonView } from '@/components/ui/values/JsonView';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { AUDIT_RESULT_STYLE, AuditSentence } from './AuditTable';
import { abbreviateId, auditActorName } from './wording';
import { describeDevice } from '../account/device';
import { startWithCapital } from '@/components/ui/values/start-with-capital';
import { readableResourceName } from '@/components/client/permission-words';

interface Props {
  line: AuditLogLine | undefined;
  onFilter(filter: AuditFilter): void;
  /** Shows the saves of a line one by one. */
  onUngroup(filter: AuditFilter): void;
  onClose(): void;
}

/** Details of an entry, with filters for related entries. */
export function AuditDetail({ line, onFilter, onUngroup, onClose }: Props) {
  return (
    <Drawer opened={line !== undefined} onClose={onClose} position="right" size="md" title="Audit entry">
      {line && <AuditEntryDetails line={line} onFilter={onFilter} onUngroup={onUngroup} />}
    </Drawer>
  );
}

function AuditEntryDetails({ line, onFilter, onUngroup }: Omit<Props, 'line' | 'onClose'> & { line: AuditLogLine }) {
  const { entry, count, since } = line;
  const { actor, resource, metadata, result, category, timestamp } = entry;
  const { reason, alike } = metadata;
  const facts: [string, string][] = [
    ['Time', new Date(timestamp).toLocaleString()],
    ...(count > 1 ? [['Since', new Date(since).toLocaleString()] satisfies [string, string]] : []),
    [
      'Actor',
      actor.email && actor.email !== auditActorName(line)
        ? `${auditActorName(line)} (${actor.email})`
        : auditActorName(line),
    ],
    [
      'Resource',
      [startWithCapital(readableResourceName(resource.type)), resource.id && abbreviateId(resource.id)]
        .filter(Boolean)
        .join(' '),
    ],
    ['Category', startWithCapital(readableResourceName(category))],
    [
      'Source',
      [metadata.ipAddress, metadata.userAgent && describeDevice(metadata.userAgent)].filter(Boolean).join(', '),
    ],
  ];
  return (
    <Stack>
      <Text fz="md" style={{ overflowWrap: 'anywhere' }}>
        <AuditSentence line={line} isLinked />
      </Text>
      <Group gap="xs">
        <StatusBadge look={AUDIT_RESULT_STYLE[result]} />
        {typeof alike === 'number' && <Text size="sm">{alike} identical entries within a minute</Text>}
      </Group>
      {typeof reason === 'string' && <Text size="sm">{reason}</Text>}
      <NameValueList facts={facts} />
      <Group gap="xs">
        {count > 1 && resource.id && (
          <Button size="compact-sm" onClick={() => onUngroup({ resourceId: resource.id ?? undefined })}>
            Show each save
          </Button>
        )}
        {actor.id && (
          <Button size="compact-sm" variant="default" onClick={() => onFilter({ actorId: actor.id ?? undefined })}>
            Filter by actor
          </Button>
        )}
        {resource.id && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onFilter({ resourceId: resource.id ?? undefined })}
          >
            Filter by this {readableResourceName(resource.type)}
          </Button>
        )}
      </Group>
      <JsonView label="Entry" value={entry} />
    </Stack>
  );
}
