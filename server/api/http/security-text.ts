import { notFoundProblem } from '@/server/platform/errors/problem';
import { getRuntime } from '@/server/platform/runtime';
import { MS_PER_DAY } from '@/contract/units';

/**
 * RFC 9116 advises less than a year. The process that answers is the proof that the contact is still the one that is
 * configured.
 */
const SECURITY_TEXT_VALID_DAYS = 90;

/**
 * GET /.well-known/security.txt (RFC 9116): where vulnerabilities of this installation are reported. Without a contact
 * it does not exist.
 */
export async function securityTextResponse(): Promise<Response> {
  const { securityContact, apiBaseUrl } = getRuntime().env;
  if (securityContact === undefined) throw notFoundProblem('This address');
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date((Math.floor(Date.now() / MS_PER_DAY) + SECURITY_TEXT_VALID_DAYS) * MS_PER_DAY).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${apiBaseUrl}/.well-known/security.txt`,
    `Policy: ${apiBaseUrl}/docs/reporting`,
  ];
  return new Response(`${lines.join('\r\n')}\r\n`, {
    headers: { 'Cache-Control': 'public, max-age=3600', 'Content-Type': 'text/plain; charset=utf-8' },
  });
}
