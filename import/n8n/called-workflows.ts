import { asN8nObject, asN8nObjects, type N8nObject } from './file';

/** A workflow that others call. */
export interface CalledWorkflow {
  /** Its id here; undefined: it gets one when it is created. */
  workflowId: string | undefined;
  /** The start node at which calls of it begin; null: it has no other. */
  startNodeId: string | null;
  /** It has another id in n8n, and the name that n8n shows for the one that is called. */
  isNamesake?: boolean;
}

/** Workflows that can be called, by their ids in n8n. */
export type CalledWorkflows = ReadonlyMap<string, CalledWorkflow>;

/** What stands for the id of the calling workflow itself. */
export const OWN_WORKFLOW = '$workflow.id';

/** What a node that calls a workflow has in its config. */
export const writeCalledWorkflow = (called: CalledWorkflow | undefined): Record<string, string> =>
  called?.workflowId === undefined
    ? {}
    : { workflowId: called.workflowId, ...(called.startNodeId === null ? {} : { startNodeId: called.startNodeId }) };

/** The id in n8n of the workflow that a node calls; undefined: it is computed, or stands elsewhere. */
export function readCalledWorkflow({ source = 'database', workflowId }: N8nObject): string | undefined {
  const value = typeof workflowId === 'object' ? asN8nObject(workflowId)['value'] : workflowId;
  if (source === 'database' && /^=\s*\{\{\s*\$workflow\.id\s*\}\}\s*$/.test(String(value))) return OWN_WORKFLOW;
  const isKnown = source === 'database' && (typeof value === 'string' || typeof value === 'number');
  return isKnown && !String(value).startsWith('=') && value !== '' ? String(value) : undefined;
}

/** The name that n8n shows for the workflow that a node calls. */
export function readCalledName({ workflowId }: N8nObject): string | undefined {
  const { cachedResultName: name } = asN8nObject(workflowId);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

const listCalls = (file: unknown): N8nObject[] =>
  asN8nObjects(asN8nObject(file)['nodes']).flatMap(({ type, parameters }) =>
    /\.(?:executeWorkflow|toolWorkflow)$/.test(String(type)) ? [asN8nObject(parameters)] : [],
  );

const listCalledWorkflows = (file: unknown): string[] =>
  listCalls(file).flatMap((parameters) => readCalledWorkflow(parameters) ?? []);

/**
 * Ids that lead to no workflow of an import, and the id of the only one in it that has the name which n8n shows for
 * them: n8n gives a workflow another id when it is imported there again.
 */
export function findNamesakes(files: readonly unknown[]): ReadonlyMap<string, string> {
  const ids = new Set(files.map((file) => asN8nObject(file)['id']));
  const byName = new Map<unknown, unknown[]>();
  for (const file of files) {
    const { name } = asN8nObject(file);
    const own = byName.get(name);
    if (own) own.push(file);
    else byName.set(name, [file]);
  }
  const found = new Map<string, Set<unknown>>();
  for (const parameters of files.flatMap(listCalls)) {
    const [id, name] = [readCalledWorkflow(parameters), readCalledName(parameters)];
    if (id === undefined || id === OWN_WORKFLOW || name === undefined || ids.has(id)) continue;
    const named = found.get(id) ?? new Set();
    // A second one is enough to know that it is not the only one.
    for (const file of (byName.get(name) ?? []).slice(0, 2)) named.add(file);
    found.set(id, named);
  }
  return new Map(
    [...found].flatMap(([id, named]): [string, string][] => {
      const [only] = named.size === 1 ? named : [];
      const { id: other } = asN8nObject(only);
      return typeof other === 'string' && other !== '' ? [[id, other]] : [];
    }),
  );
}

/** Makes a workflow known to those that call it, by its id and by those that stand for it. */
export function addCalledWorkflow(
  workflows: Map<string, CalledWorkflow>,
  { id, namesakes, ...called }: CalledWorkflow & { id: string; namesakes: ReadonlyMap<string, string> },
): void {
  workflows.set(id, called);
  for (const [missing, found] of namesakes) if (found === id) workflows.set(missing, { ...called, isNamesake: true });
}

/** The workflows that a workflow calls, and its error workflow. */
function listNamedWorkflows(file: unknown): string[] {
  const { errorWorkflow } = asN8nObject(asN8nObject(file)['settings']);
  return [...listCalledWorkflows(file), ...(typeof errorWorkflow === 'string' ? [errorWorkflow] : [])];
}

/** Whether a workflow calls itself. */
export const callsItself = (file: unknown): boolean => {
  const { id } = asN8nObject(file);
  return listCalledWorkflows(file).some((called) => called === OWN_WORKFLOW || called === id);
};

/** Workflows of n8n in an order in which those that others call, or name as error workflow, come before them, as far as they call in no circle. */
export function sortByCalls<One>(all: readonly One[], readFile: (one: One) => unknown): One[] {
  const byId = new Map(
    all.flatMap((one): [string, One][] => {
      const { id } = asN8nObject(readFile(one));
      return typeof id === 'string' ? [[id, one]] : [];
    }),
  );
  const namesakes = findNamesakes(all.map(readFile));
  const sorted = new Set<One>();
  const begun = new Set<One>();
  // The stack holds what waits for the workflows that it calls.
  for (const root of all) {
    const stack = [root];
    for (let one = stack.at(-1); one !== undefined; one = stack.at(-1)) {
      const isFirst = !begun.has(one);
      begun.add(one);
      const open = isFirst
        ? [...new Set(listNamedWorkflows(readFile(one)))].flatMap((id) => byId.get(namesakes.get(id) ?? id) ?? [])
        : [];
      const next = open.filter((called) => !begun.has(called));
      if (next.length > 0) stack.push(...next);
      else {
        stack.pop();
        sorted.add(one);
      }
    }
  }
  return [...sorted];
}
