import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Template } from '@/contract/workflows/template';
import { problemOf, sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { setUp } from './set-up';
import { NEW_TABLE, type SetUpForm } from './set-up-form';
import { useTriggers } from './useTriggers';

export interface Created {
  workflowId: string;
  /** Secrets that the service has made; they are shown once. */
  secrets: { url: string; secret: string }[];
}

/** Names that are tried for a table. */
const MOST_NAMES = 20;

/** Creates the workflow of a template, with its table and its triggers. */
export function useCreation(template: Template) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  // A second attempt uses the table of the first.
  const [ownTable, setOwnTable] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const createTable = useMutation(trpc.tables.create.mutationOptions());
  const createWorkflow = useMutation(trpc.workflows.create.mutationOptions());
  const createTrigger = useTriggers();

  /** Creates a table; if its name is taken, under the next free name with a number. */
  const newTable = async (table: NonNullable<Template['table']>, count = 1): Promise<string> => {
    const name = count === 1 ? table.name : `${table.name} ${count}`;
    try {
      return (await createTable.mutateAsync({ body: { ...table, name } })).id;
    } catch (refusal) {
      if (problemOf(refusal).code !== 'CONFLICT' || count === MOST_NAMES) throw refusal;
      return newTable(table, count + 1);
    }
  };

  const tableOf = async ({ tableId }: SetUpForm): Promise<string | undefined> => {
    if (!template.table || tableId !== NEW_TABLE) return tableId ?? undefined;
    if (ownTable) return ownTable;
    const id = await newTable(template.table);
    setOwnTable(id);
    return id;
  };

  const perform = async (form: SetUpForm): Promise<Created> => {
    const tableId = await tableOf(form);
    const values = Object.fromEntries(Object.entries(form.values).map(([id, text]) => [id, text.trim()]));
    const { definition, triggers } = setUp(template, { ...form, values, tableId });
    const body = { name: form.name.trim(), description: template.description, definition };
    const { id: workflowId } = await createWorkflow.mutateAsync({ body });
    const secrets: Created['secrets'] = [];
    for (const trigger of triggers) {
      const secret = await createTrigger(workflowId, trigger);
      if (secret) secrets.push(secret);
    }
    return { workflowId, secrets };
  };

  /** Undefined: it was refused; see `error`. */
  const create = async (form: SetUpForm): Promise<Created | undefined> => {
    setIsBusy(true);
    setError(undefined);
    try {
      return await perform(form);
    } catch (refusal) {
      setError(refusal);
      return undefined;
    } finally {
      setIsBusy(false);
      refresh();
    }
  };
  const nameError = error ? problemOf(error).details.find(({ field }) => field === 'name')?.message : undefined;
  return { create, isBusy, nameError, error: error && !nameError ? sentence(error) : undefined };
}
