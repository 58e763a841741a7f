import { createSign, randomBytes, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DOMParser } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';
import { generateSamlKeyPair } from '@/server/people/sso/certificate';

/** The content of the AuthnRequest, and its relay state. */
export interface SamlRequest {
  id: string;
  acsUrl: string;
  issuer: string;
  relayState: string;
  xml: string;
}

/** Deviations from a valid response. */
export interface Lie {
  sign?: 'both' | 'assertion' | 'response' | 'none';
  audience?: string;
  recipient?: string;
  destination?: string;
  inResponseTo?: string;
  issuer?: string;
  /** Milliseconds from now. */
  notBefore?: number;
  notOnOrAfter?: number;
  status?: string;
  assertionId?: string;
  nameId?: string;
  attributes?: Record<string, string>;
  /** Signs with a foreign key. */
  keys?: Keys;
  /** Signs with an obsolete algorithm (SHA-1). */
  sha1?: boolean;
  /** Encrypts the assertion for the owner of this certificate. */
  encryptFor?: string;
}

interface Keys {
  privateKey: string;
  certificate: string;
}

const NAMESPACES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const newXmlId = () => `_${randomBytes(16).toString('hex')}`;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const RSA_SHA1 = `${DSIG}rsa-sha1`;
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

function signed(xml: string, id: string, { privateKey, certificate }: Keys, sha1 = false): string {
  const body = certificate.replace(/-----[^-]+-----|\s/g, '');
  const signer = new SignedXml({
    privateKey,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    signatureAlgorithm: sha1 ? RSA_SHA1 : RSA_SHA256,
    getKeyInfoContent: () => `<ds:X509Data><ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data>`,
  });
  signer.addReference({
    xpath: `//*[@ID='${id}']`,
    digestAlgorithm: sha1 ? `${DSIG}sha1` : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  const location = { reference: `//*[@ID='${id}']/*[local-name(.)='Issuer']`, action: 'after' as const };
  signer.computeSignature(xml, { prefix: 'ds', location });
  return signer.getSignedXml();
}

/** A SAML identity provider with real signatures and configurable deviations. */
export class SamlIdp {
  readonly entityId = `https://idp.example/${randomBytes(4).toString('hex')}`;
  readonly ssoUrl = 'https://idp.example/sso';
  readonly sloUrl = 'https://idp.example/slo';

  private constructor(readonly keys: Keys) {}

  static async start(): Promise<SamlIdp> {
    return new SamlIdp(await generateSamlKeyPair());
  }

  /** The AuthnRequest in the redirect URL. */
  read(redirectUrl: string): SamlRequest {
    const query = new URL(redirectUrl).searchParams;
    const xml = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString('utf8');
    const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
    const issuer = root?.getElementsByTagNameNS('urn:oasis:names:tc:SAML:2.0:assertion', 'Issuer')[0]?.textContent;
    return {
      id: root?.getAttribute('ID') ?? '',
      acsUrl: root?.getAttribute('AssertionConsumerServiceURL') ?? '',
      issuer: issuer ?? '',
      relayState: query.get('RelayState') ?? '',
      xml,
    };
  }

  /** A response to `request` that asserts `email`, with the deviations in `lie`. */
  async response(request: SamlRequest, email: string, lie: Lie = {}): Promise<string> {
    const { sign = 'both', audience = request.issuer, recipient = request.acsUrl, destination = request.acsUrl } = lie;
    const { inResponseTo = request.id, issuer = this.entityId, notBefore = -60_000, notOnOrAfter = 300_000 } = lie;
    const { assertionId = newXmlId(), nameId = escaped(email), attributes = { email }, keys = this.keys } = lie;
    const responseId = newXmlId();
    const answers = inResponseTo ? ` InResponseTo="${inResponseTo}"` : '';
    const statement = Object.entries(attributes)
      .map(
        ([name, value]) =>
          `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
      )
      .join('');
    const assertion =
      `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${assertionId}" Version="2.0" IssueInstant="${at(0)}">` +
      `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject>` +
      `<saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${nameId}</saml:NameID>` +
      `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData${answers} ` +
      `NotOnOrAfter="${at(notOnOrAfter)}" Recipient="${recipient}"/></saml:SubjectConfirmation></saml:Subject>` +
      `<saml:Conditions NotBefore="${at(notBefore)}" NotOnOrAfter="${at(notOnOrAfter)}">` +
      `<saml:AudienceRestriction><saml:Audience>${escaped(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="${newXmlId()}"><saml:AuthnContext>` +
      `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>` +
      `</saml:AuthnStatement><saml:AttributeStatement>${statement}</saml:AttributeStatement></saml:Assertion>`;
    let xml =
      `<samlp:Response ${NAMESPACES} ID="${responseId}" Version="2.0" IssueInstant="${at(0)}" Destination="${destination}"${answers}>` +
      `<saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:` +
      `${lie.status ?? 'Success'}"/></samlp:Status>${assertion}</samlp:Response>`;
    if (sign === 'both' || sign === 'assertion') xml = signed(xml, assertionId, keys, lie.sha1);
    if (lie.encryptFor) xml = await withEncrypted(xml, lie.encryptFor);
    if (sign === 'both' || sign === 'response') xml = signed(xml, responseId, keys, lie.sha1);
    return xml;
  }

  /** A logout request; signed for the POST binding. `agoMs`: how old it is. */
  logoutRequest(nameId: string, destination: string, isSigned = true, agoMs = 0): string {
    const id = newXmlId();
    const xml =
      `<samlp:LogoutRequest ${NAMESPACES} ID="${id}" Version="2.0" IssueInstant="${at(-agoMs)}" Destination="${escaped(destination)}">` +
      `<saml:Issuer>${this.entityId}</saml:Issuer><saml:NameID>${nameId}</saml:NameID></samlp:LogoutRequest>`;
    return isSigned ? signed(xml, id, this.keys) : xml;
  }

  /** The query of a logout request for the redirect binding. `escape`: the URL encoding of this provider. */
  logoutQuery(
    nameId: string,
    destination: string,
    escape: (text: string) => string = encodeURIComponent,
    algorithm = 'sha256',
    agoMs = 0,
  ): string {
    const xml = this.logoutRequest(nameId, destination, false, agoMs);
    return this.signedQuery(xml, escape, algorithm);
  }

  /** The query of any message for the redirect binding. */
  signedQuery(xml: string, escape: (text: string) => string = encodeURIComponent, algorithm = 'sha256'): string {
    const packed = deflateRawSync(xml).toString('base64');
    const words = {
      SAMLRequest: packed,
      RelayState: 'their state',
      SigAlg: algorithm === 'sha1' ? RSA_SHA1 : RSA_SHA256,
    };
    const query = Object.entries(words)
      .map(([name, value]) => `${name}=${escape(value)}`)
      .join('&');
    const signature = createSign(`RSA-${algorithm}`).update(query).sign(this.keys.privateKey, 'base64');
    return `${query}&Signature=${escape(signature)}`;
  }
}

/** Encrypts the assertion: AES under a key that is encrypted for the certificate's owner. */
async function withEncrypted(xml: string, certificate: string): Promise<string> {
  const assertion = assertionOf(xml);
  const encrypted = await promisify(encrypt)(assertion, {
    rsa_pub: new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }),
    pem: certificate,
    encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  });
  return xml.replace(assertion, `<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`);
}

/** The XML of the first assertion in a response. */
export const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]*?<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
