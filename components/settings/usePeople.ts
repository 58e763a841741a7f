import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { useMe } from '../shell/useMe';

/** The members of the workspace, to choose from. */
export function usePeople(): { value: string; label: string }[] {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const { data } = useQuery(
    trpc.members.list.queryOptions(
      { params: { id: workspace?.id ?? '' }, query: { limit: 100, status: 'active' } },
      { enabled: workspace !== undefined },
    ),
  );
  return (data?.data ?? []).flatMap(({ userId, name, email }) =>
    userId ? [{ value: userId, label: name && name !== email ? `${name} (${email})` : email }] : [],
  );
}
