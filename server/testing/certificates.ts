import { generate } from 'selfsigned';

/** The certificate of a server, for `localhost` and 127.0.0.1, and the CA that has signed it. In PEM format. */
export interface TestCertificate {
  ca: string;
  cert: string;
  key: string;
}

const OPTIONS = { keyType: 'ec', algorithm: 'sha256' } as const;

export async function buildCertificate(): Promise<TestCertificate> {
  const root = await generate([{ name: 'commonName', value: 'Test CA' }], {
    ...OPTIONS,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...OPTIONS,
    ca: { key: root.private, cert: root.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { ca: root.cert, cert: leaf.cert, key: leaf.private };
}
