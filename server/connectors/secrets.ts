import { openSealedText, sealText } from '@/server/platform/db/seal';
import { getRuntime } from '@/server/platform/runtime';

const credentialSealContext = (id: string) => `credential:${id}`;

/** A credential's secrets as one sealed text that opens in this row only. */
export const sealCredentialSecrets = (id: string, secrets: Record<string, unknown>): string =>
  sealText(JSON.stringify(secrets), credentialSealContext(id), getRuntime().env.encryptionKeys);

/** The only function that opens a credential's secrets. */
export const openCredentialSecrets = (id: string, sealed: string): Record<string, unknown> =>
  JSON.parse(openSealedText(sealed, credentialSealContext(id), getRuntime().env.encryptionKeys)) as Record<
    string,
    unknown
  >;

/**
 * Parameters of token requests that name a receiver: texts such as the address of an API, which data has everywhere.
 */
const RECEIVER_PARAMETERS = ['audience', 'resource'];

/** The secrets that are searched for in what runs say. */
export function redactableSecrets(secrets: Record<string, unknown>): Record<string, unknown> {
  const { tokenParameters = {}, ...others } = secrets;
  const further = Object.entries(tokenParameters as Record<string, unknown>);
  return {
    ...others,
    tokenParameters: Object.fromEntries(further.filter(([name]) => !RECEIVER_PARAMETERS.includes(name))),
  };
}

/** Every text inside a secret value: a custom credential's secrets are objects of headers and parameters. */
export const collectSecretTexts = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(collectSecretTexts)
      : [];
