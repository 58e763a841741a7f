import { IconRefreshDot } from '@tabler/icons-react';
import type { PollTrigger } from '@/contract/triggers/poll';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { joinPickedLabels } from '../event/event-title';
import { describePollInterval } from '../poll/poll-interval';
import { isMailNode } from '../poll/mail-node';
import { triggersQuery, type TriggerCardData, type TriggerKind } from './kind';
import { TRIGGER_LIST_QUERY, TRIGGER_REFRESH_MS, nextRunNote, resolveTriggerState } from './state';

function LastPollNote({ poll, status }: { poll: PollTrigger; status: WorkflowStatus }) {
  const state = resolveTriggerState(poll.enabled, status);
  if (state !== 'enabled') return nextRunNote(state, null);
  if (poll.lastPolledAt === null) return 'Not polled yet';
  return (
    <>
      {poll.lastError === null ? 'Last poll' : 'Failed'} <TimeAgo at={poll.lastPolledAt} />
    </>
  );
}

/** What was picked tells polls of one service apart, and leaves no place for the kind. */
function pollCardWords(poll: PollTrigger): Pick<TriggerCardData, 'heading' | 'words'> {
  const { name, node } = poll;
  const times = describePollInterval(poll).toLowerCase();
  const picked = joinPickedLabels(node.labels);
  return picked ? { heading: name, words: `${picked} · ${times}` } : { words: `${name} · ${times}` };
}

const toPollTrigger = (poll: PollTrigger, status: WorkflowStatus): TriggerCardData => ({
  id: poll.id,
  kind: isMailNode(poll.node) ? 'mail' : 'poll',
  text: poll.name,
  ...pollCardWords(poll),
  state: resolveTriggerState(poll.enabled, status),
  note: <LastPollNote poll={poll} status={status} />,
  startNodeId: poll.startNodeId,
  canListen: false,
});

export const pollTriggerKind: TriggerKind = {
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
    triggersQuery(
      trpc.polls.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }),
      ({ data }: { data: PollTrigger[] }) => data.map((poll) => toPollTrigger(poll, status)),
      TRIGGER_REFRESH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../poll/PollTriggerDialog').then((module) => module.PollTriggerDialog)),
};
