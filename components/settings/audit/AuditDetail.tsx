import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import type { AuditEntry, AuditFilter } from '@/contract/audit';
import { JsonView } from '@/components/ui/values/JsonView';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { actorOf, RESULT_LOOK } from './AuditTable';
import { deviceOf } from '../account/device';
import { wordsOf } from '../roles/role-matrix';

interface Props {
  entry: AuditEntry | undefined;
  onFilter(filter: AuditFilter): void;
  onClose(): void;
}

/** Details of an entry, with filters for related entries. */
export function AuditDetail({ entry, onFilter, onClose }: Props) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} position="right" size="md" title={entry?.action}>
      {entry && <AuditEntryDetails entry={entry} onFilter={onFilter} />}
    </Drawer>
  );
}

function AuditEntryDetails({ entry, onFilter }: { entry: AuditEntry; onFilter(filter: AuditFilter): void }) {
  const { actor, resource, metadata, result, category, timestamp } = entry;
  const { reason, alike } = metadata;
  const facts: [string, string][] = [
    ['Time', new Date(timestamp).toLocaleString()],
    ['Actor', `${actorOf(entry)} (${wordsOf(actor.type)})`],
    ['Resource', [wordsOf(resource.type), resource.id].filter(Boolean).join(' ')],
    ['Category', wordsOf(category)],
    ['Source', [metadata.ipAddress, metadata.userAgent && deviceOf(metadata.userAgent)].filter(Boolean).join(', ')],
  ];
  return (
    <Stack>
      <Group gap="xs">
        <StatusBadge look={RESULT_LOOK[result]} />
        {typeof alike === 'number' && <Text size="sm">{alike} identical entries within a minute</Text>}
      </Group>
      {typeof reason === 'string' && <Text size="sm">{reason}</Text>}
      <dl style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 14px', margin: 0 }}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => [
            <Text key={name} component="dt" size="sm" c="dimmed">
              {name}
            </Text>,
            <Text key={`${name} value`} component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>,
          ])}
      </dl>
      <Group gap="xs">
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
            Filter by this {wordsOf(resource.type)}
          </Button>
        )}
      </Group>
      <JsonView label="Entry" value={entry} />
    </Stack>
  );
}
