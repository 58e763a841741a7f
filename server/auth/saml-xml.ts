import { DOMParser, type Element } from '@xmldom/xmldom';
import { SsoRefusal } from './sso-refusal';

/** The root of a document. Throws SsoRefusal for what is none. */
export function parseXml(xml: string): Element {
  try {
    const root = new DOMParser({ onError: () => undefined }).parseFromString(xml, 'text/xml').documentElement;
    if (root) return root;
  } catch (error) {
    throw new SsoRefusal('invalid', 'The provider’s message is no XML.', {}, error);
  }
  throw new SsoRefusal('invalid', 'The provider’s message is empty.');
}

export const childrenOf = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(element.getElementsByTagNameNS(namespace, name)).filter(({ parentNode }) => parentNode === element);

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** Whether a signature under this algorithm can't be forged: SHA-1's collisions are for sale. */
export const isStrong = (algorithm: string | null): boolean => /sha(256|384|512)$/.test(algorithm ?? '');

/** Whether anything in a document is signed, or digested for its signature, by too weak an algorithm. */
export function hasWeakSignature(root: Element): boolean {
  const methods = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'SignatureMethod'));
  const references = Array.from(root.getElementsByTagNameNS(SIGNATURE, 'Reference'));
  const digests = references.flatMap((reference) => childrenOf(reference, SIGNATURE, 'DigestMethod'));
  return [...methods, ...digests].some((method) => !isStrong(method.getAttribute('Algorithm')));
}
