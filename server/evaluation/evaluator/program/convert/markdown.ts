import { escapeText } from 'entities/escape';
import { Marked } from 'marked';
import type { ConvertOptions } from '../../convert-job';

/** Addresses that a page may link to; others, such as javascript:, are removed. */
const SAFE_LINK_ADDRESS = /^(?:(?:https?|mailto|tel):|[^:]*$|[/?#.])/i;

/**
 * Markdown (GFM) as HTML. HTML inside of it is shown as text, dropped, or kept, as `rawHtml` says. Links that could run
 * code lose their address.
 */
export function markdownToHtml(text: string, { rawHtml = 'escape' }: ConvertOptions): string {
  const marked = new Marked({
    gfm: true,
    async: false,
    walkTokens(token) {
      if (token.type !== 'link' && token.type !== 'image') return;
      // Browsers ignore control characters and spaces in the scheme.
      // oxlint-disable-next-line no-control-regex
      const address = String(token['href']).replace(/[\u0000-\u0020]/g, '');
      if (rawHtml !== 'keep' && !SAFE_LINK_ADDRESS.test(address)) token['href'] = '';
    },
    renderer: {
      html: ({ text: html }) => (rawHtml === 'keep' ? html : rawHtml === 'drop' ? '' : escapeText(html)),
    },
  });
  return marked.parse(text) as string;
}
