import { useMutation } from '@tanstack/react-query';
import { use, useState } from 'react';
import type { WorkflowTemplate } from '@/contract/workflows/template';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useWorkspaceLanguage } from '@/components/client/queries/useWorkspaceLanguage';
import { CurrentFolderContext } from '@/components/client/current-folder';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { applyTemplate } from './set-up';
import { NEW_TABLE_OPTION, type SetUpDraft } from './set-up-form';
import { useCreateTrigger } from './useCreateTrigger';

export interface CreatedWorkflow {
  workflowId: string;
  /** Secrets that the service has made; they are shown once. */
  secrets: { url: string; secret: string }[];
}

/** At most this number of names is tried for a table. */
const MAX_TABLE_NAMES = 20;

/** Creates the workflow of a template, with its table and its triggers. */
export function useCreateFromTemplate(template: WorkflowTemplate) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  // A second attempt uses the table of the first.
  const [ownTable, setOwnTable] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const createTable = useMutation(trpc.tables.create.mutationOptions());
  const createWorkflow = useMutation(trpc.workflows.create.mutationOptions());
  const createTrigger = useCreateTrigger();
  const language = useWorkspaceLanguage();
  const folderId = use(CurrentFolderContext);
  const types = useNodeTypes().data;

  /** Creates a table; if its name is taken, under the next free name with a number. */
  const newTable = async (table: NonNullable<WorkflowTemplate['table']>, count = 1): Promise<string> => {
    const name = count === 1 ? table.name : `${table.name} ${count}`;
    try {
      return (await createTable.mutateAsync({ body: { ...table, name } })).id;
    } catch (refusal) {
      if (readApiError(refusal).code !== 'CONFLICT' || count === MAX_TABLE_NAMES) throw refusal;
      return newTable(table, count + 1);
    }
  };

  const tableOf = async ({ tableId }: SetUpDraft): Promise<string | undefined> => {
    if (!template.table || tableId !== NEW_TABLE_OPTION) return tableId ?? undefined;
    if (ownTable) return ownTable;
    const id = await newTable(template.table);
    setOwnTable(id);
    return id;
  };

  const perform = async (form: SetUpDraft): Promise<CreatedWorkflow> => {
    const tableId = await tableOf(form);
    const values = Object.fromEntries(Object.entries(form.values).map(([id, text]) => [id, text.trim()]));
    const prepared = applyTemplate(template, { ...form, values, tableId });
    const { definition, triggers } =
      language === 'javascript' && types
        ? (await import('./convert-template')).convertPreparedTemplate(
            prepared,
            language,
            (type) => types.find((one) => one.type === type)?.configSchema,
          )
        : prepared;
    const body = { name: form.name.trim(), description: template.description, definition, folderId };
    const { id: workflowId } = await createWorkflow.mutateAsync({ body });
    const secrets: CreatedWorkflow['secrets'] = [];
    for (const trigger of triggers) {
      const secret = await createTrigger(workflowId, trigger);
      if (secret) secrets.push(secret);
    }
    return { workflowId, secrets };
  };

  /** Creates the workflow. Returns undefined if it was refused; then `error` has the reason. */
  const create = async (form: SetUpDraft): Promise<CreatedWorkflow | undefined> => {
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
  const nameError = error ? readApiError(error).details.find(({ field }) => field === 'name')?.message : undefined;
  return { create, isBusy, nameError, error: error && !nameError ? apiErrorSentence(error) : undefined };
}
