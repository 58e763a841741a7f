import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Section } from '@/components/ui/page/Section';
import { DeviceList } from './DeviceList';

/** The own sessions. */
export function SessionList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.delete.mutationOptions({ onSuccess: refresh }));
  const endOthers = useMutation(trpc.sessions.deleteOthers.mutationOptions({ onSuccess: refresh }));
  return (
    <Section
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
    </Section>
  );
}
