import { parseExactJson } from '@/contract/exact-json';
import { Button, Group, JsonInput, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { Overlap, Schedule } from '@/contract/triggers/schedule';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { useTRPC } from '@/components/client/trpc';
import { ownZone } from '@/components/ui/zones/zones';
import { CronField } from './CronField';

const FIELDS = ['cron', 'timezone', 'overlap', 'input'];
const OVERLAPS: { value: Overlap; label: string }[] = [
  { value: 'skip', label: 'Skip the run' },
  { value: 'allow', label: 'Start it beside the earlier one' },
];

interface Props {
  workflowId: string;
  /** Undefined: a new one. */
  schedule?: Schedule;
  onDone(): void;
  onCancel(): void;
}

/** The object in a text; undefined if there is none. */
function objectIn(text: string): Record<string, unknown> | undefined {
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
  const [overlap, setOverlap] = useState<Overlap>(schedule?.overlap ?? 'skip');
  const [input, setInput] = useState(() => JSON.stringify(schedule?.input ?? {}, null, 2));
  const workflow = useQuery(trpc.workflows.get.queryOptions({ params: { id: workflowId } }));
  const [chosenZone, setTimezone] = useState(schedule?.timezone);
  const timezone = chosenZone ?? workflow.data?.settings.timeZone ?? ownZone();
  const create = useMutation(trpc.schedules.create.mutationOptions({ onSuccess: onDone }));
  const update = useMutation(trpc.schedules.update.mutationOptions({ onSuccess: onDone }));
  const { at, elsewhere } = fieldErrorsOf(create.error ?? update.error, (field) => FIELDS.includes(field));
  const value = objectIn(input);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const body = { cron: cron.trim(), timezone, overlap, input: value };
    if (schedule) update.mutate({ params: { id: workflowId, scheduleId: schedule.id }, body });
    else create.mutate({ params: { id: workflowId }, body });
  };
  return (
    <form onSubmit={submit} aria-label={schedule ? `Settings of schedule ${schedule.cron}` : 'New schedule'}>
      <Stack gap="sm">
        {elsewhere && <ErrorNote>{elsewhere}</ErrorNote>}
        <CronField cron={cron} timezone={timezone} errors={at} onCron={setCron} onTimezone={setTimezone} />
        <Select
          label="While the earlier run is in progress"
          data={OVERLAPS}
          value={overlap}
          allowDeselect={false}
          error={at.get('overlap')}
          onChange={(choice) => choice && setOverlap(choice as Overlap)}
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
            Save schedule
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
