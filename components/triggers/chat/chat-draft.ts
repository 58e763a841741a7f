import type { ChatTrigger, CreateChatRequest } from '@/contract/triggers/chat';

/** A chat as it is edited. */
export interface ChatDraft extends Omit<Required<CreateChatRequest>, 'examples' | 'startNodeId'> {
  /** The examples, one a line. */
  examples: string;
  startNodeId: string | null;
}

export const EMPTY_CHAT_DRAFT: ChatDraft = {
  path: 'chat',
  title: '',
  greeting: 'Hello! How can I help?',
  placeholder: '',
  examples: '',
  access: 'public',
  takesFiles: false,
  enabled: true,
  startNodeId: null,
};

export const toChatDraft = (chat: ChatTrigger): ChatDraft => {
  const { path, title, greeting, placeholder, examples, access, takesFiles, enabled, startNodeId } = chat;
  const texts = { path, title, greeting, placeholder, examples: examples.join('\n') };
  return { ...texts, access, takesFiles, enabled, startNodeId };
};

/** The request body. */
export const chatRequestBody = ({
  path,
  title,
  greeting,
  placeholder,
  examples,
  ...rest
}: ChatDraft): Required<CreateChatRequest> => ({
  ...rest,
  path: path.trim(),
  title: title.trim(),
  greeting: greeting.trim(),
  placeholder: placeholder.trim(),
  examples: examples
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
});

/** The fields of the dialog that errors of the service belong to: `examples` for `examples[1]`. */
export const chatDialogField = (field: string): string => field.replace(/\[\d+\]$/, '');

export const isChatDialogField = (field: string): boolean =>
  ['path', 'startNodeId', 'title', 'greeting', 'placeholder', 'examples'].includes(chatDialogField(field));
