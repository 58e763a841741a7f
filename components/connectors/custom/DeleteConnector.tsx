import { List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ConnectorDetails } from '@/contract/connectors/custom-connector';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';

interface Props {
  connector: ConnectorDetails;
  isOpen: boolean;
  onDeleted(): void;
  onClose(): void;
}

export function DeleteConnector({ connector: { id, name, usedBy, otherUses }, isOpen, onDeleted, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const remove = useMutation(
    trpc.connectors.delete.mutationOptions({
      onSuccess: () => {
        onDeleted();
        refresh();
      },
    }),
  );
  const count = usedBy.length + otherUses;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Delete ${name}?`}
      action="Delete connector"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>Its credentials are deleted, too. You can’t undo this.</Text>
        {count > 0 && (
          <>
            <Text>
              {count} {count === 1 ? 'workflow uses' : 'workflows use'} it and will fail at its nodes:
            </Text>
            <List>
              {usedBy.slice(0, 10).map((workflow) => (
                <List.Item key={workflow.id}>{workflow.name}</List.Item>
              ))}
              {count > Math.min(usedBy.length, 10) && <List.Item>{count - Math.min(usedBy.length, 10)} more</List.Item>}
            </List>
          </>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
