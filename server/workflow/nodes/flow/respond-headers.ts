/**
 * Headers that an answer of a workflow may not have. The answer comes from the origin of the console: it must not set
 * cookies, loosen the policies of the origin, or change how the connection is read.
 */
const FORBIDDEN_HEADERS = new Set([
  'set-cookie',
  'content-security-policy',
  'content-length',
  'transfer-encoding',
  'connection',
  'strict-transport-security',
  'clear-site-data',
  'service-worker-allowed',
  'keep-alive',
  'trailer',
  'upgrade',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
]);

/**
 * Headers that were permitted once: definitions that were stored then keep running without them. Most are instructions
 * to a proxy in front of the service, which would answer with a file or an address of its own.
 */
const WITHDRAWN_HEADERS = new Set([
  'content-security-policy-report-only',
  'proxy-authenticate',
  'proxy-authentication-info',
  'x-sendfile',
  'x-sendfile2',
  'x-lighttpd-send-file',
  'x-litespeed-location',
  'x-reproxy-url',
  'x-reproxy-file',
  'public-key-pins',
  'set-login',
  'secure-session-registration',
  'sec-session-registration',
]);
const WITHDRAWN_HEADER_PREFIX = 'x-accel-';

export const isForbiddenHeader = (name: string): boolean => FORBIDDEN_HEADERS.has(name.toLowerCase());

export function isWithdrawnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return WITHDRAWN_HEADERS.has(lower) || lower.startsWith(WITHDRAWN_HEADER_PREFIX);
}

/** A browser decodes text without a charset by guessing; the body is UTF-8. Other types define their own encoding. */
export const addUtf8Charset = (type: string): string =>
  /^\s*text\//i.test(type) && !/;\s*charset\s*=/i.test(type) ? `${type.replace(/[\s;]+$/, '')}; charset=utf-8` : type;
