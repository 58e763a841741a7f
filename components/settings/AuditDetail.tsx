import { Drawer, Stack, Text } from '@mantine/core';
import type { AuditEntry } from '@/contract/audit';
import { JsonView } from '../ui/JsonView';
import { actorOf } from './AuditTable';

export function AuditDetail({ entry, onClose }: { entry: AuditEntry | undefined; onClose(): void }) {
  return (
    <Drawer opened={entry !== undefined} onClose={onClose} position="right" size="md" title={entry?.action}>
      {entry && (
        <Stack>
          <Text size="sm">
            {actorOf(entry)}, {new Date(entry.timestamp).toLocaleString()}, from {entry.metadata.ipAddress}
          </Text>
          <JsonView label="Entry" value={entry} />
        </Stack>
      )}
    </Drawer>
  );
}
