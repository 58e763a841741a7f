import type { SAML } from '@node-saml/node-saml';

/** Tolerated clock difference to the provider. */
export const SAML_CLOCK_SKEW_MS = 60_000;

/** One provider and this service's part in it. Plain JSON. */
export interface SamlSettings {
  /** The service's own entity id and addresses. */
  entityId: string;
  acsUrl: string;
  sloUrl: string;
  /** The entity id and the addresses of the provider. */
  providerId: string;
  ssoUrl: string;
  logoutUrl: string | null;
  /** The certificates of the provider in PEM format. */
  certificates: string[];
  /** The service's own key and certificate, PEM, for signed requests and encrypted assertions; null: it has none. */
  ownKey: string | null;
  ownCertificate: string | null;
}

/**
 * node-saml for one provider; with an id, for the answer to the request with this id. The library is loaded when it is
 * needed: it would be a tenth of the start of a process.
 */
export async function createSamlClient(settings: SamlSettings, requestId?: string): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const { entityId, ownKey, ownCertificate } = settings;
  const keys = ownKey ? { privateKey: ownKey, decryptionPvk: ownKey, publicCert: ownCertificate ?? undefined } : {};
  return new SAML({
    ...keys,
    issuer: entityId,
    audience: entityId,
    callbackUrl: settings.acsUrl,
    entryPoint: settings.ssoUrl,
    logoutUrl: settings.logoutUrl ?? undefined,
    logoutCallbackUrl: settings.sloUrl,
    idpCert: settings.certificates,
    idpIssuer: settings.providerId,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    acceptedClockSkewMs: SAML_CLOCK_SKEW_MS,
    // Neither is required alone; node-saml accepts an answer only if one of them is signed, and reads that one.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(requestId === undefined ? {} : { generateUniqueId: () => requestId }),
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  });
}
