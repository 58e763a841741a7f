import { CustomResponse } from '@/server/api/operation/operation';
import { HtmlFragment, html } from './html';
import { FORM_STYLE_CSS, FORM_STYLE_HASH } from './style';
import { REFRESH_SECONDS, WAITING_SCRIPT, WAITING_SCRIPT_HASH } from './waiting-script';

interface HtmlPageContent {
  title: string;
  content: HtmlFragment;
  status?: number;
  /** Further sources to which the form of the page may be posted or redirected. */
  formAction?: string;
  headers?: Record<string, string>;
  /** The page asks for itself until something else is shown at its address. */
  isWaiting?: boolean;
}

/** Makes a complete page without frames or content from elsewhere. Only a page that waits has a script. */
export const htmlPageResponse = ({
  title,
  content,
  status = 200,
  formAction = '',
  headers = {},
  isWaiting = false,
}: HtmlPageContent): CustomResponse =>
  new CustomResponse(
    status,
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        `default-src 'none'; style-src ${FORM_STYLE_HASH}; form-action 'self'${formAction}; base-uri 'none'; ` +
        `frame-ancestors 'none'${isWaiting ? `; script-src ${WAITING_SCRIPT_HASH}; connect-src 'self'` : ''}`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      // Not no-referrer: with it browsers would send the form with the origin "null".
      'Referrer-Policy': 'same-origin',
      ...headers,
    },
    { text: renderHtmlDocument(title, content, isWaiting).text },
  );

/** The text must be exactly the one whose hash the policy names. */
const STYLE_ELEMENT = new HtmlFragment(`<style>${FORM_STYLE_CSS}</style>`);

const SCRIPT_ELEMENT = new HtmlFragment(`<script>${WAITING_SCRIPT}</script>`);

const renderHtmlDocument = (title: string, content: HtmlFragment, isWaiting: boolean) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${isWaiting && html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}" /></noscript>`}
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${content}</main>
        ${isWaiting && SCRIPT_ELEMENT}
      </body>
    </html> `;

interface NoticePageContent {
  title: string;
  text: string;
  status?: number;
  link?: { href: string; text: string };
  headers?: Record<string, string>;
  isWaiting?: boolean;
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
