import { createHash } from 'node:crypto';

const CALL_PAGE_STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
main { max-width: 26rem; padding: 1rem; text-align: center; }
button { font: inherit; padding: 0.5rem 1.5rem; cursor: pointer; }
`;

const CALL_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; form-action 'self'; style-src 'sha256-${createHash('sha256').update(CALL_PAGE_STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`,
  // The address is a secret.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function renderCallPage(status: number, title: string, content: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${CALL_PAGE_STYLE}</style></head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>
`;
  return new Response(html, { status, headers: CALL_PAGE_HEADERS });
}

/** Asks for a confirmation: programs that open links to look at them do not press buttons. */
export const confirmCallPage = (): Response =>
  renderCallPage(
    200,
    'Continue?',
    '<p>A workflow waits for this link. It works once.</p><form method="post"><button autofocus>Continue</button></form>',
  );

export const acceptedCallPage = (): Response =>
  renderCallPage(202, 'Thank you', '<p>The workflow continues. You can close this page.</p>');

export const refusedCallPage = (status: number, message: string): Response =>
  renderCallPage(status, 'This link does not work', `<p>${message}</p>`);
