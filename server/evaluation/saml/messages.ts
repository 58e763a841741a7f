import type { Profile } from '@node-saml/node-saml';
import type { Element } from '@xmldom/xmldom';
import { SAML_CLOCK_SKEW_MS, createSamlClient, type SamlSettings } from './client';
import { decodeSamlMessage } from './decode';
import { SamlFault } from './fault';
import { childElements, hasWeakSignature, parseSamlXml } from './xml';

const SAML_PROTOCOL_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SAML_ASSERTION_NAMESPACE = 'urn:oasis:names:tc:SAML:2.0:assertion';
const BEARER_CONFIRMATION = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const SAML_STATUS_SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** What a valid answer asserts. */
export interface AssertedIdentity {
  nameId: unknown;
  nameIdFormat: string;
  sessionIndex: string | null;
  attributes: Record<string, unknown>;
  /** An assertion is used once. */
  assertionId: string;
  /** The time until which a bearer may use it, in milliseconds. */
  expiresAt: number;
}

/** A valid request of a provider to end a login. */
export interface ProviderLogout {
  /** The profile that node-saml needs to write the response. */
  profile: Profile;
  /** ISO 8601, as the provider wrote it. */
  issuedAt: string;
}

/** A redirect with a message: its parameters, and the signed part of the raw query. */
export interface SignedRedirect {
  parameters: Record<string, string>;
  signedPart: string;
}

/** The ways to read a message of a provider. */
export type SamlReading =
  /** An answer to the request with this id. */
  | { kind: 'answer'; requestId: string }
  /** A logout request; null: it came in a form, and is signed itself. */
  | { kind: 'logout'; redirect: SignedRedirect | null };

const samlErrorText = (error: unknown) => (error instanceof Error ? error.message : String(error));
const invalidResponseFault = (why: string, cause?: unknown) =>
  new SamlFault(`The provider's answer is not valid: ${why}`, { cause });

function requireInResponse(isSo: boolean, otherwise: string): void {
  if (!isSo) throw invalidResponseFault(`${otherwise}.`);
}

/**
 * What an answer asserts. Verifies signature, status, issuer, destination, audience, times, and that it answers this
 * request at this address. Throws SamlFault.
 *
 * For evaluator processes only: libraries for XML need quadratic time for some messages that anyone can send.
 */
export async function readSamlResponse(
  settings: SamlSettings,
  requestId: string,
  message: string,
): Promise<AssertedIdentity> {
  const response = parseSamlXml(decodeSamlMessage(message, false));
  const profile = await validateResponse(settings, requestId, message);
  checkResponseEnvelope(response, settings);
  const assertion = parseSamlXml(profile.getAssertionXml?.() ?? '');
  requireInResponse(findIssuer(assertion) === settings.providerId, 'it comes from another issuer');
  return {
    nameId: profile.nameID,
    nameIdFormat: profile.nameIDFormat ?? '',
    sessionIndex: profile.sessionIndex ?? null,
    attributes: (profile['attributes'] ?? {}) as Record<string, unknown>,
    assertionId: assertion.getAttribute('ID') ?? '',
    expiresAt: findConfirmationEnd(assertion, settings.acsUrl, requestId),
  };
}

async function validateResponse(settings: SamlSettings, requestId: string, SAMLResponse: string): Promise<Profile> {
  try {
    const saml = await createSamlClient(settings, requestId);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile) return profile;
  } catch (error) {
    throw invalidResponseFault(samlErrorText(error), error);
  }
  throw invalidResponseFault('it contains no identity.');
}

const findIssuer = (element: Element) =>
  childElements(element, SAML_ASSERTION_NAMESPACE, 'Issuer')[0]?.textContent?.trim();

/** The envelope is not always signed, so it can only lead to a refusal. */
function checkResponseEnvelope(response: Element, { acsUrl, providerId }: SamlSettings): void {
  requireInResponse(!hasWeakSignature(response), 'its signature is too weak');
  const [status] = childElements(response, SAML_PROTOCOL_NAMESPACE, 'Status');
  const [code] = status ? childElements(status, SAML_PROTOCOL_NAMESPACE, 'StatusCode') : [];
  requireInResponse(code?.getAttribute('Value') === SAML_STATUS_SUCCESS, 'it reports a failure');
  const issuer = findIssuer(response);
  requireInResponse(issuer === undefined || issuer === providerId, 'it comes from another issuer');
  const destination = response.getAttribute('Destination');
  requireInResponse(!destination || destination === acsUrl, 'it was sent elsewhere');
}

/** Until when a bearer may use the assertion here, in answer to this request. Milliseconds. */
function findConfirmationEnd(assertion: Element, acsUrl: string, requestId: string): number {
  const [subject] = childElements(assertion, SAML_ASSERTION_NAMESPACE, 'Subject');
  const confirmations = subject ? childElements(subject, SAML_ASSERTION_NAMESPACE, 'SubjectConfirmation') : [];
  for (const confirmation of confirmations) {
    const [data] = childElements(confirmation, SAML_ASSERTION_NAMESPACE, 'SubjectConfirmationData');
    const until = Date.parse(data?.getAttribute('NotOnOrAfter') ?? '');
    const isOurs =
      confirmation.getAttribute('Method') === BEARER_CONFIRMATION &&
      data?.getAttribute('Recipient') === acsUrl &&
      data.getAttribute('InResponseTo') === requestId &&
      until > Date.now() - SAML_CLOCK_SKEW_MS;
    if (isOurs) return until;
  }
  throw invalidResponseFault('it was not made for this sign-in.');
}

/**
 * A logout request that this provider signed for this address. Throws SamlFault. For evaluator processes only, as
 * above.
 */
export async function readProviderLogout(
  settings: SamlSettings,
  redirect: SignedRedirect | null,
  message: string,
): Promise<ProviderLogout> {
  try {
    const request = parseSamlXml(decodeSamlMessage(message, redirect !== null));
    const destination = request.getAttribute('Destination');
    if (destination && destination !== settings.sloUrl) throw new Error('it was sent elsewhere');
    if (hasWeakSignature(request)) throw new Error('its signature is too weak');
    const saml = await createSamlClient(settings);
    const { profile } = redirect
      ? await saml.validateRedirectAsync(redirect.parameters, redirect.signedPart)
      : await saml.validatePostRequestAsync({ SAMLRequest: message });
    if (profile) return { profile, issuedAt: request.getAttribute('IssueInstant') ?? '' };
  } catch (error) {
    throw new SamlFault(`The provider's logout request is not valid: ${samlErrorText(error)}`, { cause: error });
  }
  throw new SamlFault('The provider’s logout request names no user.');
}
