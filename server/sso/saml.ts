import { createHash } from 'node:crypto';
import type { Profile, SAML } from '@node-saml/node-saml';
import type { Element } from '@xmldom/xmldom';
import { pool } from '@/server/db/client';
import { groupsIn, textIn, type Asserted } from './external-identity';
import { certificatesIn } from './certificate';
import type { Attempt } from './attempts';
import { childrenOf, hasWeakSignature, parseXml, refuseDocumentType } from './saml-xml';
import { ssoAddresses, type Provider } from './provider';
import { SsoRefusal } from './refusal';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Tolerated clock difference to the provider. */
const CLOCK_SKEW_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * node-saml for one provider; with an attempt, for the answer to its request. The library is loaded when it is needed: it would be a tenth of
 * the start of a process.
 */
export async function samlOf(provider: Provider, attempt?: Attempt): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const { config, secrets } = provider;
  const { acsUrl, entityId, sloUrl } = ssoAddresses(provider.id);
  const keys = secrets.privateKey
    ? { privateKey: secrets.privateKey, decryptionPvk: secrets.privateKey, publicCert: config.ownCertificate }
    : {};
  return new SAML({
    ...keys,
    issuer: entityId,
    audience: entityId,
    callbackUrl: acsUrl,
    entryPoint: config.ssoUrl,
    logoutUrl: config.sloUrl,
    logoutCallbackUrl: sloUrl,
    idpCert: certificatesIn(config.certificate ?? '') ?? [],
    idpIssuer: config.entityId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // Neither is required alone; node-saml accepts an answer only if one of them is signed, and reads that one.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(attempt ? { generateUniqueId: () => attempt.requestId } : {}),
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === attempt?.requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
}

/** The redirect address of the browser: our request in the redirect binding, signed if we have a key. */
export const samlRequestUrl = async (provider: Provider, attempt: Attempt): Promise<string> =>
  (await samlOf(provider, attempt)).getAuthorizeUrlAsync(attempt.id, undefined, {});

export async function samlMetadata(provider: Provider): Promise<string> {
  const certificate = provider.config.ownCertificate ?? null;
  return (await samlOf(provider)).generateServiceProviderMetadata(certificate, certificate);
}

/**
 * The identity that the provider's response asserts. Verifies signature, status, issuer, destination, audience, times, that it answers this
 * request at this address, and that it is used for the first time. Throws SsoRefusal.
 */
export async function assertedIn(provider: Provider, attempt: Attempt, samlResponse: string): Promise<Asserted> {
  const profile = await validated(provider, attempt, samlResponse);
  const { acsUrl } = ssoAddresses(provider.id);
  checkResponse(samlResponse, acsUrl, provider);
  const assertion = parseXml(profile.getAssertionXml?.() ?? '');
  requireThat(issuerOf(assertion) === provider.config.entityId, 'it comes from another issuer');
  const expiresAt = confirmedUntil(assertion, acsUrl, attempt.requestId);
  await useUp(provider.id, assertion.getAttribute('ID') ?? '', expiresAt);
  return personIn(provider, profile);
}

async function validated(provider: Provider, attempt: Attempt, SAMLResponse: string): Promise<Profile> {
  refuseDocumentType(Buffer.from(SAMLResponse, 'base64').toString('utf8'));
  try {
    const saml = await samlOf(provider, attempt);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile) return profile;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new SsoRefusal('invalid', `The provider's answer is not valid: ${message}`, {}, error);
  }
  throw invalid('it contains no identity');
}

const invalid = (why: string) => new SsoRefusal('invalid', `The provider's answer is not valid: ${why}.`);

function requireThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw invalid(otherwise);
}

const issuerOf = (element: Element) => childrenOf(element, ASSERTION, 'Issuer')[0]?.textContent?.trim();

/** The envelope is not always signed, so it can only lead to a refusal. */
function checkResponse(samlResponse: string, acsUrl: string, { config }: Provider): void {
  const response = parseXml(Buffer.from(samlResponse, 'base64').toString('utf8'));
  requireThat(!hasWeakSignature(response), 'its signature is too weak');
  const [status] = childrenOf(response, PROTOCOL, 'Status');
  const [code] = status ? childrenOf(status, PROTOCOL, 'StatusCode') : [];
  requireThat(code?.getAttribute('Value') === SUCCESS, 'it reports a failure');
  const issuer = issuerOf(response);
  requireThat(issuer === undefined || issuer === config.entityId, 'it comes from another issuer');
  const destination = response.getAttribute('Destination');
  requireThat(!destination || destination === acsUrl, 'it was sent elsewhere');
}

/** Until when a bearer may use the assertion here, in answer to this request. Milliseconds. */
function confirmedUntil(assertion: Element, acsUrl: string, requestId: string): number {
  const [subject] = childrenOf(assertion, ASSERTION, 'Subject');
  const confirmations = subject ? childrenOf(subject, ASSERTION, 'SubjectConfirmation') : [];
  for (const confirmation of confirmations) {
    const [data] = childrenOf(confirmation, ASSERTION, 'SubjectConfirmationData');
    const until = Date.parse(data?.getAttribute('NotOnOrAfter') ?? '');
    const isOurs =
      confirmation.getAttribute('Method') === BEARER &&
      data?.getAttribute('Recipient') === acsUrl &&
      data.getAttribute('InResponseTo') === requestId &&
      until > Date.now() - CLOCK_SKEW_MS;
    if (isOurs) return until;
  }
  throw invalid('it was not made for this sign-in');
}

/** Marks an assertion as used, for every process and after a restart. */
async function useUp(providerId: string, assertionId: string, expiresAt: number): Promise<void> {
  const id = createHash('sha256')
    .update(JSON.stringify([providerId, assertionId]))
    .digest('hex');
  const { rowCount } = await pool().query(
    'INSERT INTO saml_assertion (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, new Date(expiresAt + HOUR_MS)],
  );
  requireThat(rowCount === 1 && assertionId !== '', 'it was used before');
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

function personIn({ config }: Provider, profile: Profile): Asserted {
  const attributes = (profile['attributes'] ?? {}) as Record<string, unknown>;
  const first = (names: string[]) =>
    names.map((name) => textIn([attributes[name]].flat()[0])).find((value) => value !== null);
  const nameId = textIn(profile.nameID);
  if (!nameId) throw invalid('it names no user');
  const email = first(EMAILS) ?? (nameId.includes('@') ? nameId : null);
  // A transient name changes each time: then the address is the permanent id.
  const isTransient = (profile.nameIDFormat ?? '').endsWith(':transient');
  return {
    subject: isTransient && email ? email : nameId,
    email,
    isEmailVerified: true,
    name: first(NAMES) ?? null,
    groups: groupsIn(attributes[config.groupsClaim]),
    claims: { nameId, ...attributes },
    saml: { nameId, nameIdFormat: profile.nameIDFormat ?? '', sessionIndex: profile.sessionIndex ?? null },
  };
}
