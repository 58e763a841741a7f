import type { CustomResponse } from '@/server/api/operation/operation';
import { buildFormRunPath, type FormRunLink } from '@/server/engine/attempt/form-run-link';
import { noticePage } from './html-page';

/** Leads the visitor of a form to the pages of its run. */
export function redirectToRun(link: FormRunLink): CustomResponse {
  const href = buildFormRunPath(link);
  const headers = { Location: href };
  return noticePage({
    title: 'Sent',
    text: 'The next page follows.',
    status: 303,
    headers,
    link: { href, text: 'Continue' },
  });
}

/**
 * Leads to an address elsewhere. A page in place of a redirection: browsers hold a redirection against the policy of
 * the page whose form was sent.
 */
export function leadElsewhere(title: string, address: string): CustomResponse {
  // A header takes only ASCII, and `href` encodes everything else.
  const url = new URL(address).href;
  return noticePage({
    title,
    text: 'You are led to another page.',
    headers: { Refresh: `0; url=${url}`, 'Referrer-Policy': 'no-referrer' },
    link: { href: url, text: url },
  });
}
