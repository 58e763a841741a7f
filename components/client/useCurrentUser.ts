import { useQuery } from '@tanstack/react-query';
import { useTRPC } from './trpc';
import { storeChosenWorkspace, readChosenWorkspace } from './chosen-workspace';

/** The signed-in person and the current workspace. */
export function useCurrentUser() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.auth.me.queryOptions(undefined, { staleTime: 60_000 }));
  const chosen = me && readChosenWorkspace();
  const workspace = me?.workspaces.find(({ id }) => id === chosen) ?? me?.workspaces[0];
  // The stored choice is stale: another account's, or a workspace that the person was removed from.
  if (me && chosen && workspace?.id !== chosen) storeChosenWorkspace(null);
  return { me, workspace };
}
