import { List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { describeHiddenUses } from './hidden-uses';

interface Props {
  credential: { id: string; name: string; usedBy: { id: string; name: string }[]; otherUses: number };
  isOpen: boolean;
  onClose(): void;
}

/** Lists the workflows that would fail. */
export function DeleteCredential({ credential: { id, name, usedBy, otherUses }, isOpen, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const refresh = useInvalidateQueries();
  const remove = useMutation(
    trpc.credentials.delete.mutationOptions({
      onSuccess: () => {
        router.push('/credentials');
        refresh();
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Delete “${name}”?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      {usedBy.length + otherUses === 0 ? (
        <Text>No workflow uses this credential. You can’t undo this.</Text>
      ) : (
        <>
          <Text mb="xs">You can’t undo this. These workflows will fail at the nodes that use it:</Text>
          <List>
            {usedBy.map((workflow) => (
              <List.Item key={workflow.id}>{workflow.name}</List.Item>
            ))}
            {otherUses > 0 && <List.Item>{describeHiddenUses(otherUses)}</List.Item>}
          </List>
        </>
      )}
    </ConfirmDialog>
  );
}
