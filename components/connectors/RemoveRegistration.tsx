import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Connector } from '@/contract/connectors/connector';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { Confirm } from '@/components/ui/Confirm';

export function RemoveRegistration({ connector: { id, name } }: { connector: Connector }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
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
      <Permitted to="connector:update">
        <Button variant="subtle" size="compact-sm" color="madder" onClick={open}>
          Remove registration
        </Button>
      </Permitted>
      <Confirm
        isOpen={isOpen}
        title={`Remove the registration of ${name}?`}
        action="Remove"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id } })}
        onClose={close}
      >
        <Text>Accounts connected with it work only until their tokens expire.</Text>
      </Confirm>
    </>
  );
}
