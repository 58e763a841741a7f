import type { Weft } from '@weft/client';
import { runWorkflowTests } from './commands/tests.js';
import { explainError } from './failure.js';
import type { N8nConversionResult } from './n8n.js';
import { printErrorLine, toPlainLine } from './output.js';

/** What became of a workflow of n8n. */
export interface CreatedImport {
  id: string;
  name: string;
  light: N8nConversionResult['light'];
  /** The kinds of the triggers that were created. */
  triggers: string[];
  /** Runs of n8n that were repeated, and how many of them gave the same. Null: there was none. */
  proof: { equal: number; runs: number } | null;
  report: N8nConversionResult['record']['report'];
}

export interface CreateImportOptions {
  /** The name for a workflow without one. */
  otherName: string;
  hasTriggers: boolean;
  hasProof: boolean;
  /** The ids of folders by their names; what is missing is created. */
  folders: Map<string, string>;
}

/** Creates a workflow with its triggers, pins and tests, and runs the tests. */
export async function createImportedWorkflow(
  weft: Weft,
  plan: N8nConversionResult,
  { otherName, hasTriggers, hasProof, folders }: CreateImportOptions,
): Promise<CreatedImport> {
  const { description, definition, settings, tags, light, record } = plan;
  const folderId = plan.folder === null ? null : await resolveFolder(weft, plan.folder, folders);
  const workflow = await weft.workflows.create({
    name: plan.name || otherName,
    description,
    definition,
    settings,
    tags,
    folderId,
  });
  const { id } = workflow;
  const { linkToItself } = plan;
  if (linkToItself)
    await attempt('The link to itself', () => weft.workflows.update(id, { definition: linkToItself(id) }));
  const triggers = hasTriggers ? await createTriggers(weft, id, plan.triggers) : [];
  await attempt('The record of the import', () =>
    weft.put('/api/workflows/{id}/import', { path: { id }, body: record as never }),
  );
  for (const { nodeId, output } of plan.pins)
    await attempt(`The pinned output of ${nodeId}`, () =>
      weft.put('/api/workflows/{id}/pins/{nodeId}', { path: { id, nodeId }, body: { output } }),
    );
  let proof: CreatedImport['proof'] = null;
  for (const body of plan.tests)
    await attempt(`The test “${body.name}”`, () =>
      weft.post('/api/workflows/{id}/tests', { path: { id }, body: body as never }),
    );
  if (hasProof && plan.tests.length > 0) {
    const suite = await attempt('The proof', () => runWorkflowTests(weft, id, true, false));
    if (suite)
      proof = {
        runs: suite.cases.length,
        equal: suite.cases.filter(({ result }) => result.status === 'passed').length,
      };
  }
  // A run that differs has to be looked at, whatever the conversion says.
  const isDifferent = proof !== null && proof.equal < proof.runs;
  const shown = isDifferent && light === 'green' ? 'yellow' : light;
  return { id, name: workflow.name, light: shown, triggers, proof, report: record.report };
}

/** The workflows beside a first one: calls of the workflow itself lead to that one. */
export const listFurtherPlans = ({ further }: N8nConversionResult, firstId: string): N8nConversionResult[] =>
  further.map((one) => ({
    ...one,
    definition: one.linkToItself?.(firstId) ?? one.definition,
    linkToItself: null,
  }));

/** Does a part of the import. The workflow is useful without it, so a refusal is only reported. */
async function attempt<Result>(what: string, perform: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await perform();
  } catch (error) {
    printErrorLine(toPlainLine(`${what} was not created: ${explainError(error).message}`));
    return undefined;
  }
}

async function resolveFolder(weft: Weft, name: string, folders: Map<string, string>): Promise<string | null> {
  if (folders.size === 0) for await (const { id, name: known } of weft.all('/api/folders', {})) folders.set(known, id);
  const known = folders.get(name);
  if (known !== undefined) return known;
  const made = await attempt(`The folder ${name}`, () => weft.post('/api/folders', { body: { name } }));
  if (made) folders.set(name, made.id);
  return made?.id ?? null;
}

async function createTriggers(weft: Weft, id: string, triggers: N8nConversionResult['triggers']): Promise<string[]> {
  const created: string[] = [];
  for (const { kind, settings } of triggers) {
    const body = settings as never;
    await attempt(`The ${kind}`, async () => {
      if (kind === 'webhook') await weft.post('/api/workflows/{id}/webhooks', { path: { id }, body });
      if (kind === 'form') await weft.post('/api/workflows/{id}/forms', { path: { id }, body });
      if (kind === 'chat') await weft.post('/api/workflows/{id}/chats', { path: { id }, body });
      if (kind === 'schedule') await weft.post('/api/workflows/{id}/schedules', { path: { id }, body });
      if (kind === 'poll') await weft.post('/api/workflows/{id}/polls', { path: { id }, body });
      created.push(kind);
    });
  }
  return created;
}
