import { X509Certificate } from 'node:crypto';

const CERTIFICATE_VALIDITY_MS = 3653 * 86_400_000;

/** A key of the service with a certificate, both PEM: SAML providers accept keys only in certificates. */
export async function generateSamlKeyPair(): Promise<{ privateKey: string; certificate: string }> {
  // Loaded when it is needed: it would be a tenth of the start of a process.
  const { generate } = await import('selfsigned');
  const generated = await generate([{ name: 'commonName', value: 'Weft' }], {
    keySize: 2048,
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + CERTIFICATE_VALIDITY_MS),
  });
  return { privateKey: generated.private, certificate: generated.cert };
}

/** The certificates in a text, PEM or bare base64, as PEM; null if any of them is invalid. */
export function parseCertificates(text: string): string[] | null {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [text];
  const pems = blocks.map((block) => {
    const body = block.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
    return `-----BEGIN CERTIFICATE-----\n${body.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`;
  });
  try {
    pems.forEach((pem) => new X509Certificate(pem));
    return pems;
  } catch {
    // Not X.509: the caller reports it.
    return null;
  }
}
