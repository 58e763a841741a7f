import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { readApiError } from '@/components/client/api-error';

/** An error with a retry button; none for a missing permission. */
export function RequestErrorAlert({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  const { code, message } = readApiError(error);
  return (
    <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      <Group justify="space-between" gap="sm">
        {message}
        {onRetry && code !== 'FORBIDDEN' && (
          <Button size="compact-sm" variant="light" color="madder" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
