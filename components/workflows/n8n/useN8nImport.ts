import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import type { CalledWorkflow, CalledWorkflows } from '@/import/n8n/called-workflows';
import { listConvertedWorkflows, readN8nFiles, type ListedN8nWorkflow } from './n8n-source';
import type { N8nServerAccess } from './N8nServerForm';
import { useCreateImported, type N8nProof } from './useCreateImported';

/** What became of a workflow of the list. */
export type N8nImportOutcome =
  | { state: 'running' }
  | { state: 'refused'; reason: string }
  | { state: 'created'; id: string; proof: N8nProof | undefined; problems: string[] };

const MAX_PAGES = 200;
const REPEATED_RUNS = 5;

/** Lists workflows of n8n and imports those that are chosen, one after another. */
export function useN8nImport() {
  const trpc = useTRPC();
  const invalidate = useInvalidateQueries();
  const listPage = useMutation(trpc.imports.n8nWorkflows.mutationOptions());
  const readWorkflow = useMutation(trpc.imports.n8nWorkflow.mutationOptions());
  const create = useMutation(trpc.workflows.create.mutationOptions());
  const { resolveFolder, addImportedParts, createFurther } = useCreateImported();
  const [server, setServer] = useState<N8nServerAccess>();
  const [workflows, setWorkflows] = useState<ListedN8nWorkflow[]>();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, N8nImportOutcome>>(new Map());

  const listing = useMutation({
    mutationFn: async (source: N8nServerAccess | File[]) => {
      setOutcomes(new Map());
      if (Array.isArray(source)) {
        setServer(undefined);
        return setWorkflows(await readN8nFiles(source));
      }
      setServer(source);
      const listed: ListedN8nWorkflow[] = [];
      let cursor: string | null | undefined;
      for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
        const { data, nextCursor, imported } = await listPage.mutateAsync({
          body: { ...source, ...(cursor ? { cursor } : {}) },
        });
        const open = data.filter((value) => (value as { isArchived?: unknown } | null)?.isArchived !== true);
        const importedIds = new Map(imported.map(({ sourceId, workflowId }) => [sourceId, workflowId]));
        const about = { url: source.url, otherName: 'Imported', from: listed.length, importedIds };
        listed.push(...(await listConvertedWorkflows(open, about)));
        cursor = nextCursor;
      }
      setWorkflows(listed);
    },
  });

  const importOne = async (
    listed: ListedN8nWorkflow,
    {
      withTriggers,
      known,
      remember,
    }: {
      withTriggers: boolean;
      known: CalledWorkflows;
      remember: (sourceId: string, called: CalledWorkflow) => void;
    },
  ): Promise<N8nImportOutcome> => {
    try {
      const { planN8nImport } = await import('@/import/n8n/plan');
      const sourceId = listed.plan?.record.sourceId;
      const found = server && sourceId ? await readFromServer(server, sourceId) : { workflow: listed.value, runs: [] };
      const plan = planN8nImport(found.workflow, { url: server?.url ?? null, runs: found.runs, workflows: known });
      const { description, definition, settings, tags, folder } = plan;
      const name = plan.name || listed.name;
      const folderId = await resolveFolder(folder);
      const { id } = await create.mutateAsync({ body: { name, description, definition, settings, tags, folderId } });
      if (sourceId) remember(sourceId, { workflowId: id, startNodeId: plan.calledStartId });
      const problems: string[] = [];
      const proof = await addImportedParts(id, plan, { withTriggers, problems });
      await createFurther(id, plan, { folderId, withTriggers, problems });
      return { state: 'created', id, proof, problems };
    } catch (error) {
      return { state: 'refused', reason: apiErrorSentence(error) };
    }
  };
  const readFromServer = (from: N8nServerAccess, workflowId: string) =>
    readWorkflow.mutateAsync({ body: { ...from, workflowId, runs: REPEATED_RUNS } });

  const importing = useMutation({
    mutationFn: async ({ keys, withTriggers }: { keys: ReadonlySet<string>; withTriggers: boolean }) => {
      const put = (key: string, outcome: N8nImportOutcome) =>
        setOutcomes((before) => new Map(before).set(key, outcome));
      // A workflow that others call is imported before them, so that they lead to it.
      const { addCalledWorkflow, findNamesakes, sortByCalls } = await import('@/import/n8n/called-workflows');
      const namesakes = findNamesakes((workflows ?? []).map(({ value }) => value));
      const known = new Map<string, CalledWorkflow>();
      const remember = (id: string, called: CalledWorkflow) => addCalledWorkflow(known, { id, namesakes, ...called });
      for (const { key, plan, importedId } of workflows ?? []) {
        const [outcome, sourceId] = [outcomes.get(key), plan?.record.sourceId];
        const workflowId = outcome?.state === 'created' ? outcome.id : importedId;
        if (workflowId !== undefined && plan && sourceId)
          remember(sourceId, { workflowId, startNodeId: plan.calledStartId });
      }
      for (const listed of sortByCalls(workflows ?? [], ({ value }) => value)) {
        if (!keys.has(listed.key) || outcomes.get(listed.key)?.state === 'created') continue;
        put(listed.key, { state: 'running' });
        put(listed.key, await importOne(listed, { withTriggers, known, remember }));
      }
    },
    onSettled: invalidate,
  });
  return { workflows, outcomes, listing, importing, startOver: () => setWorkflows(undefined) };
}
