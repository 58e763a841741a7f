import { List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Confirm } from '../ui/Confirm';

interface Props {
  credential: { id: string; name: string; usedBy: { id: string; name: string }[] };
  isOpen: boolean;
  onClose(): void;
}

/** Says by name what will break. */
export function DeleteCredential({ credential: { id, name, usedBy }, isOpen, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useRefresh();
  const remove = useMutation(
    trpc.credentials.delete.mutationOptions({
      onSuccess: () => {
        router.push('/credentials');
        refresh();
      },
    }),
  );
  return (
    <Confirm
      isOpen={isOpen}
      title={`Delete “${name}”?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      {usedBy.length === 0 ? (
        <Text>No workflow uses it. It can’t be brought back.</Text>
      ) : (
        <>
          <Text mb="xs">It can’t be brought back, and these workflows will fail at the steps that need it:</Text>
          <List>
            {usedBy.map((workflow) => (
              <List.Item key={workflow.id}>{workflow.name}</List.Item>
            ))}
          </List>
        </>
      )}
    </Confirm>
  );
}
