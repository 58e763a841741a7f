'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/trpc';
import { EmptyState } from '../ui/EmptyState';
import { EnvelopeArt } from '../ui/EnvelopeArt';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { MailList } from './MailList';

/** The mails of a development installation, which sends none. */
export function Outbox() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.outbox.list.queryOptions({ query: { limit: '100' } }, { refetchInterval: 5000 }),
  );
  return (
    <Page>
      <PageHeader title="Outbox" summary="Mail that workflows would send, kept here because no SMTP server is set." />
      {error && <FailureNote title="The mails can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={4} />}
      {data && data.data.length > 0 && <MailList mails={data.data} />}
      {data?.data.length === 0 && (
        <EmptyState art={<EnvelopeArt />} title="No mail yet">
          Run a workflow with a “Send email” step, and what it writes arrives here.
        </EmptyState>
      )}
    </Page>
  );
}
