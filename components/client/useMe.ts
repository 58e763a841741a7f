import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc';
import { chooseWorkspace, chosenWorkspace } from './workspace';

/** The signed-in person and the current workspace. */
export function useMe() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.auth.me.queryOptions(undefined, { staleTime: 60_000 }));
  const chosen = me && chosenWorkspace();
  const workspace = me?.workspaces.find(({ id }) => id === chosen) ?? me?.workspaces[0];
  // The stored choice is stale: another account's, or a workspace that the person was removed from.
  if (me && chosen && workspace?.id !== chosen) chooseWorkspace(null);
  return { me, workspace };
}
