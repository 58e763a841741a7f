import { generate } from 'selfsigned';

/** A certificate with its key, in PEM format. */
interface SignedCertificate {
  cert: string;
  key: string;
}

/** The certificate of a server, for `localhost` and 127.0.0.1, and the CA that has signed it. In PEM format. */
export interface TestCertificate extends SignedCertificate {
  ca: string;
}

/** A certificate authority. */
export interface TestAuthority {
  /** Its certificate, in PEM format. */
  ca: string;
  /** For a server with this name, and 127.0.0.1. */
  signServer(name: string): Promise<SignedCertificate>;
  /** For a client that is called so. */
  signClient(name: string): Promise<SignedCertificate>;
}

const OPTIONS = { keyType: 'ec', algorithm: 'sha256' } as const;

export async function buildAuthority(): Promise<TestAuthority> {
  const root = await generate([{ name: 'commonName', value: 'Test CA' }], {
    ...OPTIONS,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const sign = async (name: string, isServer: boolean) => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
      ...OPTIONS,
      ca: { key: root.private, cert: root.cert },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true },
        { name: 'extKeyUsage', serverAuth: isServer, clientAuth: !isServer },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: name },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ],
    });
    return { cert, key };
  };
  return { ca: root.cert, signServer: (name) => sign(name, true), signClient: (name) => sign(name, false) };
}

export async function buildCertificate(): Promise<TestCertificate> {
  const { ca, signServer } = await buildAuthority();
  return { ca, ...(await signServer('localhost')) };
}
