import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';

interface Props {
  provider: { id: string; name: string };
  onDeleted(): void;
}

export function DeleteSsoProvider({ provider: { id, name }, onDeleted }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useMutation(
    trpc.ssoProviders.delete.mutationOptions({
      onSuccess: () => {
        refresh();
        onDeleted();
      },
    }),
  );
  return (
    <>
      <Button variant="subtle" color="madder" onClick={open}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={`Delete “${name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id } })}
        onClose={close}
      >
        <Text>
          Ends all sessions of this provider. It can’t be used to sign in any more. API keys created in these sessions
          stop working.
        </Text>
      </ConfirmDialog>
    </>
  );
}
