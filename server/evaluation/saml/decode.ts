import { inflateRawSync } from 'node:zlib';
import { SamlFault } from './fault';

/** A request is small; its decompressed size is limited against bombs. */
const MAX_INFLATED_BYTES = 256 * 1024;

/** The XML of a message. `isPacked`: compressed, as in redirects. Throws if it cannot be decoded. */
export function decodeSamlMessage(message: string, isPacked: boolean): string {
  const bytes = Buffer.from(message, 'base64');
  return (isPacked ? inflateRawSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES }) : bytes).toString('utf8');
}

/** Examines the text: a parser may skip a declaration, and a comment never needs these characters. */
export function refuseXmlDocumentType(xml: string): void {
  if (/<!(doctype|entity)/i.test(xml)) {
    throw new SamlFault('The provider’s message has a document type declaration (DTD), which SAML does not allow.');
  }
}
