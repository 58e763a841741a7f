import { z } from 'zod';
import { destinationMark, secretText } from './credentials/credential-fields';

/**
 * Providers of language models. Those of `HOSTED_LLM_PROVIDERS` have an address of their own and always ask for a key.
 */
export const LLM_PROVIDERS = ['openai', 'anthropic', 'google', 'openai_compatible', 'ollama'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];
const HOSTED_LLM_PROVIDERS: readonly LlmProvider[] = ['openai', 'anthropic', 'google'];

/** Access to language models. Prompts and the key are sent to the provider, or to `baseUrl`. */
export const LlmProviderConfig = z
  .strictObject({
    provider: z.enum(LLM_PROVIDERS).meta({
      title: 'Provider',
      description: 'A server with the API of OpenAI is one such as vLLM, LM Studio or OpenRouter.',
      'x-labels': {
        openai: 'OpenAI',
        anthropic: 'Anthropic',
        google: 'Google',
        openai_compatible: 'Server with the API of OpenAI',
        ollama: 'Ollama',
      },
      ...destinationMark('address'),
    }),
    apiKey: secretText('API key')
      .regex(/^[\x21-\x7e]*$/, { error: 'must be one line without spaces' })
      .optional(),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2000)
      .regex(/^[^?#@]*$/, { error: 'must have neither query, fragment nor user name' })
      .optional()
      .meta({
        title: 'Base URL',
        description:
          'Of a server with the API of OpenAI with its version, such as https://llm.example.com/v1; of Ollama such as http://localhost:11434. ' +
          'Empty for other providers: their own address.',
        ...destinationMark('address'),
      }),
  })
  .superRefine(({ provider, apiKey, baseUrl }, context) => {
    const isHosted = HOSTED_LLM_PROVIDERS.includes(provider);
    if (isHosted && apiKey === undefined)
      context.addIssue({ code: 'custom', path: ['apiKey'], message: `is required for ${provider}` });
    if (!isHosted && baseUrl === undefined)
      context.addIssue({ code: 'custom', path: ['baseUrl'], message: `is required for ${provider}` });
  });
