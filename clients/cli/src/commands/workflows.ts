import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { WeftError, type Weft, type Workflow } from '@weft/client';
import { InvalidArgumentError, type Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { connectClient } from '../config.js';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { readJsonObjectOption } from '../input.js';
import { printLine, printJson, printTextTable } from '../output.js';
import {
  workflowFileName,
  toWorkflowFile,
  readWorkflowFile,
  serializeWorkflow,
  writeWorkflowFile,
  type WorkflowFile,
} from '../workflow-file.js';
import { followRun } from './follow.js';

const wantsJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export const parsePositiveNumber = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

export function addWorkflowCommands(program: Command): void {
  const workflows = program.command('workflows').description('workflows, and files of them');
  workflows
    .command('list')
    .description('list the workflows, newest first')
    .option('--search <text>', 'part of the name')
    .option('--tag <tag>', 'only workflows with this tag')
    .action(printWorkflows);
  workflows
    .command('pull <id...>')
    .description('write workflows into files')
    .option('-o, --output <folder>', 'where to', '.')
    .option('--yaml', 'write YAML, not JSON')
    .option('--force', 'replace files of other workflows')
    .action(pullWorkflows);
  workflows
    .command('push <file...>')
    .description('create the workflows of files, or update those that they were pulled from')
    .option('--force', 'replace versions that are newer than the file')
    .option('-m, --message <text>', 'message of the new version')
    .action(pushWorkflows);
  workflows
    .command('diff <file...>')
    .description('show how files differ from the service; exit code 1 if they do')
    .action(printWorkflowDiffs);
  workflows
    .command('run <id>')
    .description('run a workflow, named by its id or its file, and wait for the end')
    .option('--input <json>', 'a JSON object, @<file>, or - for standard input')
    .option('--no-wait', 'do not wait')
    .option('--watch', 'show what happens')
    .option('--timeout <seconds>', 'stop waiting after this time; the run goes on', parsePositiveNumber)
    .action(runWorkflowCommand);
}

async function printWorkflows(query: { search?: string; tag?: string }, command: Command): Promise<void> {
  const items = [];
  for await (const item of connectClient().all('/api/workflows', { query })) items.push(item);
  if (wantsJson(command)) return printJson(items);
  const rows = items.map((one) => [one.id, one.status, one.version, one.updatedAt, one.name]);
  printTextTable([['ID', 'STATUS', 'VERSION', 'UPDATED', 'NAME'], ...rows]);
}

interface PullWorkflowOptions {
  output: string;
  yaml?: boolean;
  force?: boolean;
}

async function pullWorkflows(
  ids: string[],
  { output, yaml, force }: PullWorkflowOptions,
  command: Command,
): Promise<void> {
  const weft = connectClient();
  const files = [];
  for (const id of ids) {
    const workflow = await weft.workflows.get(id);
    mkdirSync(output, { recursive: true });
    const file = path.join(output, `${workflowFileName(workflow.name)}.${yaml ? 'yaml' : 'json'}`);
    if (!force && existsSync(file) && readWorkflowFile(file).id !== id)
      throw new CommandFailure(`${file} is another workflow. Replace it with --force.`);
    writeWorkflowFile(file, toWorkflowFile(workflow));
    files.push({ id, version: workflow.version, file });
  }
  if (wantsJson(command)) return printJson(files);
  for (const { id, version, file } of files) printLine(`${file}  ${id} version ${version}`);
}

/** The fields by which a file and the workflow of the service are compared. */
const comparableContent = ({ name, description, definition }: WorkflowFile) => ({ name, description, definition });
const hasSameContent = (one: WorkflowFile, other: WorkflowFile) =>
  serializeWorkflow(comparableContent(one), '.json') === serializeWorkflow(comparableContent(other), '.json');

interface PushWorkflowOptions {
  force?: boolean;
  message?: string;
}

async function pushWorkflows(files: string[], options: PushWorkflowOptions, command: Command): Promise<void> {
  const weft = connectClient();
  // All are read before the first is sent: a broken file changes nothing.
  const read = files.map((file) => ({ file, content: readWorkflowFile(file) }));
  const results = [];
  for (const { file, content } of read) {
    const { workflow, did } = await pushWorkflow(weft, file, content, options);
    if (content.id !== workflow.id || content.version !== workflow.version)
      writeWorkflowFile(file, toWorkflowFile(workflow));
    results.push({ file, did, id: workflow.id, version: workflow.version });
    if (!wantsJson(command)) printLine(`${file}  ${did}: ${workflow.id} version ${workflow.version}`);
  }
  if (wantsJson(command)) printJson(results);
}

async function pushWorkflow(
  weft: Weft,
  file: string,
  content: WorkflowFile,
  { force, message }: PushWorkflowOptions,
): Promise<{ workflow: Workflow; did: string }> {
  const fields = { ...comparableContent(content), ...(message === undefined ? {} : { message }) };
  if (content.id === undefined) return { workflow: await weft.workflows.create(fields), did: 'created' };
  const { id, version } = content;
  const current = await fetchCurrentWorkflow(weft, file, id);
  if (hasSameContent(content, current)) return { workflow: current, did: 'unchanged' };
  const refuse = (reason: string) =>
    new CommandFailure(`${file}: ${reason}. Look with \`weft workflows diff\`, pull it, or replace it with --force.`);
  if (!force && current.version !== version)
    throw refuse(`the service has version ${current.version} of ${id}, the file version ${version ?? 'none'}`);
  if (!force && current.draftVersion !== null) throw refuse(`${id} has a draft that is not published`);
  try {
    const guarded = force ? fields : { ...fields, version: current.version };
    return { workflow: await weft.workflows.update(id, guarded), did: 'updated' };
  } catch (error) {
    if (!force && error instanceof WeftError && error.status === 409) throw refuse(error.message);
    throw error;
  }
}

async function fetchCurrentWorkflow(weft: Weft, file: string, id: string): Promise<Workflow> {
  try {
    return await weft.workflows.get(id);
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 404)) throw error;
    throw new CommandFailure(`${file}: the service has no workflow ${id}. Remove \`id\` and \`version\` to create it.`);
  }
}

