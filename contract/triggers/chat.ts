import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt, WorkflowId } from '../shared-fields';
import { page, text } from '../text';
import { MAX_CHAT_FILES, MAX_CHAT_MESSAGE } from './chat-limits';
import { FormAccess } from './form';
import { WebhookPath } from './webhook';

const MAX_EXAMPLES = 6;

const settings = {
  path: WebhookPath.describe('The path in its address'),
  title: text(1, 200).describe('Heading that people see'),
  greeting: text(0, 5000).meta({ description: 'What the page says first, as Markdown' }),
  placeholder: text(0, 100).meta({ description: 'What the empty field for messages shows' }),
  examples: z
    .array(text(1, 200))
    .max(MAX_EXAMPLES)
    .meta({ description: 'Messages that the page offers before the first one' }),
  access: FormAccess,
  takesFiles: z.boolean().meta({ description: `Whether a message can have files, at most ${MAX_CHAT_FILES}` }),
  enabled: z.boolean().describe('False: it is switched off'),
};

export const ChatCreate = z.strictObject({
  ...settings,
  greeting: settings.greeting.default(''),
  placeholder: settings.placeholder.default(''),
  examples: settings.examples.default([]),
  takesFiles: settings.takesFiles.default(false),
  enabled: settings.enabled.default(true).describe('False: it is switched off'),
});
export type ChatCreate = z.input<typeof ChatCreate>;

export const ChatUpdate = z.strictObject(settings).partial();

export const Chat = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    path: z.string().describe('The path in its address'),
    url: z.string().meta({ description: 'The page' }),
    title: z.string().describe('Heading that people see'),
    greeting: z.string().describe('What the page says first, as Markdown'),
    placeholder: z.string().describe('What the empty field for messages shows'),
    examples: z.array(z.string()).describe('Messages that the page offers before the first one'),
    access: FormAccess,
    takesFiles: z.boolean().describe('Whether a message can have files'),
    enabled: z.boolean().describe('False: it is switched off'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Chat', description: 'A page with a conversation, whose messages start runs' });
export type Chat = z.infer<typeof Chat>;

export const ChatPage = page(Chat).meta({ id: 'ChatPage' });

/** What the page of a chat shows before the first message. */
export const ChatOpening = z
  .object({
    title: z.string().describe('Heading that people see'),
    greeting: z.string().describe('What the page says first, as Markdown'),
    placeholder: z.string().describe('What the empty field for messages shows'),
    examples: z.array(z.string()).describe('Messages that the page offers before the first one'),
    takesFiles: z.boolean().describe('Whether a message can have files'),
  })
  .meta({ id: 'ChatOpening', description: 'What the page of a chat shows before the first message' });
export type ChatOpening = z.infer<typeof ChatOpening>;

/**
 * The secret of a conversation, which its client makes: 22 or more random characters. Who has it continues the conversation. The `sessionId`
 * of the runs is derived from it, so that neither workflows nor their members learn it.
 */
export const ChatSession = z
  .string()
  .regex(/^[\w-]{22,64}$/, { error: 'must be 22 to 64 random characters of A-Z a-z 0-9 _ -' });

/** A message without its files. */
export const ChatMessage = z.strictObject({
  session: ChatSession.describe('The secret of the conversation'),
  message: text(0, MAX_CHAT_MESSAGE),
});

export const ChatAnswerRequest = z.strictObject({
  session: ChatSession.describe('The secret of the conversation'),
  receipt: text(1, 300).meta({ description: 'That of the event `started`' }),
});
