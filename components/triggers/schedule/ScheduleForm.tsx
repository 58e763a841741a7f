import { parseExactJson } from '@/contract/exact-json';
import { Button, Group, JsonInput, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { ScheduleOverlapMode, ScheduleTrigger } from '@/contract/triggers/schedule';
import { splitFieldErrors } from '@/components/client/field-errors';
import { StartNodeField } from '@/components/ui/start-nodes/StartNodeField';
import { useInitialStart } from '@/components/ui/start-nodes/start-choices';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { useTRPC } from '@/components/client/trpc';
import { browserTimeZone } from '@/components/ui/zones/time-zones';
import { CronField } from './CronField';

const SCHEDULE_FORM_FIELDS = ['cron', 'timezone', 'overlap', 'input', 'startNodeId'];
const OVERLAP_OPTIONS: { value: ScheduleOverlapMode; label: string }[] = [
  { value: 'skip', label: 'Skip the run' },
  { value: 'allow', label: 'Start it beside the earlier one' },
];

interface Props {
  workflowId: string;
  /** Undefined: a new one. */
  schedule?: ScheduleTrigger;
  onDone(): void;
  onCancel(): void;
}

/** Parses a text as a JSON object. Returns undefined if it is none. */
function parseInputObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseExactJson(text.trim() || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a schedule or changes one. */
export function ScheduleForm({ workflowId, schedule, onDone, onCancel }: Props) {
  const trpc = useTRPC();
  const [cron, setCron] = useState(schedule?.cron ?? '0 8 * * 1-5');
  const [overlap, setOverlap] = useState<ScheduleOverlapMode>(schedule?.overlap ?? 'skip');
  const initialStart = useInitialStart();
  const [startNodeId, setStartNodeId] = useState(schedule ? schedule.startNodeId : initialStart);
  const [input, setInput] = useState(() => JSON.stringify(schedule?.input ?? {}, null, 2));
  const workflow = useQuery(trpc.workflows.get.queryOptions({ params: { id: workflowId } }));
  const [chosenZone, setTimezone] = useState(schedule?.timezone);
  const timezone = chosenZone ?? workflow.data?.settings.timeZone ?? browserTimeZone();
  const create = useMutation(trpc.schedules.create.mutationOptions({ onSuccess: onDone }));
  const update = useMutation(trpc.schedules.update.mutationOptions({ onSuccess: onDone }));
  const { at, elsewhere } = splitFieldErrors(create.error ?? update.error, (field) =>
    SCHEDULE_FORM_FIELDS.includes(field),
  );
  const value = parseInputObject(input);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { cron: cron.trim(), timezone, overlap, input: value, startNodeId };
    if (schedule) update.mutate({ params: { id: workflowId, scheduleId: schedule.id }, body });
    else create.mutate({ params: { id: workflowId }, body });
  };
  return (
    <form onSubmit={submit} aria-label={schedule ? `Settings of schedule ${schedule.cron}` : 'New schedule'}>
      <Stack gap="sm">
        {elsewhere && <FormErrorAlert>{elsewhere}</FormErrorAlert>}
        <CronField cron={cron} timezone={timezone} errors={at} onCron={setCron} onTimezone={setTimezone} />
        <StartNodeField value={startNodeId} error={at.get('startNodeId')} onChange={setStartNodeId} />
        <Select
          label="While the earlier run is in progress"
          data={OVERLAP_OPTIONS}
          value={overlap}
          allowDeselect={false}
          error={at.get('overlap')}
          onChange={(choice) => choice && setOverlap(choice as ScheduleOverlapMode)}
        />
        <JsonInput
          label="Input of the run"
          autosize
          minRows={2}
          maxRows={12}
          value={input}
          error={value ? at.get('input') : 'The input must be a JSON object.'}
          onChange={setInput}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={create.isPending || update.isPending}
            disabled={cron.trim() === '' || value === undefined}
          >
            {schedule ? 'Save schedule' : 'Add schedule'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
