import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { N8nImportPlan } from '@/import/n8n/plan';
import { useTRPC } from '@/components/client/trpc';
import { useCreateTrigger } from '@/components/templates/useCreateTrigger';
import { FOLDER_PAGE_SIZE } from '../folders/useFolders';

/** Runs of n8n that were repeated, and how many gave the same. Undefined: there was none. */
export interface N8nProof {
  equal: number;
  runs: number;
}

/** Creates workflows of n8n with all that belongs to them. */
export function useCreateImported() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const folderIds = useRef(new Map<string, string>());
  const createFolder = useMutation(trpc.folders.create.mutationOptions());
  const create = useMutation(trpc.workflows.create.mutationOptions());
  const change = useMutation(trpc.workflows.update.mutationOptions());
  const keepImport = useMutation(trpc.imports.set.mutationOptions());
  const setPin = useMutation(trpc.pins.set.mutationOptions());
  const createTest = useMutation(trpc.workflowTests.create.mutationOptions());
  const runTest = useMutation(trpc.workflowTests.run.mutationOptions());
  const createTrigger = useCreateTrigger();

  const findFolder = async (name: string): Promise<string | undefined> => {
    for (let offset = 0; ; offset += FOLDER_PAGE_SIZE) {
      const query = { limit: FOLDER_PAGE_SIZE, offset };
      const { data, total } = await queryClient.fetchQuery(trpc.folders.list.queryOptions({ query }));
      const found = data.find((folder) => folder.name === name);
      if (found || offset + FOLDER_PAGE_SIZE >= total) return found?.id;
    }
  };

  /** The id of a folder with this name, which is created if there is none. */
  const resolveFolder = async (name: string | null): Promise<string | null> => {
    if (name === null) return null;
    const known = folderIds.current.get(name) ?? (await findFolder(name));
    if (known !== undefined) return known;
    const { id } = await createFolder.mutateAsync({ body: { name } });
    folderIds.current.set(name, id);
    return id;
  };

  /** Creates the workflows beside a first one, such as its tools. `problems` gets what was refused. */
  const createFurther = async (
    firstId: string,
    { further }: N8nImportPlan,
    about: { folderId: string | null; withTriggers: boolean; problems: string[] },
  ): Promise<void> => {
    for (const plan of further) {
      const { name, description, settings, tags, linkToItself } = plan;
      const definition = linkToItself?.(firstId) ?? plan.definition;
      const body = { name, description, definition, settings, tags, folderId: about.folderId };
      const made = await attemptPart(about.problems, `the tool ${name}`, () => create.mutateAsync({ body }));
      if (made) await addImportedParts(made.id, { ...plan, linkToItself: null }, about);
    }
  };

  /** Stores what belongs to a workflow that was created, and repeats the runs of n8n. `problems` gets what was refused. */
  const addImportedParts = async (
    id: string,
    { definition, record, pins, tests, triggers, linkToItself }: N8nImportPlan,
    { withTriggers, problems }: { withTriggers: boolean; problems: string[] },
  ): Promise<N8nProof | undefined> => {
    const attempt = <Result>(what: string, perform: () => Promise<Result>) => attemptPart(problems, what, perform);
    const params = { id };
    if (linkToItself)
      await attempt('its calls of itself', () =>
        change.mutateAsync({ params, body: { definition: linkToItself(id) } }),
      );
    await attempt('what it was in n8n', () => keepImport.mutateAsync({ params, body: record }));
    if (withTriggers) for (const trigger of triggers) await createTrigger(id, trigger);
    for (const { nodeId, output } of pins) {
      const name = definition.nodes.find((node) => node.id === nodeId)?.name ?? nodeId;
      await attempt(`the pinned data of ${name}`, () =>
        setPin.mutateAsync({ params: { id, nodeId }, body: { output } }),
      );
    }
    const proof = { equal: 0, runs: 0 };
    for (const body of tests) {
      const test = await attempt(body.name, () => createTest.mutateAsync({ params, body }));
      if (!test) continue;
      const result = await attempt(body.name, () => runTest.mutateAsync({ params: { id, testId: test.id }, body: {} }));
      proof.runs += 1;
      if (result?.status === 'passed') proof.equal += 1;
    }
    return proof.runs > 0 ? proof : undefined;
  };
  return { resolveFolder, addImportedParts, createFurther };
}

/** Does a part of the import. The workflow is useful without it, so a refusal is only noted. */
async function attemptPart<Result>(
  problems: string[],
  what: string,
  perform: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await perform();
  } catch {
    problems.push(what);
    return undefined;
  }
}
