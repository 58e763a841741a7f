import type { Chat, ChatCreate } from '@/contract/triggers/chat';

/** A chat as it is edited. */
export interface ChatDraft extends Omit<Required<ChatCreate>, 'examples'> {
  /** One in each line. */
  examples: string;
}

export const EMPTY_CHAT: ChatDraft = {
  path: 'chat',
  title: '',
  greeting: 'Hello! How can I help?',
  placeholder: '',
  examples: '',
  access: 'public',
  takesFiles: false,
  enabled: true,
};

export const draftOf = (chat: Chat): ChatDraft => {
  const { path, title, greeting, placeholder, examples, access, takesFiles, enabled } = chat;
  return { path, title, greeting, placeholder, examples: examples.join('\n'), access, takesFiles, enabled };
};

/** The request body. */
export const bodyOf = ({ path, title, greeting, placeholder, examples, ...rest }: ChatDraft): Required<ChatCreate> => ({
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
export const chatField = (field: string): string => field.replace(/\[\d+\]$/, '');

export const isShown = (field: string): boolean =>
  ['path', 'title', 'greeting', 'placeholder', 'examples'].includes(chatField(field));
