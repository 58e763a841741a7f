import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import { WorkspaceUpdate, type Workspace, type WorkspaceSettings } from '@/contract/workspace';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';

type Name = keyof WorkspaceSettings;

/** A draft of workspace settings: validated while typing, and only changes are sent. */
export interface SettingsDraft {
  workspaceId: string;
  values: WorkspaceSettings;
  set(changes: Partial<WorkspaceSettings>): void;
  errorAt(name: Name): string | undefined;
  /** An error that belongs to no field. */
  error: string | null;
  isChanged: boolean;
  isValid: boolean;
  isBusy: boolean;
  submit(event: SubmitEvent): void;
  discard(): void;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The message of a zod issue, simpler for numbers. */
function explained(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big') return `must be ${issue.maximum} or less`;
  return issue.code === 'invalid_type' ? 'must be a whole number' : issue.message;
}

export function useSettings({ id, settings }: Workspace): SettingsDraft {
  const trpc = useTRPC();
  const refresh = useRefresh();
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
  const names = (Object.keys(changes) as Name[]).filter((name) => !isSame(changes[name], settings[name]));
  const body = { settings: Object.fromEntries(names.map((name) => [name, changes[name]])) };
  const { error: wrong } = WorkspaceUpdate.safeParse(body);
  const { at, elsewhere } = fieldErrorsOf(update.error, (field) => field.startsWith('settings.'));
  const errorAt = (name: Name) => {
    const issue = wrong?.issues.find(({ path }) => path[1] === name);
    const [, said] = [...at].find(([field]) => field.split(/[.[]/)[1] === name) ?? [];
    return issue ? explained(issue) : said;
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
