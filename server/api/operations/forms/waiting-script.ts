import { createHash } from 'node:crypto';

/** How often a page that waits is loaded again in a browser without scripts, in seconds. */
export const REFRESH_SECONDS = 3;

/**
 * Asks for the page, first after half a second and then less and less often, and shows it once it no longer waits. A
 * page that waits has the status 202; 429 and, while a service restarts, 502 to 504 ask for patience.
 */
export const WAITING_SCRIPT = `
(() => {
  let delay = 500;
  const ask = async () => {
    const answer = await fetch(location.href, { redirect: 'manual' }).catch(() => null);
    if (answer && ![202, 429, 502, 503, 504].includes(answer.status)) return location.reload();
    delay = Math.min(delay * 1.3, 5000);
    setTimeout(ask, delay);
  };
  setTimeout(ask, delay);
})();
`;

export const WAITING_SCRIPT_HASH = `'sha256-${createHash('sha256').update(WAITING_SCRIPT).digest('base64')}'`;
