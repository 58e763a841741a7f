import { Alert, Stack, Text } from '@mantine/core';
import { problemOf } from '@/components/client/problem';
import { CopyField } from '@/components/ui/values/CopyField';
import { ConnectFailure } from './popup';

export const InThePopup = () => (
  <Text size="sm" c="dimmed" role="status">
    Continue in the window that opened. Closing it cancels.
  </Text>
);

/** Whether a missing redirect URL at the provider may be the reason for a failure. */
export function isRedirectTrouble(error: unknown): boolean {
  if (error instanceof ConnectFailure) return error.isRedirect;
  return (
    error !== null &&
    problemOf(error).details.some(({ field, message }) => field === 'code' && /redirect/i.test(message))
  );
}

/**
 * Providers don't redirect to an unregistered URL. They only show an error in their own window, so this note explains
 * it.
 */
export function RedirectHelp({ redirectUri, provider }: { redirectUri: string; provider: string }) {
  return (
    <Alert color="weld" title="Did the window show an error about the redirect URI?">
      <Stack gap="xs">
        <Text size="sm">
          The redirect URL is not registered at {provider}. Add exactly this URL to the app there, then try again.
        </Text>
        <CopyField label="Redirect URL to register" value={redirectUri} />
      </Stack>
    </Alert>
  );
}
