import { CustomReply } from '@/server/api/operation';
import { Html, html } from './html';
import { STYLE, STYLE_HASH } from './style';

interface Page {
  title: string;
  content: Html;
  status?: number;
  /** Sources that the form of the page may post and be redirected to, besides its own. */
  formAction?: string;
  headers?: Record<string, string>;
}

/** A complete page: no scripts, no frames, nothing from elsewhere. */
export const pageReply = ({ title, content, status = 200, formAction = '', headers = {} }: Page): CustomReply =>
  new CustomReply(
    status,
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self'${formAction}; base-uri 'none'; ` +
        `frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      // Not no-referrer: with it browsers would send the form with the origin "null".
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
    { text: documentOf(title, content).text },
  );

/** Exactly the text that the policy names. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

const documentOf = (title: string, content: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `;

interface Notice {
  title: string;
  text: string;
  status?: number;
  link?: { href: string; text: string };
  headers?: Record<string, string>;
}

/** A page with a heading, a text and possibly a link. */
export const noticePage = ({ title, text, link, ...rest }: Notice): CustomReply =>
  pageReply({
    ...rest,
    title,
    content: html`<h1>${title}</h1>
      <p class="text">${text}</p>
      ${link && html`<p><a href="${link.href}">${link.text}</a></p>`}`,
  });
