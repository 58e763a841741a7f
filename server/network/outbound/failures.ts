import { errors } from 'undici';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** Error codes of Node and undici, by their meaning for a caller. */
const ERROR_CODE_MEANINGS: [RegExp, string, boolean][] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL)$/, 'DNS', true],
  [/TIMEOUT$|^ETIMEDOUT$/, 'TIMEOUT', true],
  [/^UND_ERR_HEADERS_OVERFLOW$|^HPE_HEADER_OVERFLOW$/, 'TOO_LARGE', false],
  [/^HPE_|^UND_ERR_RES/, 'BAD_RESPONSE', false],
  [/^UND_ERR_(INVALID_ARG|REQ_CONTENT|NOT_SUPPORTED)/, 'INVALID_REQUEST', false],
  [/CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO|SELF_SIGNED/, 'TLS', false],
  [/^Z_|^ERR_BROTLI|^ERR__|^ZSTD_/, 'BAD_RESPONSE', false],
];

/** The failure of a request. */
export function toRequestFailure(error: unknown, url: URL): NodeFailure {
  if (error instanceof NodeFailure) return error;
  const { code = '', message = '', cause } = error as { code?: string; message?: string; cause?: unknown };
  if (cause instanceof NodeFailure) return cause;
  // Errors of the parser do not always have a code.
  const kind = error instanceof errors.HTTPParserError ? 'HPE_' : code;
  const [, word = 'CONNECT', isRetriable = true] = ERROR_CODE_MEANINGS.find(([pattern]) => pattern.test(kind)) ?? [];
  return new NodeFailure(word, `${url.host}: ${message || code || 'the connection failed'}`, isRetriable);
}
