import { Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatTrigger } from '@/contract/triggers/chat';
import { MAX_CHAT_FILE_BYTES, MAX_CHAT_FILES } from '@/contract/triggers/chat-limits';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { AccessField } from '../page/AccessField';
import { PageDialog, PageNameFields } from '../page/PageDialog';
import {
  chatRequestBody,
  chatDialogField,
  toChatDraft,
  EMPTY_CHAT_DRAFT,
  isChatDialogField,
  type ChatDraft,
} from './chat-draft';

interface Props {
  workflowId: string;
  /** Absent: a new chat. */
  chat?: ChatTrigger;
  onDone(): void;
  onClose(): void;
}

const CHAT_FILES_HINT = `At most ${MAX_CHAT_FILES} for each message, ${MAX_CHAT_FILE_BYTES / 1024 / 1024} MiB each.`;

/** Creates or changes a chat. */
export function ChatDialog({ workflowId: id, chat, onDone, onClose }: Props) {
  const trpc = useTRPC();
  const startNodeId = useInitialStart();
  const [draft, setDraft] = useState(() => (chat ? toChatDraft(chat) : { ...EMPTY_CHAT_DRAFT, startNodeId }));
  const create = useMutation(trpc.chats.create.mutationOptions({ onSuccess: onDone }));
  const update = useMutation(trpc.chats.update.mutationOptions({ onSuccess: onDone }));
  const { at, elsewhere } = splitFieldErrors(create.error ?? update.error, isChatDialogField);
  const errors = new Map([...at].map(([field, message]) => [chatDialogField(field), message]));
  const set = (part: Partial<ChatDraft>) => setDraft({ ...draft, ...part });
  const submit = () => {
    const body = chatRequestBody(draft);
    if (chat) update.mutate({ params: { id, chatId: chat.id }, body });
    else create.mutate({ params: { id }, body });
  };
  return (
    <PageDialog
      kind="chat"
      path={chat?.path}
      size="lg"
      isBusy={create.isPending || update.isPending}
      problem={elsewhere}
      onSubmit={submit}
      onClose={onClose}
    >
      <PageNameFields draft={draft} errors={errors} placeholders={{ title: 'Shop assistant' }} set={set} />
      <StartNodeField
        value={draft.startNodeId}
        error={errors.get('startNodeId')}
        onChange={(picked) => set({ startNodeId: picked })}
      />
      <AccessField label="Who can use it" value={draft.access} onChange={(access) => set({ access })} />
      <Textarea
        label="Greeting"
        description="What the page says first. Markdown."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5000}
        value={draft.greeting}
        error={errors.get('greeting')}
        onChange={(event) => set({ greeting: event.currentTarget.value })}
      />
      <Textarea
        label="Examples"
        description="Messages that the page offers at first: one in each line, at most six."
        autosize
        minRows={2}
        maxRows={6}
        placeholder={'Where is my order?\nHow can I return something?'}
        value={draft.examples}
        error={errors.get('examples')}
        onChange={(event) => set({ examples: event.currentTarget.value })}
      />
      <TextInput
        label="Placeholder"
        description="What the empty field for messages shows."
        maxLength={100}
        placeholder="Write a message"
        value={draft.placeholder}
        error={errors.get('placeholder')}
        onChange={(event) => set({ placeholder: event.currentTarget.value })}
      />
      <Switch
        label="Messages can have files"
        description={CHAT_FILES_HINT}
        checked={draft.takesFiles}
        onChange={(event) => set({ takesFiles: event.currentTarget.checked })}
      />
      <Switch
        label="Enabled"
        description="The page takes messages while the workflow is live."
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </PageDialog>
  );
}
