import { Alert, Stack, Text } from '@mantine/core';
import { readApiError } from '@/components/client/api-error';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { ConnectFailure } from './popup';

export const PopupOpenNote = () => (
  <Text size="sm" c="dimmed" role="status">
    Continue in the window that opened. Closing it cancels.
  </Text>
);

/** Whether a missing redirect URL at the provider may be the reason for a failure. */
export function isRedirectFailure(error: unknown): boolean {
  if (error instanceof ConnectFailure) return error.isRedirect;
  return (
    error !== null &&
    readApiError(error).details.some(({ field, message }) => field === 'code' && /redirect/i.test(message))
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
        <CopyableField label="Redirect URL to register" value={redirectUri} />
      </Stack>
    </Alert>
  );
}
