import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentUser } from '@/components/client/useCurrentUser';

interface MemberOption {
  value: string;
  name: string;
  /** Name and email. */
  label: string;
}

/** The members of the workspace as select options. */
export function useMemberOptions(): MemberOption[] {
  const trpc = useTRPC();
  const { workspace } = useCurrentUser();
  const { data } = useQuery(
    trpc.members.list.queryOptions(
      { params: { id: workspace?.id ?? '' }, query: { limit: 100, status: 'active' } },
      { enabled: workspace !== undefined },
    ),
  );
  return (data?.data ?? []).flatMap(({ userId, name, email }) =>
    userId
      ? [{ value: userId, name: name || email, label: name && name !== email ? `${name} (${email})` : email }]
      : [],
  );
}
