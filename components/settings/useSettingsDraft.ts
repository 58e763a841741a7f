import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import { UpdateWorkspaceRequest, type WorkspaceResponse, type WorkspaceSettings } from '@/contract/workspace';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';

type SettingName = keyof WorkspaceSettings;

/** A draft of workspace settings: validated while typing, and only changes are sent. */
export interface SettingsDraft {
  workspaceId: string;
  values: WorkspaceSettings;
  set(changes: Partial<WorkspaceSettings>): void;
  errorAt(name: SettingName): string | undefined;
  /** An error that belongs to no field. */
  error: string | null;
  isChanged: boolean;
  isValid: boolean;
  isBusy: boolean;
  submit(event: SubmitEvent): void;
  discard(): void;
}

const hasSameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The message of a zod issue, simpler for numbers. */
function describeSettingIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big') return `must be ${issue.maximum} or less`;
  return issue.code === 'invalid_type' ? 'must be a whole number' : issue.message;
}

export function useSettingsDraft({ id, settings }: WorkspaceResponse): SettingsDraft {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [changes, setChanges] = useState<Partial<WorkspaceSettings>>({});
  const update = useMutation(
    trpc.workspaces.update.mutationOptions({
      onSuccess: () => {
        setChanges({});
        refresh();
        notifications.show({ message: 'Saved', color: 'verdigris' });
      },
    }),
  );
  const names = (Object.keys(changes) as SettingName[]).filter((name) => !hasSameJson(changes[name], settings[name]));
  const body = { settings: Object.fromEntries(names.map((name) => [name, changes[name]])) };
  const { error: wrong } = UpdateWorkspaceRequest.safeParse(body);
  const { at, elsewhere } = splitFieldErrors(update.error, (field) => field.startsWith('settings.'));
  const errorAt = (name: SettingName) => {
    const issue = wrong?.issues.find(({ path }) => path[1] === name);
    const [, said] = [...at].find(([field]) => field.split(/[.[]/)[1] === name) ?? [];
    return issue ? describeSettingIssue(issue) : said;
  };
  return {
    workspaceId: id,
    values: { ...settings, ...changes },
    set(more) {
      // The errors of the service belong to the old values.
      update.reset();
      setChanges({ ...changes, ...more });
    },
    errorAt,
    error: elsewhere,
    isChanged: names.length > 0,
    isValid: !wrong,
    isBusy: update.isPending,
    submit(event) {
      event.preventDefault();
      update.mutate({ params: { id }, body });
    },
    discard() {
      update.reset();
      setChanges({});
    },
  };
}
