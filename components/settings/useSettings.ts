import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { z } from 'zod';
import { WorkspaceUpdate, type Workspace, type WorkspaceSettings } from '@/contract/workspace';
import { fieldErrorsOf } from '../client/field-errors';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';

type Name = keyof WorkspaceSettings;

/** A draft of some of a workspace's settings: what is wrong shows while it is typed, and only changes are sent. */
export interface SettingsDraft {
  workspaceId: string;
  values: WorkspaceSettings;
  set(changes: Partial<WorkspaceSettings>): void;
  errorAt(name: Name): string | undefined;
  /** What belongs to no field. */
  error: string | null;
  isChanged: boolean;
  isValid: boolean;
  isBusy: boolean;
  submit(event: SubmitEvent): void;
  discard(): void;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What is wrong with a number, or in zod's words. */
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
      // What the service said was about what stood there before.
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
