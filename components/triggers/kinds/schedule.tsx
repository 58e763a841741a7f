import { IconCalendarTime } from '@tabler/icons-react';
import type { Schedule } from '@/contract/triggers/schedule';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useCronWords } from '../schedule/cron';
import { timeIn } from '../schedule/time-in';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { ALL, REFETCH_MS, scheduleNote, triggerState } from './state';

const Words = ({ cron }: Pick<Schedule, 'cron'>) => useCronWords(cron) ?? cron;

const shown = (schedule: Schedule, status: WorkflowStatus): Trigger => {
  const { id, cron, timezone, enabled, nextRunAt } = schedule;
  const state = triggerState(enabled, status);
  return {
    id,
    kind: 'schedule',
    text: `${cron} · ${timezone}`,
    words: <Words cron={cron} />,
    state,
    note: scheduleNote(state, nextRunAt && timeIn(nextRunAt, timezone)),
    canListen: false,
  };
};

export const scheduleKind: TriggerKind = {
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
    shownAs(
      trpc.schedules.list.queryOptions({ params: { id }, query: ALL }),
      ({ data }: { data: Schedule[] }) => data.map((schedule) => shown(schedule, status)),
      REFETCH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../schedule/ScheduleDialog').then((module) => module.ScheduleDialog)),
};
