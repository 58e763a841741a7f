import { open, seal } from '@/server/db/seal';
import { runtime } from '@/server/runtime';

const boundTo = (id: string) => `credential:${id}`;

/** A credential's secrets as one sealed text that opens in this row only. */
export const sealSecrets = (id: string, secrets: Record<string, unknown>): string =>
  seal(JSON.stringify(secrets), boundTo(id), runtime().env.encryptionKeys);

/** The only function that opens a credential's secrets. */
export const openSecrets = (id: string, sealed: string): Record<string, unknown> =>
  JSON.parse(open(sealed, boundTo(id), runtime().env.encryptionKeys)) as Record<string, unknown>;

/** Parameters of token requests that name a receiver: texts such as the address of an API, which data has everywhere. */
const RECEIVERS = ['audience', 'resource'];

/** The secrets that are searched for in what runs say. */
export function searchedSecrets(secrets: Record<string, unknown>): Record<string, unknown> {
  const { tokenParameters = {}, ...others } = secrets;
  const further = Object.entries(tokenParameters as Record<string, unknown>);
  return { ...others, tokenParameters: Object.fromEntries(further.filter(([name]) => !RECEIVERS.includes(name))) };
}

/** Every text inside a secret value: a custom credential's secrets are objects of headers and parameters. */
export const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
