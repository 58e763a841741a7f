import type { LlmProvider } from '@/contract/llm';
import { NodeFailure } from '@/server/errors/node-failure';
import type { ModelAccess } from '@/server/model-libraries/providers';

/** What a call needs of an open credential of type `llm`. */
export interface ModelCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Throws NodeFailure CREDENTIAL_KIND. */
export function accessOf({ type, name, config }: ModelCredential): ModelAccess {
  if (type !== 'llm')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a language model.`, false);
  return {
    provider: config['provider'] as LlmProvider,
    baseUrl: typeof config['baseUrl'] === 'string' ? config['baseUrl'].replace(/\/+$/, '') : undefined,
    apiKey: typeof config['apiKey'] === 'string' ? config['apiKey'] : '',
  };
}
