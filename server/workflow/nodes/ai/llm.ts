import { z } from 'zod';
import { createNodeFailure } from '@/server/platform/errors/node-failure';
import {
  generateReply,
  type ModelPromptMessage,
  type ModelCall,
  type ModelPrompt,
} from '@/server/network/models/generate';
import { generateJsonObject } from '@/server/network/models/object';
import { completeNode, defineNodeType, type NodeRunContext } from '../node-type';
import { createFileParts } from './files';
import {
  MAX_MODEL_PROMPT,
  MODEL_TIMEOUT_MS,
  modelNameField,
  outputSchemaField,
  findOutputSchemaIssues,
} from './fields';

const MAX_LLM_MESSAGES = 1000;

const ModelPromptMessage = z.strictObject(
  {
    role: z.enum(['system', 'user', 'assistant']).meta({
      apiDescription: 'Who said it',
      'x-labels': { system: 'Instructions', user: 'Person', assistant: 'Model' },
    }),
    content: z.string().max(MAX_MODEL_PROMPT).meta({ apiDescription: 'What was said' }),
  },
  { error: 'must have role (system, user or assistant) and content' },
);

const llmConfig = z.strictObject({
  model: modelNameField,
  system: z.string().max(MAX_MODEL_PROMPT).optional().meta({
    title: 'System prompt',
    description: 'Who the model is and how it answers.',
    'x-editor': 'multiline',
  }),
  prompt: z.string().max(MAX_MODEL_PROMPT).optional().meta({
    title: 'Prompt',
    description: 'The task, with the data that it needs.',
    'x-editor': 'multiline',
    'x-alternative': 'messages',
  }),
  messages: z
    .array(ModelPromptMessage)
    .max(MAX_LLM_MESSAGES)
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

type LlmConfig = z.output<typeof llmConfig>;

/** The conversation that the config describes. */
async function buildLlmPrompt({ config: given, files, reserve }: NodeRunContext<LlmConfig>): Promise<ModelPrompt> {
  const { system, prompt = '', messages = [] } = given;
  const list: ModelPrompt = system ? [{ role: 'system', content: system }] : [];
  for (const { role, content } of messages) list.push(createLlmMessage(role, content));
  if (prompt !== '' || messages.length === 0) list.push(createLlmMessage('user', prompt));
  const parts = await createFileParts(given.files, files, reserve);
  if (parts.length === 0) return list;
  const last = list.at(-1);
  if (last?.role === 'user') last.content = [...parts, ...last.content];
  else list.push({ role: 'user', content: parts });
  return list;
}

function createLlmMessage(role: 'system' | 'user' | 'assistant', content: string): ModelPromptMessage {
  if (role === 'system') return { role, content };
  return { role, content: [{ type: 'text', text: content }] };
}

export const llmNodeType = defineNodeType({
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
  config: llmConfig,
  gaps: ({ prompt, messages }) =>
    (prompt === undefined || prompt === '') && messages === undefined
      ? [{ field: 'prompt', message: 'is required' }]
      : [],
  issues: ({ outputSchema }) => findOutputSchemaIssues(outputSchema),
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['llm'],
  needsCredential: true,
  isOutside: true,
  defaultTimeoutMs: MODEL_TIMEOUT_MS,
  async run(context) {
    const { config: given, credential, secrets, signal, reserve, log } = context;
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const { model = '', temperature, maxTokens, outputSchema } = given;
    const call: ModelCall = {
      credential: credential.credential,
      model,
      prompt: await buildLlmPrompt(context),
      temperature,
      maxTokens,
      signal,
      secrets,
      reserve,
    };
    if (outputSchema) {
      const { object, reasoning, usage, finishReason } = await generateJsonObject({ ...call, schema: outputSchema });
      log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
      return completeNode({ object, ...(reasoning === undefined ? {} : { reasoning }), usage, finishReason });
    }
    const { text, reasoning, usage, finishReason } = await generateReply({ ...call, onText: context.showText });
    log('info', `${model}: ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
    return completeNode({ text, ...(reasoning === undefined ? {} : { reasoning }), usage, finishReason });
  },
});
