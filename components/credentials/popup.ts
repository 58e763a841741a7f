import { z } from 'zod';
import '@/contract/in-browsers';

/** Why connecting came to nothing, in words for whoever tried. */
export class ConnectFailure extends Error {
  /** `isRedirect`: it may be that the provider doesn't know the address to come back to. */
  constructor(
    message: string,
    readonly isRedirect = false,
  ) {
    super(message);
  }
}

const Answer = z.object({
  type: z.literal('oauth_callback'),
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

const LOOK_EVERY_MS = 400;
/** A page that answers and closes at once may be seen closed before its answer arrives. */
const LOOKS_AFTER_CLOSING = 3;

/**
 * An empty window, opened right at the click: browsers block one that opens later. The provider's page is put into it
 * once its address is known. Throws ConnectFailure when it was blocked.
 */
export function openPopup(): Window {
  const left = Math.round(window.screenX + (window.outerWidth - 600) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - 700) / 2);
  const popup = window.open('about:blank', '_blank', `popup,width=600,height=700,left=${left},top=${top}`);
  if (!popup) throw new ConnectFailure('The browser blocked the window. Allow pop-ups for this page and try again.');
  return popup;
}

/**
 * The code that the provider sent the window back with. Only an answer of this origin with the attempt's own state
 * counts. Throws ConnectFailure: refused, closed, or an answer to something else.
 */
export function codeFrom(popup: Window, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let looksLeft = LOOKS_AFTER_CLOSING;
    const finish = (how: () => void) => {
      window.removeEventListener('message', onMessage);
      clearInterval(timer);
      popup.close();
      how();
    };
    const fail = (message: string, isRedirect = false) => finish(() => reject(new ConnectFailure(message, isRedirect)));
    const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
      const answer = Answer.safeParse(data);
      if (origin !== location.origin || !answer.success) return;
      const { code, error, error_description: description } = answer.data;
      if (answer.data.state !== state) fail('Invalid state parameter: this answer belongs to no attempt of this page.');
      else if (error !== undefined)
        fail(`The provider said no: ${description ?? error}`, /redirect/i.test(`${error} ${description}`));
      else if (code === undefined) fail('The provider sent no code.');
      else finish(() => resolve(code));
    };
    const timer = setInterval(() => {
      if (popup.closed && looksLeft-- <= 0) fail('The window was closed before the account was connected.', true);
    }, LOOK_EVERY_MS);
    window.addEventListener('message', onMessage);
  });
}
