import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { readApiError } from '@/components/client/api-error';

/** An error with a retry button. */
export function RequestErrorAlert({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  return (
    <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      <Group justify="space-between" gap="sm">
        {readApiError(error).message}
        {onRetry && (
          <Button size="compact-sm" variant="light" color="madder" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
