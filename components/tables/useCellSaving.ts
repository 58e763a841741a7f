import { useMutation } from '@tanstack/react-query';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import type { CellSavingState } from './GridRow';
import type { TableDetails } from './types';

/** Saves one cell at a time. `onClose` is called when the cell is saved or the person gives up. */
export function useCellSaving({ id }: TableDetails, onClose: () => void): CellSavingState & { reset(): void } {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const { mutate, isPending, error, reset } = useMutation(
    trpc.rows.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const problem = error ? readApiError(error) : undefined;
  return {
    isBusy: isPending,
    error: problem && (problem.details[0]?.message ?? problem.message),
    save: (row, column, value) => mutate({ params: { id, rowId: row.id }, body: { [column.name]: value } }),
    cancel: () => {
      reset();
      onClose();
    },
    reset,
  };
}
