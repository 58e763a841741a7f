import { createHash } from 'node:crypto';
import type { SAML } from '@node-saml/node-saml';
import { pool } from '@/server/db/client';
import { EvaluationFailed } from '@/server/evaluation/evaluation';
import { readSaml } from '@/server/evaluation/read-saml';
import { createSamlClient, type SamlSettings } from '@/server/saml/client';
import type { AssertedIdentity } from '@/server/saml/messages';
import { groupsIn, textIn, type Asserted } from './external-identity';
import { certificatesIn } from './certificate';
import type { Attempt } from './attempts';
import { ssoAddresses, type Provider } from './provider';
import { SsoRefusal } from './refusal';

const HOUR_MS = 3_600_000;

/** One provider and this service's part in it. */
export function samlSettings({ id, config, secrets }: Provider): SamlSettings {
  const { acsUrl, entityId, sloUrl } = ssoAddresses(id);
  return {
    entityId,
    acsUrl,
    sloUrl,
    providerId: config.entityId ?? '',
    ssoUrl: config.ssoUrl ?? '',
    logoutUrl: config.sloUrl ?? null,
    certificates: certificatesIn(config.certificate ?? '') ?? [],
    ownKey: secrets.privateKey ?? null,
    ownCertificate: config.ownCertificate ?? null,
  };
}

/** node-saml for the messages that this service writes. Those of others are read by evaluator processes. */
export const samlWriter = (provider: Provider, requestId?: string): Promise<SAML> =>
  createSamlClient(samlSettings(provider), requestId);

/** The redirect address of the browser: our request in the redirect binding, signed if we have a key. */
export const samlRequestUrl = async (provider: Provider, attempt: Attempt): Promise<string> =>
  (await samlWriter(provider, attempt.requestId)).getAuthorizeUrlAsync(attempt.id, undefined, {});

export async function samlMetadata(provider: Provider): Promise<string> {
  const certificate = provider.config.ownCertificate ?? null;
  return (await samlWriter(provider)).generateServiceProviderMetadata(certificate, certificate);
}

/** A message that cannot be read within the limits of an evaluation is as invalid as any other; being busy is no fault of it. */
export function refusedMessage(error: unknown): unknown {
  if (!(error instanceof EvaluationFailed)) return error;
  const { code, message } = error.failure;
  if (code === 'SAML_INVALID') return new SsoRefusal('invalid', message, {}, error);
  const isLimit = code === 'EVALUATION_TIMEOUT' || code === 'EVALUATION_MEMORY';
  return isLimit ? new SsoRefusal('invalid', 'The provider’s message takes too long to read.', {}, error) : error;
}

/**
 * The identity that the provider's response asserts. Verifies signature, status, issuer, destination, audience, times, that it answers this
 * request at this address, and that it is used for the first time. Throws SsoRefusal.
 */
export async function assertedIn(provider: Provider, attempt: Attempt, samlResponse: string): Promise<Asserted> {
  const reading = { kind: 'answer', requestId: attempt.requestId } as const;
  const purpose = { workspaceId: provider.workspaceId ?? '' };
  const identity = await readSaml(samlSettings(provider), reading, samlResponse, purpose).catch((error: unknown) => {
    throw refusedMessage(error);
  });
  await useUp(provider.id, identity.assertionId, identity.expiresAt);
  return personIn(provider, identity);
}

const invalid = (why: string) => new SsoRefusal('invalid', `The provider's answer is not valid: ${why}.`);

/** Marks an assertion as used, for every process and after a restart. */
async function useUp(providerId: string, assertionId: string, expiresAt: number): Promise<void> {
  const id = createHash('sha256')
    .update(JSON.stringify([providerId, assertionId]))
    .digest('hex');
  const { rowCount } = await pool().query(
    'INSERT INTO saml_assertion (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, new Date(expiresAt + HOUR_MS)],
  );
  if (rowCount !== 1 || assertionId === '') throw invalid('it was used before');
}

/** Attribute names that providers use for an address, and for a name. */
const EMAILS = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAMES = [
  'displayName',
  'name',
  'cn',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];

function personIn({ config }: Provider, { attributes, ...identity }: AssertedIdentity): Asserted {
  const first = (names: string[]) =>
    names.map((name) => textIn([attributes[name]].flat()[0])).find((value) => value !== null);
  const nameId = textIn(identity.nameId);
  if (!nameId) throw invalid('it names no user');
  const email = first(EMAILS) ?? (nameId.includes('@') ? nameId : null);
  // A transient name changes each time: then the address is the permanent id.
  const isTransient = identity.nameIdFormat.endsWith(':transient');
  return {
    subject: isTransient && email ? email : nameId,
    email,
    isEmailVerified: true,
    name: first(NAMES) ?? null,
    groups: groupsIn(attributes[config.groupsClaim]),
    claims: { nameId, ...attributes },
    saml: { nameId, nameIdFormat: identity.nameIdFormat, sessionIndex: identity.sessionIndex },
  };
}
