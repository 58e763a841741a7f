import { ActionIcon, Anchor, Group, Paper, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { CopyIconButton } from '@/components/ui/values/CopyIconButton';

interface Props {
  kind: 'chat' | 'form';
  page: { path: string; url: string; title: string };
  /** Its settings in a few words. */
  facts: string;
  /** Further controls in its first line. */
  controls: ReactNode;
  /** Further actions beside `Edit`. */
  actions?: ReactNode;
  removal: { isPending: boolean; error: unknown };
  onEdit(): void;
  onRemove(): void;
}

/** One page of a workflow, a chat or a form: title, address, settings, deletion. */
export function PageCard({ kind, page, facts, controls, actions, removal, onEdit, onRemove }: Props) {
  const [isAsking, setAsking] = useState(false);
  const { path, url, title } = page;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`${kind === 'chat' ? 'Chat' : 'Form'} ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          {controls}
          <CopyIconButton label={`Copy the URL of ${kind} ${path}`} value={url} />
          <ActionIcon color="madder" aria-label={`Delete ${kind} ${path}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="xs" ff="monospace" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Group mt={6} gap="md" justify="space-between" style={{ rowGap: 4 }}>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {facts}
        </Text>
        <Group gap="md">
          <Anchor component="button" size="sm" aria-label={`Edit ${kind} ${path}`} onClick={onEdit}>
            Edit
          </Anchor>
          {actions}
        </Group>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Delete the ${kind} “${title}”?`}
        action="Delete"
        isBusy={removal.isPending}
        error={removal.error}
        onConfirm={onRemove}
        onClose={() => setAsking(false)}
      >
        Its page then shows that the {kind} does not exist. Runs that it started are kept.
      </ConfirmDialog>
    </Paper>
  );
}
