import { inflateRawSync } from 'node:zlib';
import type { Profile } from '@node-saml/node-saml';
import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { samlOf } from './saml';
import { hasWeakSignature, isStrong, parseXml, refuseDocumentType } from './saml-xml';
import { findProvider, providerOf, serviceProviders, ssoAddresses, type Provider } from './provider';
import { SsoRefusal } from './refusal';

interface SamlSubject {
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string | null;
}

async function providerById(db: Db, id: string): Promise<Provider | null> {
  const service = serviceProviders().find((provider) => provider.id === id);
  if (service) return service;
  const row = await db.ssoProvider.findUnique({ where: { id } });
  return row && providerOf(row);
}

/** The logout address of a session's provider; null: there is none. */
export async function providerLogoutUrl(db: Db, sessionId: string): Promise<string | null> {
  const session = await db.session.findUnique({ where: { id: sessionId } });
  const subject = session?.samlSubject as unknown as SamlSubject | null | undefined;
  if (!session?.ssoProviderId || !subject) return null;
  const provider = await providerById(db, session.ssoProviderId);
  if (provider?.type !== 'saml' || !provider.config.sloUrl) return null;
  const { nameId: nameID, nameIdFormat: nameIDFormat, sessionIndex } = subject;
  const user = {
    issuer: provider.config.entityId ?? '',
    nameID,
    nameIDFormat,
    sessionIndex: sessionIndex ?? undefined,
  };
  return (await samlOf(provider)).getLogoutUrlAsync(user, '', {});
}

/** A logout request of a provider, by redirect or form, for one of its people. */
export interface LogoutRequest {
  providerId: string;
  message: string;
  relayState: string;
  /** Redirect binding: the raw query, which is signed. */
  query?: URLSearchParams;
  /** The signed part of the raw query. */
  signedPart?: string;
}

/**
 * Ends the sessions of a provider's signed request. Returns the address for our answer. Unsigned requests are refused, because any site
 * could forge them.
 */
export async function handleLogoutRequest(db: Db, request: LogoutRequest): Promise<string> {
  const provider = await findProvider(request.providerId, db);
  if (provider?.type !== 'saml') throw new SsoRefusal('invalid', 'No such provider.');
  const profile = await validated(provider, request);
  await endSessions(db, provider.id, profile);
  if (!provider.config.sloUrl) return '/login';
  return (await samlOf(provider)).getLogoutResponseUrlAsync(profile, request.relayState, {}, true);
}

async function validated(provider: Provider, { message, query, signedPart }: LogoutRequest): Promise<Profile> {
  const saml = await samlOf(provider);
  try {
    if (query && (!query.get('Signature') || !query.get('SigAlg'))) throw new Error('it is not signed');
    if (query && !isStrong(query.get('SigAlg'))) throw new Error('its signature is too weak');
    checkEnvelope(provider, message, query !== undefined);
    const { profile } = query
      ? await saml.validateRedirectAsync(Object.fromEntries(query), signedPart ?? '')
      : await saml.validatePostRequestAsync({ SAMLRequest: message });
    if (profile) return profile;
  } catch (error) {
    const { message: why } = error instanceof Error ? error : new Error(String(error));
    throw new SsoRefusal('invalid', `The provider's logout request is not valid: ${why}`, {}, error);
  }
  throw new SsoRefusal('invalid', 'The provider’s logout request names no user.');
}

/** Signed requests stay in histories and logs: an old one ends nothing. Tolerates clock differences. */
const MAX_AGE_MS = 15 * 60_000;

/** A request is small; its decompressed size is limited against bombs. */
const MAX_BYTES = 256 * 1024;

function textOf(message: string, isPacked: boolean): string {
  const bytes = Buffer.from(message, 'base64');
  return (isPacked ? inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString('utf8');
}

/** A provider's answer to our request is not processed further: the login has ended here before. */
export function checkLogoutAnswer(message: string, isPacked: boolean): void {
  let xml: string;
  try {
    xml = textOf(message, isPacked);
  } catch (error) {
    throw new SsoRefusal('invalid', 'The provider’s logout response is not valid.', {}, error);
  }
  refuseDocumentType(xml);
}

/** It is addressed to this service and has a strong signature. */
function checkEnvelope(provider: Provider, message: string, isPacked: boolean): void {
  const request = parseXml(textOf(message, isPacked));
  const destination = request.getAttribute('Destination');
  if (destination && destination !== ssoAddresses(provider.id).sloUrl) throw new Error('it was sent elsewhere');
  if (hasWeakSignature(request)) throw new Error('its signature is too weak');
  const age = Math.abs(Date.now() - Date.parse(request.getAttribute('IssueInstant') ?? ''));
  if (!(age <= MAX_AGE_MS)) throw new Error('it was not made just now');
}

async function endSessions(db: Db, ssoProviderId: string, { nameID, sessionIndex }: Profile): Promise<void> {
  const sameNameId: Prisma.SessionWhereInput = { samlSubject: { path: ['nameId'], equals: nameID } };
  const which: Prisma.SessionWhereInput = sessionIndex
    ? { samlSubject: { path: ['sessionIndex'], equals: sessionIndex } }
    : {};
  await db.session.updateMany({
    where: { AND: [{ ssoProviderId, endedAt: null }, sameNameId, which] },
    data: { endedAt: new Date() },
  });
}
