import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { chooseWorkspace, chosenWorkspace } from '../client/workspace';

/** Who is signed in, and the workspace worked in. */
export function useMe() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.auth.me.queryOptions(undefined, { staleTime: 60_000 }));
  const chosen = me && chosenWorkspace();
  const workspace = me?.workspaces.find(({ id }) => id === chosen) ?? me?.workspaces[0];
  // Left behind by somebody else's session, or a workspace one was removed from.
  if (me && chosen && workspace?.id !== chosen) chooseWorkspace(null);
  return { me, workspace };
}
