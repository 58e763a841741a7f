import { z } from 'zod';
import { NodeFailure } from '@/server/errors/node-failure';
import { generate, type Message, type ModelCall, type Prompt } from '@/server/models/generate';
import { generateObject } from '@/server/models/object';
import { done, nodeKind, type RunContext } from '../node';
import { fileParts } from './files';
import { MAX_PROMPT, MODEL_TIMEOUT_MS, modelField, outputSchemaField, outputSchemaIssues } from './fields';

const MAX_MESSAGES = 1000;

const Message = z.strictObject(
  {
    role: z.enum(['system', 'user', 'assistant']).meta({ apiDescription: 'Who said it' }),
    content: z.string().max(MAX_PROMPT).meta({ apiDescription: 'What was said' }),
  },
  { error: 'must have role (system, user or assistant) and content' },
);

const config = z.strictObject({
  model: modelField,
  system: z.string().max(MAX_PROMPT).optional().meta({
    title: 'System prompt',
    description: 'Who the model is and how it answers.',
    'x-editor': 'multiline',
  }),
  prompt: z.string().max(MAX_PROMPT).optional().meta({
    title: 'Prompt',
    description: 'The task, with the data that it needs.',
    'x-editor': 'multiline',
    'x-alternative': 'messages',
  }),
  messages: z
    .array(Message)
    .max(MAX_MESSAGES)
    .optional()
    .meta({
      title: 'Messages',
      description: 'In place of the prompt: a conversation as a list of {role: user or assistant, content}.',
      examples: [[{ role: 'user', content: 'Hello' }]],
      'x-editor': 'json',
    }),
  files: z.unknown().optional().meta({
    title: 'Files',
    description: 'Images, PDF or texts: values of files, at most 10 MiB together. They are sent with the last message.',
    'x-editor': 'typed',
  }),
  outputSchema: outputSchemaField,
  temperature: z.number().min(0).max(2).optional().meta({
    title: 'Temperature',
    description: '0: always similar answers. Many models allow no other than their own: leave it empty for those.',
  }),
  maxTokens: z.number().int().min(1).max(1_000_000).optional().meta({
    title: 'Tokens at most',
    description: 'Of the answer. Empty: what the provider allows.',
  }),
});

type Config = z.output<typeof config>;

/** The conversation that the config describes. */
async function promptOf({ config: given, files, reserve }: RunContext<Config>): Promise<Prompt> {
  const { system, prompt = '', messages = [] } = given;
  const list: Prompt = system ? [{ role: 'system', content: system }] : [];
  for (const { role, content } of messages) list.push(messageOf(role, content));
  if (prompt !== '' || messages.length === 0) list.push(messageOf('user', prompt));
  const parts = await fileParts(given.files, files, reserve);
  if (parts.length === 0) return list;
  const last = list.at(-1);
  if (last?.role === 'user') last.content = [...parts, ...last.content];
  else list.push({ role: 'user', content: parts });
  return list;
}

function messageOf(role: 'system' | 'user' | 'assistant', content: string): Message {
  if (role === 'system') return { role, content };
  return { role, content: [{ type: 'text', text: content }] };
}

export const llm = nodeKind({
  type: 'llm',
  title: 'Language model',
  summary: 'Asks a language model (LLM): answers, texts, or objects by a schema.',
  synonyms: [
    'ai',
    'llm',
    'gpt',
    'chatgpt',
    'openai',
    'claude',
    'anthropic',
    'gemini',
    'ollama',
    'chat',
    'prompt',
    'summary',
    'classify',
    'extract',
    'translate',
    'vision',
  ],
  category: 'ai',
  config,
  required: ['model'],
  gaps: ({ prompt, messages }) =>
    (prompt === undefined || prompt === '') && messages === undefined
      ? [{ field: 'prompt', message: 'is required' }]
      : [],
  issues: ({ outputSchema }) => outputSchemaIssues(outputSchema),
  expressions: [],
  literals: ['outputSchema'],
  schemas: ['outputSchema'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['llm'],
  needsCredential: true,
  isOutside: true,
  defaultTimeoutMs: MODEL_TIMEOUT_MS,
  async run(context) {
    const { config: given, credential, secrets, signal, reserve, log } = context;
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
    const { model = '', temperature, maxTokens, outputSchema } = given;
    const call: ModelCall = {
      credential: credential.credential,
      model,
      prompt: await promptOf(context),
      temperature,
      maxTokens,
      signal,
      secrets,
      reserve,
    };
    if (outputSchema) {
      const { object, reasoning, usage, finishReason } = await generateObject({ ...call, schema: outputSchema });
      log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
      return done({ object, ...(reasoning === undefined ? {} : { reasoning }), usage, finishReason });
    }
    const { text, reasoning, usage, finishReason } = await generate({ ...call, onText: context.showText });
    log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
    return done({ text, ...(reasoning === undefined ? {} : { reasoning }), usage, finishReason });
  },
});
