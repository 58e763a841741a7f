import { List, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';

/** Lists the workflows that name the variable. */
export function DeleteVariable({ name, onClose }: { name: string; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { data } = useQuery(trpc.variables.get.queryOptions({ params: { name } }));
  const remove = useMutation(
    trpc.variables.delete.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${name}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { name } })}
      onClose={onClose}
    >
      <Text size="sm">Expressions that read it then get nothing. You can’t undo this.</Text>
      {data && data.usedBy.length > 0 && (
        <>
          <Text size="sm" mt="sm" mb={4}>
            These workflows use it:
          </Text>
          <List size="sm">
            {data.usedBy.map((workflow) => (
              <List.Item key={workflow.id}>{workflow.name}</List.Item>
            ))}
          </List>
        </>
      )}
    </ConfirmDialog>
  );
}
