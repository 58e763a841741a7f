import type { WebhookVerifier } from './verifier';

/** Accepts every delivery: knowing the address is enough. */
export const openVerifier: WebhookVerifier = { reads: [], admits: () => true };

/** An API key of the workspace: the pipeline looks it up, because keys belong to people and their permissions. */
export const apiKeyVerifier: WebhookVerifier = { reads: ['authorization', 'x-api-key'], admits: () => true };
