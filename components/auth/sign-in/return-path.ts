/** The page to open after the sign-in. Always a path on this host: an open redirect would help phishing. */
export function localReturnPath(wanted: string | string[] | undefined): string {
  const path = [wanted].flat()[0] ?? '';
  const here = 'http://here.invalid';
  if (!path.startsWith('/') || !URL.canParse(path, here)) return '/workflows';
  const url = new URL(path, here);
  return url.origin === here ? `${url.pathname}${url.search}${url.hash}` : '/workflows';
}
