import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';

export function RemoveRegistration({ connector: { id, name } }: { connector: ConnectorResponse }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useMutation(
    trpc.connectors.unregister.mutationOptions({
      onSuccess: () => {
        close();
        refresh();
      },
    }),
  );
  return (
    <>
      <PermittedButton to="connector:update">
        <Button variant="subtle" size="compact-sm" color="madder" onClick={open}>
          Remove registration
        </Button>
      </PermittedButton>
      <ConfirmDialog
        isOpen={isOpen}
        title={`Remove the registration of ${name}?`}
        action="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id } })}
        onClose={close}
      >
        <Text>Accounts connected with it work only until their tokens expire.</Text>
      </ConfirmDialog>
    </>
  );
}
