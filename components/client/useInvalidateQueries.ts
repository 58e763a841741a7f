import { useQueryClient } from '@tanstack/react-query';

/** Invalidates all queries of the page after a change. */
export function useInvalidateQueries(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries();
}
