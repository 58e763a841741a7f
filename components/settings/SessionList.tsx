import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { ErrorNote } from '../ui/ErrorNote';
import { Listing } from '../ui/Listing';
import { Section } from '../ui/Section';
import { SessionRow } from './SessionRow';

/** Where one is signed in, and the way to end it. */
export function SessionList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ query: { limit: 100 } }));
  const end = useMutation(trpc.sessions.delete.mutationOptions({ onSuccess: refresh }));
  const endOthers = useMutation(trpc.sessions.deleteOthers.mutationOptions({ onSuccess: refresh }));
  const error = end.error ?? endOthers.error;
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
      <Stack gap="sm">
        <ErrorNote>{error && sentence(error)}</ErrorNote>
        <Listing of="sessions" query={sessions} empty={<Text c="dimmed">Nowhere.</Text>}>
          {(items) =>
            items.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isBusy={end.isPending && end.variables.params.id === session.id}
                onEnd={() => end.mutate({ params: { id: session.id } })}
              />
            ))
          }
        </Listing>
      </Stack>
    </Section>
  );
}
