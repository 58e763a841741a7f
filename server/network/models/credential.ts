import type { LlmProvider } from '@/contract/llm';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ModelAccess } from '@/server/evaluation/model-libraries/providers';

/** The fields of an open credential of type `llm` that a call needs. */
export interface ModelCredential {
  workspaceId: string;
  name: string;
  type: string;
  config: Record<string, unknown>;
}

/** Throws NodeFailure CREDENTIAL_KIND. */
export function toModelAccess({ type, name, config }: ModelCredential): ModelAccess {
  if (type !== 'llm')
    throw new NodeFailure('CREDENTIAL_KIND', `The credential "${name}" is not one of a language model.`, false);
  return {
    provider: config['provider'] as LlmProvider,
    baseUrl: typeof config['baseUrl'] === 'string' ? config['baseUrl'].replace(/\/+$/, '') : undefined,
    apiKey: typeof config['apiKey'] === 'string' ? config['apiKey'] : '',
  };
}
