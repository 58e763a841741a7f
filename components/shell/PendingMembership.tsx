import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PendingWorkspace } from '@/contract/workspace';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';

/** Asks to accept a membership that a sign-in provider or an import created. */
export function PendingMembership({ workspace: { id, name } }: { workspace: PendingWorkspace }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const accept = useMutation(trpc.members.accept.mutationOptions({ onSuccess: refresh }));
  const decline = useMutation(trpc.members.leave.mutationOptions({ onSuccess: refresh }));
  const error = accept.error ?? decline.error;
  const isBusy = accept.isPending || decline.isPending;
  return (
    <Alert color="weld" title={`${name} added you as a member`}>
      <Stack gap="sm">
        <FormErrorAlert>{error ? readApiError(error).message : null}</FormErrorAlert>
        <Text size="sm">
          The sign-in provider of this workspace, or its import from another installation, made you a member. If you
          accept, you can open the workspace from your own account, and its security policies apply to your account.
        </Text>
        <Group gap="xs">
          <Button
            size="sm"
            loading={accept.isPending}
            disabled={isBusy}
            onClick={() => accept.mutate({ params: { id } })}
          >
            Accept
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={decline.isPending}
            disabled={isBusy}
            onClick={() => decline.mutate({ params: { id } })}
          >
            Decline
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
