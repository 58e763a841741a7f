import { z } from 'zod';
import '@/contract/in-browsers';

/** Why connecting an account failed, as a message for the user. */
export class ConnectFailure extends Error {
  /** `isRedirect`: the reason may be an unregistered redirect URL. */
  constructor(
    message: string,
    readonly isRedirect = false,
  ) {
    super(message);
  }
}

const oauthCallbackSchema = z.object({
  type: z.literal('oauth_callback'),
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});

const POPUP_POLL_MS = 400;
/** Polls after closing: a popup that answers and closes at once may look closed before its message arrives. */
const POLLS_AFTER_CLOSING = 3;

/**
 * Opens an empty popup directly in the click handler, because browsers block later ones. The caller navigates it to the
 * provider. Throws ConnectFailure when it is blocked.
 */
export function openOauthPopup(): Window {
  const left = Math.round(window.screenX + (window.outerWidth - 600) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - 700) / 2);
  const popup = window.open('about:blank', '_blank', `popup,width=600,height=700,left=${left},top=${top}`);
  if (!popup) throw new ConnectFailure('The browser blocked the window. Allow pop-ups for this page and try again.');
  return popup;
}

/**
 * The authorization code from the popup. Accepts only messages of this origin with the `state` of this attempt (CSRF
 * protection). Throws ConnectFailure when it is refused, closed or does not match.
 */
export function waitForOauthCode(popup: Window, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let looksLeft = POLLS_AFTER_CLOSING;
    const finish = (how: () => void) => {
      window.removeEventListener('message', onMessage);
      clearInterval(timer);
      popup.close();
      how();
    };
    const fail = (message: string, isRedirect = false) => finish(() => reject(new ConnectFailure(message, isRedirect)));
    const onMessage = ({ origin, data }: MessageEvent<unknown>) => {
      const answer = oauthCallbackSchema.safeParse(data);
      if (origin !== location.origin || !answer.success) return;
      const { code, error, error_description: description } = answer.data;
      if (answer.data.state !== state) fail('Invalid state parameter: this response does not belong to this page.');
      else if (error !== undefined)
        fail(`The provider refused: ${description ?? error}`, /redirect/i.test(`${error} ${description}`));
      else if (code === undefined) fail('The provider sent no code.');
      else finish(() => resolve(code));
    };
    const timer = setInterval(() => {
      if (popup.closed && looksLeft-- <= 0) fail('The window was closed before the account was connected.', true);
    }, POPUP_POLL_MS);
    window.addEventListener('message', onMessage);
  });
}
