import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt, WorkflowId } from '../shared-fields';
import { pageSchema, boundedText } from '../text';
import { MAX_CHAT_FILES, MAX_CHAT_MESSAGE_LENGTH } from './chat-limits';
import { FormAccessMode } from './form';
import { WebhookPath } from './webhook';

const MAX_CHAT_EXAMPLES = 6;

const chatSettingsFields = {
  path: WebhookPath.describe('The path in its address'),
  title: boundedText(1, 200).describe('Heading that people see'),
  greeting: boundedText(0, 5000).meta({ description: 'What the page says first, as Markdown' }),
  placeholder: boundedText(0, 100).meta({ description: 'What the empty field for messages shows' }),
  examples: z
    .array(boundedText(1, 200))
    .max(MAX_CHAT_EXAMPLES)
    .meta({ description: 'Messages that the page offers before the first one' }),
  access: FormAccessMode,
  takesFiles: z.boolean().meta({ description: `Whether a message can have files, at most ${MAX_CHAT_FILES}` }),
  enabled: z.boolean().describe('False: it is switched off'),
};

export const CreateChatRequest = z.strictObject({
  ...chatSettingsFields,
  greeting: chatSettingsFields.greeting.default(''),
  placeholder: chatSettingsFields.placeholder.default(''),
  examples: chatSettingsFields.examples.default([]),
  takesFiles: chatSettingsFields.takesFiles.default(false),
  enabled: chatSettingsFields.enabled.default(true).describe('False: it is switched off'),
});
export type CreateChatRequest = z.input<typeof CreateChatRequest>;

export const UpdateChatRequest = z.strictObject(chatSettingsFields).partial();

export const ChatTrigger = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    path: z.string().describe('The path in its address'),
    url: z.string().meta({ description: 'The page' }),
    title: z.string().describe('Heading that people see'),
    greeting: z.string().describe('What the page says first, as Markdown'),
    placeholder: z.string().describe('What the empty field for messages shows'),
    examples: z.array(z.string()).describe('Messages that the page offers before the first one'),
    access: FormAccessMode,
    takesFiles: z.boolean().describe('Whether a message can have files'),
    enabled: z.boolean().describe('False: it is switched off'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Chat', description: 'A page with a conversation, whose messages start runs' });
export type ChatTrigger = z.infer<typeof ChatTrigger>;

export const ListChatsResponse = pageSchema(ChatTrigger).meta({ id: 'ChatPage' });

/** What the page of a chat shows before the first message. */
export const ChatPageContent = z
  .object({
    title: z.string().describe('Heading that people see'),
    greeting: z.string().describe('What the page says first, as Markdown'),
    placeholder: z.string().describe('What the empty field for messages shows'),
    examples: z.array(z.string()).describe('Messages that the page offers before the first one'),
    takesFiles: z.boolean().describe('Whether a message can have files'),
  })
  .meta({ id: 'ChatOpening', description: 'What the page of a chat shows before the first message' });
export type ChatPageContent = z.infer<typeof ChatPageContent>;

/**
 * The secret of a conversation, which its client makes: 22 or more random characters. Who has it continues the
 * conversation. The `sessionId` of the runs is derived from it, so that neither workflows nor their members learn it.
 */
export const ChatSessionSecret = z
  .string()
  .regex(/^[\w-]{22,64}$/, { error: 'must be 22 to 64 random characters of A-Z a-z 0-9 _ -' });

/** A message without its files. */
export const ChatMessageRequest = z.strictObject({
  session: ChatSessionSecret.describe('The secret of the conversation'),
  message: boundedText(0, MAX_CHAT_MESSAGE_LENGTH),
});

export const ChatReplyRequest = z.strictObject({
  session: ChatSessionSecret.describe('The secret of the conversation'),
  receipt: boundedText(1, 300).meta({ description: 'That of the event `started`' }),
});
