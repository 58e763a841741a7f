import { Button, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ChatTrigger } from '@/contract/triggers/chat';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PageCard } from '../page/PageCard';

interface Props {
  chat: ChatTrigger;
  onEdit(): void;
  onChange(): void;
}

/** One chat: address, link to its page, settings, a switch, deletion. */
export function ChatCard({ chat, onEdit, onChange }: Props) {
  const trpc = useTRPC();
  const onError = (error: unknown) =>
    notifications.show({ color: 'madder', title: 'Not changed', message: apiErrorSentence(error) });
  const update = useMutation(trpc.chats.update.mutationOptions({ onSuccess: onChange, onError }));
  const remove = useMutation(trpc.chats.delete.mutationOptions({ onSuccess: onChange }));
  const { id: chatId, workflowId: id, path, url, access, takesFiles, enabled } = chat;
  return (
    <PageCard
      kind="chat"
      page={chat}
      facts={`${access === 'public' ? 'Anyone' : 'Members'} · ${takesFiles ? 'With files' : 'Text only'}`}
      controls={
        <Switch
          aria-label={`Chat ${path} is enabled`}
          checked={enabled}
          onChange={(event) =>
            update.mutate({ params: { id, chatId }, body: { enabled: event.currentTarget.checked } })
          }
        />
      }
      actions={
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
      }
      removal={remove}
      onEdit={onEdit}
      onRemove={() => remove.mutate({ params: { id, chatId } })}
    />
  );
}
