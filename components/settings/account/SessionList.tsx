import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PageSection } from '@/components/ui/page/PageSection';
import { DeviceList } from './DeviceList';

/** The sessions of the signed-in user. */
export function SessionList() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.delete.mutationOptions({ onSuccess: refresh }));
  const endOthers = useMutation(trpc.sessions.deleteOthers.mutationOptions({ onSuccess: refresh }));
  return (
    <PageSection
      title="Sessions"
      aside={
        (sessions.data?.total ?? 0) > 1 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
            Sign out all other sessions
          </Button>
        )
      }
    >
      <DeviceList
        sessions={sessions}
        endingId={end.isPending ? end.variables.params.id : undefined}
        error={end.error ?? endOthers.error}
        onEnd={(id) => end.mutate({ params: { id } })}
      />
    </PageSection>
  );
}
