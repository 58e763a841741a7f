import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { problemOf } from '../client/problem';

/** Why something couldn't be shown, and the way to try again. */
export function FailureNote({ title, error, onRetry }: { title: string; error: unknown; onRetry?: () => void }) {
  return (
    <Alert color="madder" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      <Group justify="space-between" gap="sm">
        {problemOf(error).message}
        {onRetry && (
          <Button size="compact-sm" variant="light" color="madder" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
