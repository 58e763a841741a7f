import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { refuseXmlDocumentType } from './decode';
import { SamlFault } from './fault';

/** Ends the parsing at the first error: to recover from many, the parser needs quadratic time. */
function throwParserError(level: 'warning' | 'error' | 'fatalError', message: string): void {
  if (level !== 'warning') throw new Error(message);
}

/**
 * The root of a document. Throws SamlFault for invalid XML, and for a document type: SAML forbids it, and parsers may
 * read its declarations differently.
 */
export function parseSamlXml(xml: string): Element {
  refuseXmlDocumentType(xml);
  try {
    const root = new DOMParser({ onError: throwParserError }).parseFromString(xml, 'text/xml').documentElement;
    if (root) return root;
  } catch (error) {
    throw new SamlFault('The provider’s message is not XML.', { cause: error });
  }
  throw new SamlFault('The provider’s message is empty.');
}

/** The parts of an element with this name: not those further inside, for which every level would be searched again. */
export const childElements = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(element.childNodes).filter(
    (node): node is Element => isElementNode(node) && node.namespaceURI === namespace && node.localName === name,
  );

const isElementNode = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

const XML_SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#';

/** Whether a signature algorithm is strong: SHA-1 is not collision-resistant. */
const isStrongAlgorithm = (algorithm: string | null): boolean => /sha(256|384|512)$/.test(algorithm ?? '');

/** Encryption has digests as well, for which SHA-1 is good enough. */
const isReferenceDigest = ({ parentNode }: Element): boolean =>
  parentNode?.localName === 'Reference' && parentNode.namespaceURI === XML_SIGNATURE_NAMESPACE;

/** Whether any signature or digest of a document uses a weak algorithm. */
export function hasWeakSignature(root: Element): boolean {
  const methods = Array.from(root.getElementsByTagNameNS(XML_SIGNATURE_NAMESPACE, 'SignatureMethod'));
  const digests = Array.from(root.getElementsByTagNameNS(XML_SIGNATURE_NAMESPACE, 'DigestMethod')).filter(
    isReferenceDigest,
  );
  return [...methods, ...digests].some((method) => !isStrongAlgorithm(method.getAttribute('Algorithm')));
}
