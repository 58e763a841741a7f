import { statSync } from 'node:fs';
import path from 'node:path';
import type { Weft, Workflow } from '@weft/client';
import type { Command } from 'commander';
import { connectClient } from '../config.js';
import { EXIT_CODES, explainError, CommandFailure } from '../failure.js';
import { convertN8nExport, looksLikeN8nExport, type N8nImportResult } from '../n8n.js';
import { toPlainLine, printErrorLine, printLine, printJson, printTextTable } from '../output.js';
import { readJsonOrYaml, readWorkflowFile } from '../workflow-file.js';

const MAX_IMPORT_FILE_BYTES = 10 * 1024 * 1024;

export function addImportCommand(program: Command): void {
  program
    .command('import <file>')
    .description('create a workflow from an exported file of Weft or n8n, as a new one')
    .option('--no-triggers', 'do not create the triggers of a file of n8n')
    .action(importWorkflowFile);
}

async function importWorkflowFile(file: string, { triggers }: { triggers: boolean }, command: Command): Promise<void> {
  const isJson = Boolean(command.optsWithGlobals()['json']);
  if (statSync(file).size > MAX_IMPORT_FILE_BYTES)
    throw new CommandFailure(`${file} is larger than 10 MB.`, EXIT_CODES.usage);
  const value = readJsonOrYaml(file);
  const weft = connectClient();
  if (!looksLikeN8nExport(value)) {
    const { name, description, definition } = readWorkflowFile(file);
    const workflow = await weft.workflows.create({ name, description, definition });
    return isJson ? printJson(workflow) : printLine(`${workflow.id}  ${toPlainLine(workflow.name)}`);
  }
  const imported = convertN8nExport(value, file);
  const { name, definition, settings, report } = imported;
  const workflow = await weft.workflows.create({ name: name || path.parse(file).name, definition, settings });
  const created = triggers ? await createTriggers(weft, workflow, imported) : [];
  if (isJson) return printJson({ workflow, triggers: created, report });
  printLine(`${workflow.id}  ${toPlainLine(workflow.name)}`);
  const rows = report.map(({ node, outcome, message }) => [outcome, node, message]);
  printTextTable([['OUTCOME', 'NODE', 'WHAT TO KNOW'], ...rows]);
}

/** Creates the triggers. The workflow is useful without them, so a refusal is only reported. */
async function createTriggers(weft: Weft, { id }: Workflow, { triggers }: N8nImportResult): Promise<string[]> {
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
      printErrorLine(toPlainLine(`The ${kind} was not created: ${explainError(error).message}`));
    }
  }
  return created;
}
