import { IconRefreshDot } from '@tabler/icons-react';
import type { Poll } from '@/contract/triggers/poll';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { everyText } from '../poll/poll-draft';
import { isOfMail } from './mail';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { ALL, REFETCH_MS, scheduleNote, triggerState } from './state';

function LastPoll({ poll, status }: { poll: Poll; status: WorkflowStatus }) {
  const state = triggerState(poll.enabled, status);
  if (state !== 'enabled') return scheduleNote(state, null);
  if (poll.lastPolledAt === null) return 'Not polled yet';
  return (
    <>
      {poll.lastError === null ? 'Last poll' : 'Failed'} <TimeAgo at={poll.lastPolledAt} />
    </>
  );
}

const shown = (poll: Poll, status: WorkflowStatus): Trigger => ({
  id: poll.id,
  kind: isOfMail(poll.node) ? 'mail' : 'poll',
  text: poll.name,
  words: `${poll.name} · ${everyText(poll).toLowerCase()}`,
  state: triggerState(poll.enabled, status),
  note: <LastPoll poll={poll} status={status} />,
  canListen: false,
});

export const pollKind: TriggerKind = {
  kind: 'poll',
  label: 'Poll',
  icon: IconRefreshDot,
  offer: {
    description: 'Starts the workflow for new items of a source.',
    synonyms: [
      'polling',
      'trigger',
      'check for new items',
      'on new item',
      'watch',
      'interval',
      'changes',
      'sync',
      'import',
      'rss',
      'feed',
      'app event',
    ],
  },
  query: (trpc, { id, status }) =>
    shownAs(
      trpc.polls.list.queryOptions({ params: { id }, query: ALL }),
      ({ data }: { data: Poll[] }) => data.map((poll) => shown(poll, status)),
      REFETCH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../poll/PollTriggerDialog').then((module) => module.PollTriggerDialog)),
};
