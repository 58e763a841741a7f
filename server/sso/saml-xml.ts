import { DOMParser, type Element } from '@xmldom/xmldom';
import { SsoRefusal } from './refusal';

/**
 * The root of a document. Throws SsoRefusal for invalid XML, and for a document type: SAML forbids it, and parsers may read its
 * declarations differently.
 */
export function parseXml(xml: string): Element {
  refuseDocumentType(xml);
  try {
    const root = new DOMParser({ onError: () => undefined }).parseFromString(xml, 'text/xml').documentElement;
    if (root) return root;
  } catch (error) {
    throw new SsoRefusal('invalid', 'The provider’s message is not XML.', {}, error);
  }
  throw new SsoRefusal('invalid', 'The provider’s message is empty.');
}

/** For messages that a library parses itself. */
export function refuseDocumentType(xml: string): void {
  // Examines the text: a parser may skip a declaration, and a comment never needs these characters.
  if (/<!(doctype|entity)/i.test(xml)) {
    throw new SsoRefusal(
      'invalid',
      'The provider’s message has a document type declaration (DTD), which SAML does not allow.',
    );
  }
}

export const childrenOf = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(namespace, name)).filter(({ parentNode }) => parentNode === element);

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** Whether a signature algorithm is strong: SHA-1 is not collision-resistant. */
export const isStrong = (algorithm: string | null): boolean => /sha(256|384|512)$/.test(algorithm ?? '');

/** Whether any signature or digest of a document uses a weak algorithm. */
export function hasWeakSignature(root: Element): boolean {
  const methods = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'SignatureMethod'));
  const references = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'Reference'));
  const digests = references.flatMap((reference) => childrenOf(reference, SIGNATURE, 'DigestMethod'));
  return [...methods, ...digests].some((method) => !isStrong(method.getAttribute('Algorithm')));
}
