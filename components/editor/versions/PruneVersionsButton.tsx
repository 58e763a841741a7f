import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';

/** Removes old versions that are not in use. */
export function PruneVersionsButton({ workflowId: id, before }: { workflowId: string; before: number }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [isConfirming, { open, close }] = useDisclosure(false);
  const prune = useMutation(trpc.versions.prune.mutationOptions({ onSuccess: () => (refresh(), close()) }));
  return (
    <>
      <Button variant="subtle" color="gray" onClick={open}>
        Remove old versions
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        title="Remove old versions?"
        action="Remove"
        isBusy={prune.isPending}
        error={prune.error}
        onConfirm={() => prune.mutate({ params: { id }, query: { before: String(before) } })}
        onClose={close}
      >
        <Text size="sm">
          Removes versions older than the latest 100 that were never published, have no message, and were not used by a
          stored run. You can’t undo this.
        </Text>
      </ConfirmDialog>
    </>
  );
}
