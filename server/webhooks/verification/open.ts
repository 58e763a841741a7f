import type { Verifier } from './verifier';

/** The address alone. */
export const openVerifier: Verifier = { reads: [], admits: () => true };

/** An API key of the workspace: the pipeline looks it up, because keys belong to people and their permissions. */
export const apiKeyVerifier: Verifier = { reads: ['authorization', 'x-api-key'], admits: () => true };
