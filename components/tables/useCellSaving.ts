import { useMutation } from '@tanstack/react-query';
import { problemOf } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import type { CellSaving } from './GridRow';
import type { ShownTable } from './types';

/** Saves one cell at a time. `onClose`: it is saved, or the person has given up. */
export function useCellSaving({ id }: ShownTable, onClose: () => void): CellSaving & { reset(): void } {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { mutate, isPending, error, reset } = useMutation(
    trpc.rows.update.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const problem = error ? problemOf(error) : undefined;
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
