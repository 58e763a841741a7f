import { IconCalendarTime } from '@tabler/icons-react';
import type { ScheduleTrigger } from '@/contract/triggers/schedule';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useCronDescription } from '../schedule/cron';
import { formatTimeInZone } from '../schedule/time-in';
import { triggersQuery, type TriggerCardData, type TriggerKind } from './kind';
import { TRIGGER_LIST_QUERY, TRIGGER_REFRESH_MS, nextRunNote, resolveTriggerState } from './state';

const CronText = ({ cron }: Pick<ScheduleTrigger, 'cron'>) => useCronDescription(cron) ?? cron;

const toScheduleTrigger = (schedule: ScheduleTrigger, status: WorkflowStatus): TriggerCardData => {
  const { id, cron, timezone, enabled, nextRunAt, startNodeId } = schedule;
  const state = resolveTriggerState(enabled, status);
  return {
    id,
    kind: 'schedule',
    text: `${cron} · ${timezone}`,
    words: <CronText cron={cron} />,
    state,
    note: nextRunNote(state, nextRunAt && formatTimeInZone(nextRunAt, timezone)),
    startNodeId,
    canListen: false,
  };
};

export const scheduleTriggerKind: TriggerKind = {
  kind: 'schedule',
  label: 'Schedule',
  icon: IconCalendarTime,
  offer: {
    description: 'Starts the workflow at fixed times.',
    synonyms: [
      'cron',
      'trigger',
      'schedule trigger',
      'timer',
      'time',
      'date',
      'interval',
      'every minute',
      'every hour',
      'every day',
      'every week',
      'daily',
      'hourly',
      'weekly',
      'monthly',
      'calendar',
      'recurring',
    ],
  },
  query: (trpc, { id, status }) =>
    triggersQuery(
      trpc.schedules.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }),
      ({ data }: { data: ScheduleTrigger[] }) => data.map((schedule) => toScheduleTrigger(schedule, status)),
      TRIGGER_REFRESH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../schedule/ScheduleDialog').then((module) => module.ScheduleDialog)),
};
