import { Alert, Stack, Text } from '@mantine/core';
import { problemOf } from '../client/problem';
import { CopyField } from '../ui/CopyField';
import { ConnectFailure } from './popup';

export const InThePopup = () => (
  <Text size="sm" c="dimmed" role="status">
    Go on in the window that opened. Closing it cancels.
  </Text>
);

/** Whether an attempt may have come to nothing for want of a registered redirect address. */
export function isRedirectTrouble(error: unknown): boolean {
  if (error instanceof ConnectFailure) return error.isRedirect;
  return (
    error !== null &&
    problemOf(error).details.some(({ field, message }) => field === 'code' && /redirect/i.test(message))
  );
}

/** Providers send nobody back to an address they don't know; they say so in their own window, and that is all. */
export function RedirectHelp({ redirectUri, provider }: { redirectUri: string; provider: string }) {
  return (
    <Alert color="weld" title="Did the window speak of a redirect URI?">
      <Stack gap="xs">
        <Text size="sm">
          Then {provider} doesn’t know this address yet. Add it to the app there, letter by letter, and try again.
        </Text>
        <CopyField label="Redirect URL to register" value={redirectUri} />
      </Stack>
    </Alert>
  );
}
