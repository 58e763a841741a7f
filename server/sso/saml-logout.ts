import { verify } from 'node:crypto';
import type { Profile } from '@node-saml/node-saml';
import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { readSaml } from '@/server/evaluation/read-saml';
import { SamlFault } from '@/server/saml/fault';
import { decodeMessage, refuseDocumentType } from '@/server/saml/decode';
import type { ProviderLogout, SignedRedirect } from '@/server/saml/messages';
import { refusedMessage, samlSettings, samlWriter } from './saml';
import { findProvider, providerOf, serviceProviders, type Provider } from './provider';
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
  return (await samlWriter(provider)).getLogoutUrlAsync(user, '', {});
}

/** A logout request of a provider, by redirect or form, for one of its people. */
export interface LogoutRequest {
  providerId: string;
  message: string;
  relayState: string;
  /** Redirect binding: the raw query, which is signed. */
  rawQuery?: string;
}

/** What a valid request asks for: the change, and the address for our answer. */
interface ReadLogout {
  endSessions(db: Db): Promise<void>;
  onward: string;
}

/** Reads the signed request of a provider. Unsigned requests are refused, because any site could forge them. Throws SsoRefusal. */
export async function readLogoutRequest(db: Db, request: LogoutRequest): Promise<ReadLogout> {
  const provider = await findProvider(request.providerId, db);
  if (provider?.type !== 'saml') throw new SsoRefusal('invalid', 'No such provider.');
  const { profile, issuedAt } = await readRequest(provider, request);
  const age = Math.abs(Date.now() - Date.parse(issuedAt));
  if (!(age <= MAX_AGE_MS)) throw invalid('it was not made just now');
  const answerUrl = async () =>
    (await samlWriter(provider)).getLogoutResponseUrlAsync(profile, request.relayState, {}, true);
  return {
    onward: provider.config.sloUrl ? await answerUrl() : '/login',
    endSessions: (within) => endSessions(within, provider.id, profile),
  };
}

/** Signed requests stay in histories and logs: an old one ends nothing. Tolerates clock differences. */
const MAX_AGE_MS = 15 * 60_000;

const invalid = (why: string) => new SsoRefusal('invalid', `The provider's logout request is not valid: ${why}`);

async function readRequest(provider: Provider, { message, rawQuery }: LogoutRequest): Promise<ProviderLogout> {
  const settings = samlSettings(provider);
  const redirect = rawQuery === undefined ? null : signedRedirect(rawQuery, settings.certificates);
  const reading = { kind: 'logout', redirect } as const;
  return readSaml(settings, reading, message, { workspaceId: provider.workspaceId ?? '' }).catch((error: unknown) => {
    throw refusedMessage(error);
  });
}

/** The algorithms of signatures that count, as a redirect names them. SHA-1 is not collision-resistant. */
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};

/**
 * The parameters of a redirect that one of these certificates signed. The signature covers the raw query, so it is checked before the
 * message is unpacked and parsed. Throws SsoRefusal.
 */
function signedRedirect(rawQuery: string, certificates: readonly string[]): SignedRedirect {
  const query = new URLSearchParams(rawQuery);
  const [signature, algorithm] = [query.get('Signature'), query.get('SigAlg')];
  if (!signature || !algorithm) throw invalid('it is not signed');
  const hash = Object.hasOwn(HASHES, algorithm) ? HASHES[algorithm] : undefined;
  if (!hash) throw invalid('its signature is too weak');
  const signedPart = signedPartOf(rawQuery);
  const isSigned = certificates.some((certificate) =>
    verify(hash, Buffer.from(signedPart), certificate, Buffer.from(signature, 'base64')),
  );
  if (!isSigned) throw invalid('Invalid query signature');
  return { parameters: Object.fromEntries(query), signedPart };
}

/** In the order that the binding prescribes, and in the provider's spelling: escapes can be spelled in more than one way. */
function signedPartOf(rawQuery: string): string {
  const parts = rawQuery.split('&');
  const parameters = ['SAMLRequest', 'RelayState', 'SigAlg'].map((name) =>
    parts.find((part) => part.startsWith(`${name}=`)),
  );
  return parameters.filter((part) => part !== undefined).join('&');
}

/** A provider's answer to our request is not processed further: the login has ended here before. */
export function checkLogoutAnswer(message: string, isPacked: boolean): void {
  let xml: string;
  try {
    xml = decodeMessage(message, isPacked);
  } catch (error) {
    throw new SsoRefusal('invalid', 'The provider’s logout response is not valid.', {}, error);
  }
  try {
    refuseDocumentType(xml);
  } catch (error) {
    throw error instanceof SamlFault ? new SsoRefusal('invalid', error.message, {}, error) : error;
  }
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
