import { verify } from 'node:crypto';
import type { Profile } from '@node-saml/node-saml';
import type { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { readSamlMessage } from '@/server/evaluation/evaluator/read-saml';
import { SamlFault } from '@/server/evaluation/saml/fault';
import { decodeSamlMessage, refuseXmlDocumentType } from '@/server/evaluation/saml/decode';
import type { ProviderLogout, SignedRedirect } from '@/server/evaluation/saml/messages';
import { toMessageRefusal, toSamlSettings, createSamlWriter } from './saml';
import { findEnabledProvider, toIdentityProvider, listServiceProviders, type IdentityProvider } from './provider';
import { SsoRefusal } from './refusal';

interface SamlSessionSubject {
  nameId: string;
  nameIdFormat: string;
  sessionIndex: string | null;
}

async function findAnyProvider(db: DatabaseClient, id: string): Promise<IdentityProvider | null> {
  const service = listServiceProviders().find((provider) => provider.id === id);
  if (service) return service;
  const row = await db.ssoProvider.findUnique({ where: { id } });
  return row && toIdentityProvider(row);
}

/** The logout address of a session's provider; null: there is none. */
export async function providerLogoutUrl(db: DatabaseClient, sessionId: string): Promise<string | null> {
  const session = await db.session.findUnique({ where: { id: sessionId } });
  const subject = session?.samlSubject as unknown as SamlSessionSubject | null | undefined;
  if (!session?.ssoProviderId || !subject) return null;
  const provider = await findAnyProvider(db, session.ssoProviderId);
  if (provider?.type !== 'saml' || !provider.config.sloUrl) return null;
  const { nameId: nameID, nameIdFormat: nameIDFormat, sessionIndex } = subject;
  const user = {
    issuer: provider.config.entityId ?? '',
    nameID,
    nameIDFormat,
    sessionIndex: sessionIndex ?? undefined,
  };
  return (await createSamlWriter(provider)).getLogoutUrlAsync(user, '', {});
}

/** A logout request of a provider, by redirect or form, for one of its people. */
export interface SamlLogoutRequest {
  providerId: string;
  message: string;
  relayState: string;
  /** Redirect binding: the raw query, which is signed. */
  rawQuery?: string;
}

/** The result of a valid request: the change that it asks for, and the address for the response. */
interface SamlLogout {
  endSessions(db: DatabaseClient): Promise<void>;
  onward: string;
}

/**
 * Reads the signed request of a provider. Unsigned requests are refused, because any site could forge them. Throws
 * SsoRefusal.
 */
export async function readSamlLogoutRequest(db: DatabaseClient, request: SamlLogoutRequest): Promise<SamlLogout> {
  const provider = await findEnabledProvider(request.providerId, db);
  if (provider?.type !== 'saml') throw new SsoRefusal('invalid', 'No such provider.');
  const { profile, issuedAt } = await readLogoutMessage(provider, request);
  const age = Math.abs(Date.now() - Date.parse(issuedAt));
  if (!(age <= MAX_LOGOUT_REQUEST_AGE_MS)) throw invalidLogoutRefusal('it was not made just now');
  const answerUrl = async () =>
    (await createSamlWriter(provider)).getLogoutResponseUrlAsync(profile, request.relayState, {}, true);
  return {
    onward: provider.config.sloUrl ? await answerUrl() : '/login',
    endSessions: (within) => endSamlSessions(within, provider.id, profile),
  };
}

/** Signed requests stay in histories and logs: an old one ends nothing. Tolerates clock differences. */
const MAX_LOGOUT_REQUEST_AGE_MS = 15 * 60_000;

const invalidLogoutRefusal = (why: string) =>
  new SsoRefusal('invalid', `The provider's logout request is not valid: ${why}`);

async function readLogoutMessage(
  provider: IdentityProvider,
  { message, rawQuery }: SamlLogoutRequest,
): Promise<ProviderLogout> {
  const settings = toSamlSettings(provider);
  const redirect = rawQuery === undefined ? null : verifySignedRedirect(rawQuery, settings.certificates);
  const reading = { kind: 'logout', redirect } as const;
  return readSamlMessage(settings, reading, message, { workspaceId: provider.workspaceId ?? '' }).catch(
    (error: unknown) => {
      throw toMessageRefusal(error);
    },
  );
}

/** The algorithms of signatures that count, as a redirect names them. SHA-1 is not collision-resistant. */
const REDIRECT_SIGNATURE_HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};

/**
 * The parameters of a redirect that one of these certificates signed. The signature covers the raw query, so it is
 * checked before the message is unpacked and parsed. Throws SsoRefusal.
 */
function verifySignedRedirect(rawQuery: string, certificates: readonly string[]): SignedRedirect {
  const query = new URLSearchParams(rawQuery);
  const [signature, algorithm] = [query.get('Signature'), query.get('SigAlg')];
  if (!signature || !algorithm) throw invalidLogoutRefusal('it is not signed');
  const hash = Object.hasOwn(REDIRECT_SIGNATURE_HASHES, algorithm) ? REDIRECT_SIGNATURE_HASHES[algorithm] : undefined;
  if (!hash) throw invalidLogoutRefusal('its signature is too weak');
  const signedPart = signedQueryPart(rawQuery);
  const isSigned = certificates.some((certificate) =>
    verify(hash, Buffer.from(signedPart), certificate, Buffer.from(signature, 'base64')),
  );
  if (!isSigned) throw invalidLogoutRefusal('Invalid query signature');
  return { parameters: Object.fromEntries(query), signedPart };
}

/**
 * The parameters in the order of the binding. They keep the provider's spelling, because escapes can be spelled in more
 * than one way.
 */
function signedQueryPart(rawQuery: string): string {
  const parts = rawQuery.split('&');
  const parameters = ['SAMLRequest', 'RelayState', 'SigAlg'].map((name) =>
    parts.find((part) => part.startsWith(`${name}=`)),
  );
  return parameters.filter((part) => part !== undefined).join('&');
}

/** A provider's answer to our request is not processed further: the login has ended here before. */
export function checkLogoutResponse(message: string, isPacked: boolean): void {
  let xml: string;
  try {
    xml = decodeSamlMessage(message, isPacked);
  } catch (error) {
    throw new SsoRefusal('invalid', 'The provider’s logout response is not valid.', {}, error);
  }
  try {
    refuseXmlDocumentType(xml);
  } catch (error) {
    throw error instanceof SamlFault ? new SsoRefusal('invalid', error.message, {}, error) : error;
  }
}

async function endSamlSessions(
  db: DatabaseClient,
  ssoProviderId: string,
  { nameID, sessionIndex }: Profile,
): Promise<void> {
  const sameNameId: Prisma.SessionWhereInput = { samlSubject: { path: ['nameId'], equals: nameID } };
  const which: Prisma.SessionWhereInput = sessionIndex
    ? { samlSubject: { path: ['sessionIndex'], equals: sessionIndex } }
    : {};
  await db.session.updateMany({
    where: { AND: [{ ssoProviderId, endedAt: null }, sameNameId, which] },
    data: { endedAt: new Date() },
  });
}
