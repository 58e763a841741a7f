import { ActionIcon, Anchor, Button, Group, Paper, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconExternalLink, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Chat } from '@/contract/triggers/chat';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { Confirm } from '@/components/ui/Confirm';
import { CopyIcon } from '@/components/ui/values/CopyIcon';

interface Props {
  chat: Chat;
  onEdit(): void;
  onChange(): void;
}

/** One chat: address, link to its page, settings, a switch, deletion. */
export function ChatCard({ chat, onEdit, onChange }: Props) {
  const trpc = useTRPC();
  const [isAsking, setAsking] = useState(false);
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) });
  const update = useMutation(trpc.chats.update.mutationOptions({ onSuccess: onChange, onError }));
  const remove = useMutation(trpc.chats.delete.mutationOptions({ onSuccess: onChange }));
  const { id: chatId, workflowId: id, path, url, title, access, takesFiles, enabled } = chat;
  return (
    <Paper withBorder p="sm" component="article" aria-label={`Chat ${path}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Switch
            aria-label={`Chat ${path} is enabled`}
            checked={enabled}
            onChange={(event) =>
              update.mutate({ params: { id, chatId }, body: { enabled: event.currentTarget.checked } })
            }
          />
          <CopyIcon label={`Copy the URL of chat ${path}`} value={url} />
          <ActionIcon color="madder" aria-label={`Delete chat ${path}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="xs" ff="monospace" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Group mt={8} gap="md" justify="space-between" style={{ rowGap: 6 }}>
        <Text size="xs" c="dimmed">
          {access === 'public' ? 'Anyone' : 'Members'} · {takesFiles ? 'With files' : 'Text only'}
        </Text>
        <Group gap="md">
          <Anchor component="button" size="sm" aria-label={`Edit chat ${path}`} onClick={onEdit}>
            Edit
          </Anchor>
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            size="compact-sm"
            variant="light"
            rightSection={<IconExternalLink size={14} aria-hidden />}
          >
            Open chat
          </Button>
        </Group>
      </Group>
      <Confirm
        isOpen={isAsking}
        title={`Delete the chat “${title}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id, chatId } })}
        onClose={() => setAsking(false)}
      >
        Its page then shows that the chat does not exist. Runs that it started are kept.
      </Confirm>
    </Paper>
  );
}
