import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { WeftError, type Weft, type Workflow } from '@weft/client';
import { InvalidArgumentError, type Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { connect } from '../config.js';
import { EXIT, Failure } from '../failure.js';
import { readObject } from '../input.js';
import { print, printJson, printTable } from '../output.js';
import { fileNameOf, fileOf, readWorkflow, textOf, writeWorkflow, type WorkflowFile } from '../workflow-file.js';
import { follow } from './follow.js';

const isJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

export function addWorkflows(program: Command): void {
  const workflows = program.command('workflows').description('workflows, and files of them');
  workflows
    .command('list')
    .description('list the workflows, newest first')
    .option('--search <text>', 'part of the name')
    .option('--tag <tag>', 'only workflows with this tag')
    .action(list);
  workflows
    .command('pull <id...>')
    .description('write workflows into files')
    .option('-o, --output <folder>', 'where to', '.')
    .option('--yaml', 'write YAML, not JSON')
    .option('--force', 'replace files of other workflows')
    .action(pull);
  workflows
    .command('push <file...>')
    .description('create the workflows of files, or update those that they were pulled from')
    .option('--force', 'replace versions that are newer than the file')
    .option('-m, --message <text>', 'message of the new version')
    .action(push);
  workflows
    .command('diff <file...>')
    .description('show how files differ from the service; exit code 1 if they do')
    .action(diff);
  workflows
    .command('run <id>')
    .description('run a workflow, named by its id or its file, and wait for the end')
    .option('--input <json>', 'a JSON object, @<file>, or - for standard input')
    .option('--no-wait', 'do not wait')
    .option('--watch', 'show what happens')
    .option('--timeout <seconds>', 'stop waiting after this time; the run goes on', positive)
    .action(run);
}

async function list(query: { search?: string; tag?: string }, command: Command): Promise<void> {
  const items = [];
  for await (const item of connect().all('/api/workflows', { query })) items.push(item);
  if (isJson(command)) return printJson(items);
  const rows = items.map((one) => [one.id, one.status, one.version, one.updatedAt, one.name]);
  printTable([['ID', 'STATUS', 'VERSION', 'UPDATED', 'NAME'], ...rows]);
}

interface PullOptions {
  output: string;
  yaml?: boolean;
  force?: boolean;
}

async function pull(ids: string[], { output, yaml, force }: PullOptions, command: Command): Promise<void> {
  const weft = connect();
  const files = [];
  for (const id of ids) {
    const workflow = await weft.workflows.get(id);
    mkdirSync(output, { recursive: true });
    const file = path.join(output, `${fileNameOf(workflow.name)}.${yaml ? 'yaml' : 'json'}`);
    if (!force && existsSync(file) && readWorkflow(file).id !== id)
      throw new Failure(`${file} is another workflow. Replace it with --force.`);
    writeWorkflow(file, fileOf(workflow));
    files.push({ id, version: workflow.version, file });
  }
  if (isJson(command)) return printJson(files);
  for (const { id, version, file } of files) print(`${file}  ${id} version ${version}`);
}

/** What a file and the service are compared by. */
const contentOf = ({ name, description, definition }: WorkflowFile) => ({ name, description, definition });
const isSame = (one: WorkflowFile, other: WorkflowFile) =>
  textOf(contentOf(one), '.json') === textOf(contentOf(other), '.json');

interface PushOptions {
  force?: boolean;
  message?: string;
}

async function push(files: string[], options: PushOptions, command: Command): Promise<void> {
  const weft = connect();
  // All are read before the first is sent: a broken file changes nothing.
  const read = files.map((file) => ({ file, content: readWorkflow(file) }));
  const results = [];
  for (const { file, content } of read) {
    const { workflow, did } = await send(weft, file, content, options);
    if (content.id !== workflow.id || content.version !== workflow.version) writeWorkflow(file, fileOf(workflow));
    results.push({ file, did, id: workflow.id, version: workflow.version });
    if (!isJson(command)) print(`${file}  ${did}: ${workflow.id} version ${workflow.version}`);
  }
  if (isJson(command)) printJson(results);
}

async function send(
  weft: Weft,
  file: string,
  content: WorkflowFile,
  { force, message }: PushOptions,
): Promise<{ workflow: Workflow; did: string }> {
  const fields = { ...contentOf(content), ...(message === undefined ? {} : { message }) };
  if (content.id === undefined) return { workflow: await weft.workflows.create(fields), did: 'created' };
  const { id, version } = content;
  const current = await currentOf(weft, file, id);
  if (isSame(content, current)) return { workflow: current, did: 'unchanged' };
  const refuse = (reason: string) =>
    new Failure(`${file}: ${reason}. Look with \`weft workflows diff\`, pull it, or replace it with --force.`);
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

async function currentOf(weft: Weft, file: string, id: string): Promise<Workflow> {
  try {
    return await weft.workflows.get(id);
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 404)) throw error;
    throw new Failure(`${file}: the service has no workflow ${id}. Remove \`id\` and \`version\` to create it.`);
  }
}

async function diff(files: string[], _options: object, command: Command): Promise<void> {
  const weft = connect();
  const results = [];
  for (const file of files) {
    const content = readWorkflow(file);
    const current = content.id === undefined ? undefined : await currentOf(weft, file, content.id);
    const isDifferent = !current || !isSame(content, current);
    // YAML has one value on each line, also for files in JSON.
    const there = current ? textOf(contentOf(current), '.yaml') : '';
    const patch = isDifferent
      ? createTwoFilesPatch(`service/${content.id ?? 'none'}`, file, there, textOf(contentOf(content), '.yaml'))
      : '';
    results.push({ file, id: content.id ?? null, isDifferent, patch });
  }
  if (isJson(command)) printJson(results);
  else for (const { patch } of results.filter(({ isDifferent }) => isDifferent)) print(patch.trimEnd());
  if (results.some(({ isDifferent }) => isDifferent)) process.exitCode = EXIT.failed;
}

interface RunOptions {
  input?: string;
  wait: boolean;
  watch?: boolean;
  timeout?: number;
}

/** The id of a workflow that is named by its id or its file. */
export function workflowIdOf(target: string): string {
  const id = /\.(?:json|ya?ml)$/i.test(target) ? readWorkflow(target).id : target;
  if (id === undefined) throw new Failure(`${target} has no \`id\`: push it first.`, EXIT.usage);
  return id;
}

async function run(target: string, options: RunOptions, command: Command): Promise<void> {
  const weft = connect();
  const id = workflowIdOf(target);
  const input = options.input === undefined ? {} : await readObject(options.input);
  const accepted = await weft.workflows.execute(id, { input });
  await follow(weft, accepted.executionId, { ...options, json: isJson(command) });
}
