import { z } from 'zod';
import { boundedText } from '../text';

/** Marks a secret field: encrypted at rest and never returned. */
export const secretText = (title: string) => boundedText(1, 20_000).meta({ title, 'x-secret': true });

/**
 * Marks a field that decides where secrets are sent: if it changes, stored secrets must be entered again. `address`:
 * any change. `hosts`: a list of allowed hosts, which may be narrowed. `pin`: what the receiver must prove, which may
 * be added.
 */
export const destinationMark = (kind: DestinationKind) => ({ 'x-destination': kind });

export type DestinationKind = 'address' | 'hosts' | 'pin';
/** Fields that decide where secrets are sent, by name. */
export type DestinationFields = Record<string, DestinationKind>;

export const requestHeaderName = boundedText(1, 100).regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, {
  error: 'must be a header name',
});
/** A header value without line breaks (header injection). */
const secretHeaderValue = boundedText(1, 20_000).regex(/^[^\r\n]*$/, { error: 'must be one line' });

export const MAX_SECRET_ENTRIES = 100;
/** Total characters of secrets in one run: every stored text is searched for them. */
export const MAX_SECRET_CHARACTERS = 256 * 1024;

/** Secret values by name, such as headers. */
export const secretValuesField = (title: string, key: z.ZodString) =>
  z
    .record(key, secretHeaderValue)
    .refine((values) => Object.keys(values).length <= MAX_SECRET_ENTRIES, {
      error: `must have at most ${MAX_SECRET_ENTRIES} entries`,
    })
    .optional()
    .meta({ title, 'x-secret': true, maxProperties: MAX_SECRET_ENTRIES });

/** Parameters of token requests that the service sets itself. */
const SERVICE_TOKEN_PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'code', 'scope', 'code_verifier'];

/** Further parameters of every token request, such as `audience` or `resource`. */
export const tokenParametersField = secretValuesField(
  'Parameters of token requests',
  boundedText(1, 100).refine((name) => !SERVICE_TOKEN_PARAMETERS.includes(name), { error: 'is set by the service' }),
).meta({
  description: 'Sent with every request for tokens, such as audience or resource.',
});

/** Hosts, or `*.` and a domain, that the credential may be sent to; absent: any host. */
export const allowedHostsField = z
  .array(
    boundedText(1, 253).regex(/^(\*\.)?[a-z0-9.-]+(:\d{1,5})?$/i, {
      error: 'must be a host such as api.example.com or *.example.com',
    }),
  )
  .max(50)
  .optional()
  .meta({
    title: 'Allowed hosts',
    description: 'The credential is sent only to these hosts. Empty: any host.',
    ...destinationMark('hosts'),
  });

/** Certificates that a connection trusts in place of the public ones. */
export const CaCertificates = boundedText(1, 100_000)
  .regex(/^\s*-----BEGIN CERTIFICATE-----/, { error: 'must be certificates in PEM format' })
  .optional()
  .meta({
    title: 'CA certificates',
    description: 'In PEM format, for a server with a certificate of a private CA. Empty: the public CAs.',
    'x-editor': 'multiline',
    ...destinationMark('address'),
  });
