const LOGOUT_CONFIRMATION_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign out</title></head>
<body><main><h1>Sign out?</h1><p>You are signed in. A link has opened this page.</p>
<form method="post" action="/auth/saml/logout"><button>Sign out</button></form>
<p><a href="/">Stay signed in</a></p></main></body>
</html>
`;

/** A page that asks before a login ends. `onward`: the next address; null: none. */
export function logoutConfirmation(onward: string | null): Response {
  // Browsers apply the form's policy to the redirect that answers it.
  const targets = onward ? `'self' ${new URL(onward).origin}` : "'self'";
  return new Response(LOGOUT_CONFIRMATION_PAGE, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
    },
  });
}
