import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Section } from '../ui/Section';
import { DeviceList } from './DeviceList';

/** Where one is signed in, and the way to end it. */
export function SessionList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.delete.mutationOptions({ onSuccess: refresh }));
  const endOthers = useMutation(trpc.sessions.deleteOthers.mutationOptions({ onSuccess: refresh }));
  return (
    <Section
      title="Where you are signed in"
      aside={
        (sessions.data?.total ?? 0) > 1 && (
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
            Sign out everywhere else
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
