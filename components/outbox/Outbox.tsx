'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyOutboxArt } from '@/components/ui/art/EmptyOutboxArt';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { MailList } from './MailList';

/** The mails that a development installation stores instead of sending. */
export function Outbox() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.outbox.list.queryOptions({ query: { limit: '100' } }, { refetchInterval: 5000 }),
  );
  return (
    <ScrollingPage>
      <PageHeader
        title="Outbox"
        summary="Emails of workflows. They are stored here because no SMTP server is configured."
      />
      {error && <RequestErrorAlert title="The emails can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={4} />}
      {data && data.data.length > 0 && <MailList mails={data.data} />}
      {data?.data.length === 0 && (
        <EmptyState art={<EmptyOutboxArt />} title="No emails yet">
          Emails appear here when a workflow runs a “Send email” node.
        </EmptyState>
      )}
    </ScrollingPage>
  );
}
