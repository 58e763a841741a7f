import type { Profile } from '@node-saml/node-saml';
import type { Element } from '@xmldom/xmldom';
import { CLOCK_SKEW_MS, createSamlClient, type SamlSettings } from './client';
import { decodeMessage } from './decode';
import { SamlFault } from './fault';
import { childrenOf, hasWeakSignature, parseXml } from './xml';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** What a valid answer asserts. */
export interface AssertedIdentity {
  nameId: unknown;
  nameIdFormat: string;
  sessionIndex: string | null;
  attributes: Record<string, unknown>;
  /** An assertion is used once. */
  assertionId: string;
  /** Until when a bearer may use it. Milliseconds. */
  expiresAt: number;
}

/** A valid request of a provider to end a login. */
export interface ProviderLogout {
  /** As node-saml needs it for the answer. */
  profile: Profile;
  /** ISO 8601, as the provider wrote it. */
  issuedAt: string;
}

/** A redirect with a message: its parameters, and the signed part of the raw query. */
export interface SignedRedirect {
  parameters: Record<string, string>;
  signedPart: string;
}

/** What a message of a provider is read as. */
export type SamlReading =
  /** An answer to the request with this id. */
  | { kind: 'answer'; requestId: string }
  /** A logout request; null: it came in a form, and is signed itself. */
  | { kind: 'logout'; redirect: SignedRedirect | null };

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const invalidAnswer = (why: string, cause?: unknown) =>
  new SamlFault(`The provider's answer is not valid: ${why}`, { cause });

function requireThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw invalidAnswer(`${otherwise}.`);
}

/**
 * What an answer asserts. Verifies signature, status, issuer, destination, audience, times, and that it answers this request at this
 * address. Throws SamlFault.
 *
 * For evaluator processes only: libraries for XML need quadratic time for some messages that anyone can send.
 */
export async function readAnswer(
  settings: SamlSettings,
  requestId: string,
  message: string,
): Promise<AssertedIdentity> {
  const response = parseXml(decodeMessage(message, false));
  const profile = await validAnswer(settings, requestId, message);
  checkResponse(response, settings);
  const assertion = parseXml(profile.getAssertionXml?.() ?? '');
  requireThat(issuerOf(assertion) === settings.providerId, 'it comes from another issuer');
  return {
    nameId: profile.nameID,
    nameIdFormat: profile.nameIDFormat ?? '',
    sessionIndex: profile.sessionIndex ?? null,
    attributes: (profile['attributes'] ?? {}) as Record<string, unknown>,
    assertionId: assertion.getAttribute('ID') ?? '',
    expiresAt: confirmedUntil(assertion, settings.acsUrl, requestId),
  };
}

async function validAnswer(settings: SamlSettings, requestId: string, SAMLResponse: string): Promise<Profile> {
  try {
    const saml = await createSamlClient(settings, requestId);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile) return profile;
  } catch (error) {
    throw invalidAnswer(messageOf(error), error);
  }
  throw invalidAnswer('it contains no identity.');
}

const issuerOf = (element: Element) => childrenOf(element, ASSERTION, 'Issuer')[0]?.textContent?.trim();

/** The envelope is not always signed, so it can only lead to a refusal. */
function checkResponse(response: Element, { acsUrl, providerId }: SamlSettings): void {
  requireThat(!hasWeakSignature(response), 'its signature is too weak');
  const [status] = childrenOf(response, PROTOCOL, 'Status');
  const [code] = status ? childrenOf(status, PROTOCOL, 'StatusCode') : [];
  requireThat(code?.getAttribute('Value') === SUCCESS, 'it reports a failure');
  const issuer = issuerOf(response);
  requireThat(issuer === undefined || issuer === providerId, 'it comes from another issuer');
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
  throw invalidAnswer('it was not made for this sign-in.');
}

/** A logout request that this provider signed for this address. Throws SamlFault. For evaluator processes only, as above. */
export async function readLogout(
  settings: SamlSettings,
  redirect: SignedRedirect | null,
  message: string,
): Promise<ProviderLogout> {
  try {
    const request = parseXml(decodeMessage(message, redirect !== null));
    const destination = request.getAttribute('Destination');
    if (destination && destination !== settings.sloUrl) throw new Error('it was sent elsewhere');
    if (hasWeakSignature(request)) throw new Error('its signature is too weak');
    const saml = await createSamlClient(settings);
    const { profile } = redirect
      ? await saml.validateRedirectAsync(redirect.parameters, redirect.signedPart)
      : await saml.validatePostRequestAsync({ SAMLRequest: message });
    if (profile) return { profile, issuedAt: request.getAttribute('IssueInstant') ?? '' };
  } catch (error) {
    throw new SamlFault(`The provider's logout request is not valid: ${messageOf(error)}`, { cause: error });
  }
  throw new SamlFault('The provider’s logout request names no user.');
}