async function printWorkflowDiffs(files: string[], _options: object, command: Command): Promise<void> {
  const weft = connectClient();
  const results = [];
  for (const file of files) {
    const content = readWorkflowFile(file);
    const current = content.id === undefined ? undefined : await fetchCurrentWorkflow(weft, file, content.id);
    const isDifferent = !current || !hasSameContent(content, current);
    // YAML has one value on each line, also for files in JSON.
    const there = current ? serializeWorkflow(comparableContent(current), '.yaml') : '';
    const patch = isDifferent
      ? createTwoFilesPatch(
          `service/${content.id ?? 'none'}`,
          file,
          there,
          serializeWorkflow(comparableContent(content), '.yaml'),
        )
      : '';
    results.push({ file, id: content.id ?? null, isDifferent, patch });
  }
  if (wantsJson(command)) printJson(results);
  else for (const { patch } of results.filter(({ isDifferent }) => isDifferent)) printLine(patch.trimEnd());
  if (results.some(({ isDifferent }) => isDifferent)) process.exitCode = EXIT_CODES.failed;
}

interface RunWorkflowOptions {
  input?: string;
  wait: boolean;
  watch?: boolean;
  timeout?: number;
}

/** The id of a workflow that is named by its id or its file. */
export function resolveWorkflowId(target: string): string {
  const id = /\.(?:json|ya?ml)$/i.test(target) ? readWorkflowFile(target).id : target;
  if (id === undefined) throw new CommandFailure(`${target} has no \`id\`: push it first.`, EXIT_CODES.usage);
  return id;
}

async function runWorkflowCommand(target: string, options: RunWorkflowOptions, command: Command): Promise<void> {
  const weft = connectClient();
  const id = resolveWorkflowId(target);
  const input = options.input === undefined ? {} : await readJsonObjectOption(options.input);
  const accepted = await weft.workflows.execute(id, { input });
  await followRun(weft, accepted.executionId, { ...options, json: wantsJson(command) });
}
