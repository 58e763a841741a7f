import { statSync } from 'node:fs';
import path from 'node:path';
import type { Weft, Workflow } from '@weft/client';
import type { Command } from 'commander';
import { connect } from '../config.js';
import { EXIT, explain, Failure } from '../failure.js';
import { importN8n, isN8n, type Imported } from '../n8n.js';
import { clean, note, print, printJson, printTable } from '../output.js';
import { readValue, readWorkflow } from '../workflow-file.js';

const MAX_BYTES = 10 * 1024 * 1024;

export function addImport(program: Command): void {
  program
    .command('import <file>')
    .description('create a workflow from an exported file of Weft or n8n, as a new one')
    .option('--no-triggers', 'do not create the triggers of a file of n8n')
    .action(importFile);
}

async function importFile(file: string, { triggers }: { triggers: boolean }, command: Command): Promise<void> {
  const isJson = Boolean(command.optsWithGlobals()['json']);
  if (statSync(file).size > MAX_BYTES) throw new Failure(`${file} is larger than 10 MB.`, EXIT.usage);
  const value = readValue(file);
  const weft = connect();
  if (!isN8n(value)) {
    const { name, description, definition } = readWorkflow(file);
    const workflow = await weft.workflows.create({ name, description, definition });
    return isJson ? printJson(workflow) : print(`${workflow.id}  ${clean(workflow.name)}`);
  }
  const imported = importN8n(value, file);
  const { name, definition, settings, report } = imported;
  const workflow = await weft.workflows.create({ name: name || path.parse(file).name, definition, settings });
  const created = triggers ? await createTriggers(weft, workflow, imported) : [];
  if (isJson) return printJson({ workflow, triggers: created, report });
  print(`${workflow.id}  ${clean(workflow.name)}`);
  const rows = report.map(({ node, outcome, message }) => [outcome, node, message]);
  printTable([['OUTCOME', 'NODE', 'WHAT TO KNOW'], ...rows]);
}

/** Creates the triggers. The workflow is useful without them, so a refusal is only reported. */
async function createTriggers(weft: Weft, { id }: Workflow, { triggers }: Imported): Promise<string[]> {
  const created = [];
  for (const { kind, settings } of triggers) {
    const body = settings as never;
    try {
      if (kind === 'webhook') await weft.post('/api/workflows/{id}/webhooks', { path: { id }, body });
      if (kind === 'form') await weft.post('/api/workflows/{id}/forms', { path: { id }, body });
      if (kind === 'chat') await weft.post('/api/workflows/{id}/chats', { path: { id }, body });
      if (kind === 'schedule') await weft.post('/api/workflows/{id}/schedules', { path: { id }, body });
      if (kind === 'poll') await weft.post('/api/workflows/{id}/polls', { path: { id }, body });
      created.push(kind);
    } catch (error) {
      note(clean(`The ${kind} was not created: ${explain(error).message}`));
    }
  }
  return created;
}
