import { createHash } from 'node:crypto';
import type { SAML } from '@node-saml/node-saml';
import { databasePool } from '@/server/platform/db/client';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { readSamlMessage } from '@/server/evaluation/evaluator/read-saml';
import { createSamlClient, type SamlSettings } from '@/server/evaluation/saml/client';
import type { AssertedIdentity } from '@/server/evaluation/saml/messages';
import { claimGroups, claimText, type AssertedPerson } from './external-identity';
import { parseCertificates } from './certificate';
import type { SsoAttempt } from './attempts';
import { serviceSsoUrls, type IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';

const ASSERTION_MARGIN_MS = 3_600_000;

/** One provider and this service's part in it. */
export function toSamlSettings({ id, config, secrets }: IdentityProvider): SamlSettings {
  const { acsUrl, entityId, sloUrl } = serviceSsoUrls(id);
  return {
    entityId,
    acsUrl,
    sloUrl,
    providerId: config.entityId ?? '',
    ssoUrl: config.ssoUrl ?? '',
    logoutUrl: config.sloUrl ?? null,
    certificates: parseCertificates(config.certificate ?? '') ?? [],
    ownKey: secrets.privateKey ?? null,
    ownCertificate: config.ownCertificate ?? null,
  };
}

/** node-saml for the messages that this service writes. Those of others are read by evaluator processes. */
export const createSamlWriter = (provider: IdentityProvider, requestId?: string): Promise<SAML> =>
  createSamlClient(toSamlSettings(provider), requestId);

/** The redirect address of the browser: our request in the redirect binding, signed if we have a key. */
export const samlRequestUrl = async (provider: IdentityProvider, attempt: SsoAttempt): Promise<string> =>
  (await createSamlWriter(provider, attempt.requestId)).getAuthorizeUrlAsync(attempt.id, undefined, {});

export async function buildSamlMetadata(provider: IdentityProvider): Promise<string> {
  const certificate = provider.config.ownCertificate ?? null;
  return (await createSamlWriter(provider)).generateServiceProviderMetadata(certificate, certificate);
}

/**
 * A message that cannot be read within the limits of an evaluation is as invalid as any other; being busy is no fault
 * of it.
 */
export function toMessageRefusal(error: unknown): unknown {
  if (!(error instanceof EvaluationFailedError)) return error;
  const { code, message } = error.failure;
  if (code === 'SAML_INVALID') return new SsoRefusal('invalid', message, {}, error);
  const isLimit = code === 'EVALUATION_TIMEOUT' || code === 'EVALUATION_MEMORY';
  return isLimit ? new SsoRefusal('invalid', 'The provider’s message takes too long to read.', {}, error) : error;
}

/**
 * The identity that the provider's response asserts. Verifies signature, status, issuer, destination, audience, times,
 * that it answers this request at this address, and that it is used for the first time. Throws SsoRefusal.
 */
export async function verifySamlResponse(
  provider: IdentityProvider,
  attempt: SsoAttempt,
  samlResponse: string,
): Promise<AssertedPerson> {
  const reading = { kind: 'answer', requestId: attempt.requestId } as const;
  const purpose = { workspaceId: provider.workspaceId ?? '' };
  const identity = await readSamlMessage(toSamlSettings(provider), reading, samlResponse, purpose).catch(
    (error: unknown) => {
      throw toMessageRefusal(error);
    },
  );
  await markAssertionUsed(provider.id, identity.assertionId, identity.expiresAt);
  return personFromAssertion(provider, identity);
}

const invalidResponseRefusal = (why: string) =>
  new SsoRefusal('invalid', `The provider's answer is not valid: ${why}.`);

/** Marks an assertion as used, for every process and after a restart. */
async function markAssertionUsed(providerId: string, assertionId: string, expiresAt: number): Promise<void> {
  const id = createHash('sha256')
    .update(JSON.stringify([providerId, assertionId]))
    .digest('hex');
  const { rowCount } = await databasePool().query(
    'INSERT INTO saml_assertion (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, new Date(expiresAt + ASSERTION_MARGIN_MS)],
  );
  if (rowCount !== 1 || assertionId === '') throw invalidResponseRefusal('it was used before');
}

/** Attribute names that providers use for an address, and for a name. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailAddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const NAME_ATTRIBUTES = [
  'displayName',
  'name',
  'cn',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
];

function personFromAssertion(
  { config }: IdentityProvider,
  { attributes, ...identity }: AssertedIdentity,
): AssertedPerson {
  const first = (names: string[]) =>
    names.map((name) => claimText([attributes[name]].flat()[0])).find((value) => value !== null);
  const nameId = claimText(identity.nameId);
  if (!nameId) throw invalidResponseRefusal('it names no user');
  const email = first(EMAIL_ATTRIBUTES) ?? (nameId.includes('@') ? nameId : null);
  // A transient name changes each time: then the address is the permanent id.
  const isTransient = identity.nameIdFormat.endsWith(':transient');
  return {
    subject: isTransient && email ? email : nameId,
    email,
    isEmailVerified: true,
    name: first(NAME_ATTRIBUTES) ?? null,
    groups: claimGroups(attributes[config.groupsClaim]),
    claims: { nameId, ...attributes },
    saml: { nameId, nameIdFormat: identity.nameIdFormat, sessionIndex: identity.sessionIndex },
  };
}
