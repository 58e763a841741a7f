import { useQueryClient } from '@tanstack/react-query';

/** After a change: whatever the page shows is asked for again. */
export function useRefresh(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries();
}
