import { useQuery } from '@tanstack/react-query';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useTRPC } from '@/components/client/trpc';
import classes from './PendingWorkspaces.module.css';

// The question is loaded on demand, because it is rarely shown.
const PendingMembership = lazyWithPreload(() =>
  import('./PendingMembership').then((module) => module.PendingMembership),
);

/** Asks to accept memberships that a sign-in provider or an import created. Renders nothing without any. */
export function PendingWorkspaces() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.members.pending.queryOptions({ query: { limit: 20 } }, { staleTime: 60_000 }));
  if (!data || data.total === 0) return null;
  return (
    <div className={classes.list}>
      {data.data.map((workspace) => (
        <PendingMembership key={workspace.id} workspace={workspace} />
      ))}
    </div>
  );
}
