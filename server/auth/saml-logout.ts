import { inflateRawSync } from 'node:zlib';
import type { Profile } from '@node-saml/node-saml';
import type { Prisma } from '@/generated/prisma/client';
import { prisma, type Db } from '../db/client';
import { samlOf } from './saml';
import { hasWeakSignature, isStrong, parseXml } from './saml-xml';
import { findProvider, providerOf, serviceProviders, ssoAddresses, type Provider } from './sso-provider';
import { SsoRefusal } from './sso-refusal';

interface SamlSubject {
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string | null;
}

async function providerById(id: string): Promise<Provider | null> {
  const service = serviceProviders().find((provider) => provider.id === id);
  if (service) return service;
  const row = await prisma().ssoProvider.findUnique({ where: { id } });
  return row && providerOf(row);
}

/** Where a session's own provider ends its part of the login; null: it has none, or no such address. */
export async function providerLogoutUrl(sessionId: string): Promise<string | null> {
  const session = await prisma().session.findUnique({ where: { id: sessionId } });
  const subject = session?.samlSubject as unknown as SamlSubject | null | undefined;
  if (!session?.ssoProviderId || !subject) return null;
  const provider = await providerById(session.ssoProviderId);
  if (provider?.type !== 'saml' || !provider.config.sloUrl) return null;
  const { nameId: nameID, nameIdFormat: nameIDFormat, sessionIndex } = subject;
  const user = {
    issuer: provider.config.entityId ?? '',
    nameID,
    nameIDFormat,
    sessionIndex: sessionIndex ?? undefined,
  };
  return samlOf(provider).getLogoutUrlAsync(user, '', {});
}

/** A logout that a provider asks for, by redirect or form, in the name of one of its people. */
export interface LogoutRequest {
  providerId: string;
  message: string;
  relayState: string;
  /** Redirect binding: the query as it came, which is what is signed. */
  query?: URLSearchParams;
  /** The part of the query's exact text that the signature is over. */
  signedPart?: string;
}

/**
 * Ends the sessions that a provider's signed request names. Answers where the browser takes our answer. Unsigned
 * requests are refused: anybody could make them.
 */
export async function logOutAsAsked(db: Db, asked: LogoutRequest): Promise<string> {
  const provider = await findProvider(asked.providerId);
  if (provider?.type !== 'saml') throw new SsoRefusal('invalid', 'No such provider.');
  const profile = await validated(provider, asked);
  await endSessions(db, provider.id, profile);
  if (!provider.config.sloUrl) return '/login';
  return samlOf(provider).getLogoutResponseUrlAsync(profile, asked.relayState, {}, true);
}

async function validated(provider: Provider, { message, query, signedPart }: LogoutRequest): Promise<Profile> {
  const saml = samlOf(provider);
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
  throw new SsoRefusal('invalid', 'The provider’s logout request names nobody.');
}

/** A request is small; what it unpacks to has a limit, so that it can't be a bomb. */
const MAX_BYTES = 256 * 1024;

/** It was sent here and not to somebody else, and is signed with what nobody can forge. */
function checkEnvelope(provider: Provider, message: string, isPacked: boolean): void {
  const bytes = Buffer.from(message, 'base64');
  const xml = (isPacked ? inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString('utf8');
  const request = parseXml(xml);
  const destination = request.getAttribute('Destination');
  if (destination && destination !== ssoAddresses(provider.id).sloUrl) throw new Error('it was sent elsewhere');
  if (hasWeakSignature(request)) throw new Error('its signature is too weak');
}

async function endSessions(db: Db, ssoProviderId: string, { nameID, sessionIndex }: Profile): Promise<void> {
  const named: Prisma.SessionWhereInput = { samlSubject: { path: ['nameId'], equals: nameID } };
  const which: Prisma.SessionWhereInput = sessionIndex
    ? { samlSubject: { path: ['sessionIndex'], equals: sessionIndex } }
    : {};
  await db.session.updateMany({
    where: { AND: [{ ssoProviderId, endedAt: null }, named, which] },
    data: { endedAt: new Date() },
  });
}
