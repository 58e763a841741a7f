import { CustomResponse } from '@/server/api/operation/operation';
import { HtmlFragment, html } from './html';
import { FORM_STYLE_CSS, FORM_STYLE_HASH } from './style';

interface HtmlPageContent {
  title: string;
  content: HtmlFragment;
  status?: number;
  /** Further sources to which the form of the page may be posted or redirected. */
  formAction?: string;
  headers?: Record<string, string>;
}

/** Makes a complete page without scripts, frames or content from elsewhere. */
export const htmlPageResponse = ({
  title,
  content,
  status = 200,
  formAction = '',
  headers = {},
}: HtmlPageContent): CustomResponse =>
  new CustomResponse(
    status,
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        `default-src 'none'; style-src ${FORM_STYLE_HASH}; form-action 'self'${formAction}; base-uri 'none'; ` +
        `frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      // Not no-referrer: with it browsers would send the form with the origin "null".
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
    { text: renderHtmlDocument(title, content).text },
  );

/** The text must be exactly the one whose hash the policy names. */
const STYLE_ELEMENT = new HtmlFragment(`<style>${FORM_STYLE_CSS}</style>`);

const renderHtmlDocument = (title: string, content: HtmlFragment) =>
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

interface NoticePageContent {
  title: string;
  text: string;
  status?: number;
  link?: { href: string; text: string };
  headers?: Record<string, string>;
}

/** A page with a heading, a text and possibly a link. */
export const noticePage = ({ title, text, link, ...rest }: NoticePageContent): CustomResponse =>
  htmlPageResponse({
    ...rest,
    title,
    content: html`<h1>${title}</h1>
      <p class="text">${text}</p>
      ${link && html`<p><a href="${link.href}">${link.text}</a></p>`}`,
  });
