import { WeftError, type CallParameters, type Schemas, type Weft } from '@weft/client';
import type { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';
import { connectClient } from '../config.js';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { promptForLine } from '../input.js';
import { toPlainLine, printErrorLine, printLine, printJson } from '../output.js';
import { applyEnvironment } from '../project/environment.js';
import {
  readProjectFiles,
  readProjectManifest,
  readPulledVersions,
  writeProjectFiles,
  writeProjectManifest,
  writePulledVersions,
  listWorkflowFiles,
  type ProjectPushBody,
} from '../project/folder.js';
import { reportTestResults, runWorkflowTests } from './tests.js';

type PushPlan = Schemas['ProjectPlan'];
type ProjectObject = Pick<PushPlan['changes'][number], 'kind' | 'name' | 'workflow'>;

const wantsJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export function addProjectCommands(program: Command): void {
  const project = program
    .command('project')
    .description('workflows and what they use as files, for git and for several environments');
  const inFolder = (name: string, description: string) =>
    project.command(name).description(description).option('-C, --directory <folder>', 'the folder of the project', '.');
  const toEnvironment = (name: string, description: string) =>
    inFolder(name, description)
      .option('-e, --environment <name>', 'with the changes of weft.<name>.yaml')
      .option('--create-missing', 'create missing credentials, without their secrets')
      .option('--force', 'replace workflows that were changed on the service since')
      .option('--prune', 'delete workflows, triggers and tests that are not in the files');
  inFolder('init <project>', 'begin a project: write weft.yaml')
    .option('--tag <tag>', 'pull only workflows with this tag, and those that they call')
    .option('--folder <path>', 'pull only workflows in this folder, such as Sales/Orders, and those that they call')
    .action(initProject);
  inFolder('pull', 'write the workflows of the workspace and what they use into the files').action(pullProject);
  toEnvironment('status', 'list what a push would change').action(printProjectStatus);
  toEnvironment('diff', 'show how the files differ from the service; exit code 1 if they do').action(printProjectDiff);
  toEnvironment('push', 'show what changes, ask, and change it: all or nothing')
    .option('--dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask')
    .action(pushProjectFiles);
  inFolder('test', 'run the tests of the workflows of the project on the service; exit code 1 if one fails')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--published', 'test the published versions, not the last saved ones')
    .action(runProjectTests);
}

interface ProjectFolderOptions {
  directory: string;
}

function initProject(
  project: string,
  { directory, tag, folder }: ProjectFolderOptions & { tag?: string; folder?: string },
): void {
  writeProjectManifest(directory, {
    project,
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder }),
  });
  printLine('weft.yaml written. Fill the project with: weft project pull');
}

async function pullProject({ directory }: ProjectFolderOptions, command: Command): Promise<void> {
  const query = readProjectManifest(directory);
  const project = await connectClient().get('/api/projects/export', { query });
  const { written, removed } = writeProjectFiles(directory, project);
  if (wantsJson(command)) return printJson({ written, removed });
  for (const file of written) printLine(file);
  for (const file of removed) printLine(`${file}  removed: the workflow is gone`);
}

interface ProjectPushOptions extends ProjectFolderOptions {
  environment?: string;
  createMissing?: boolean;
  force?: boolean;
  prune?: boolean;
}

/** Reads the files of the project into the body of a push. */
function buildPushRequest({ directory, environment, ...options }: ProjectPushOptions): ProjectPushBody {
  const { project } = readProjectManifest(directory);
  const { createMissing = false, force = false, prune = false } = options;
  const files = applyEnvironment(directory, readProjectFiles(directory), environment);
  return { project, ...files, versions: readPulledVersions(directory), createMissing, force, prune };
}

/** Asks the service what a push would change. Errors are reported with the names of the files. */
async function planPush(weft: Weft, body: ProjectPushBody, { directory }: ProjectFolderOptions): Promise<PushPlan> {
  try {
    return await weft.post('/api/projects/plan', { body });
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 400)) throw error;
    const files = listWorkflowFiles(directory);
    const lines = error.details.map(({ field, message }) => {
      const [start = '', index] = /^workflows\[(\d+)\]\.?/.exec(field) ?? [];
      const file = index === undefined ? undefined : files[Number(index)];
      return file === undefined ? `  ${field}: ${message}` : `  ${file}: ${field.slice(start.length)} ${message}`;
    });
    throw new CommandFailure([error.message, ...lines].join('\n'));
  }
}

async function printProjectStatus(options: ProjectPushOptions, command: Command): Promise<void> {
  const plan = await planPush(connectClient(), buildPushRequest(options), options);
  if (wantsJson(command)) return printJson(plan);
  printProjectPlan(plan);
}

async function printProjectDiff(options: ProjectPushOptions, command: Command): Promise<void> {
  const plan = await planPush(connectClient(), buildPushRequest(options), options);
  if (wantsJson(command)) printJson(plan);
  else {
    for (const change of plan.changes) printLine(formatChangePatch(change));
    printPlanIssues(plan);
  }
  if (plan.changes.length > 0 || plan.issues.length > 0) process.exitCode = EXIT_CODES.failed;
}

const describeObject = ({ kind, name, workflow }: ProjectObject): string =>
  toPlainLine(workflow === null ? `${kind} ${name}` : `${kind} ${name} of ${workflow}`);

function formatChangePatch({ before, after, ...place }: PushPlan['changes'][number]): string {
  const title = describeObject(place);
  const yaml = (value: unknown) => (value === undefined ? '' : stringify(value, { lineWidth: 0 }));
  const patch = createTwoFilesPatch(`service/${title}`, `files/${title}`, yaml(before), yaml(after));
  return patch.split('\n').map(toPlainLine).join('\n').trimEnd();
}

const CHANGE_MARKERS = { create: '+', update: '~', delete: '-' } as const;

function printProjectPlan({ changes, notes, ...plan }: PushPlan): void {
  for (const change of changes) {
    const fields = change.action === 'update' ? `  (${change.fields.join(', ')})` : '';
    printLine(`${CHANGE_MARKERS[change.action]} ${describeObject(change)}${fields}`);
  }
  for (const one of notes) printLine(`! ${describeObject(one)}: ${toPlainLine(one.message)}`);
  printPlanIssues(plan);
  const counted = (Object.keys(CHANGE_MARKERS) as (keyof typeof CHANGE_MARKERS)[]).map(
    (action) => `${changes.filter((change) => change.action === action).length} to ${action}`,
  );
  printLine(changes.length === 0 ? 'No changes.' : `${counted.join(', ')}.`);
}

function printPlanIssues({ issues }: Pick<PushPlan, 'issues'>): void {
  for (const issue of issues) {
    printErrorLine(`x ${describeObject(issue)}: ${toPlainLine(issue.message)}`);
    for (const { field, message } of issue.details)
      printErrorLine(`    ${toPlainLine(field)}: ${toPlainLine(message)}`);
  }
}

async function pushProjectFiles(
  options: ProjectPushOptions & { dryRun?: boolean; yes?: boolean },
  command: Command,
): Promise<void> {
  const weft = connectClient();
  const body = buildPushRequest(options);
  const plan = await planPush(weft, body, options);
  if (!wantsJson(command)) printProjectPlan(plan);
  if (plan.issues.length > 0) {
    if (wantsJson(command)) printJson(plan);
    throw new CommandFailure('Nothing was changed.');
  }
  if (options.dryRun) return wantsJson(command) ? printJson(plan) : undefined;
  if (plan.changes.length > 0 && !options.yes && !/^y(es)?$/i.test(await promptForLine('Push these changes? (yes/no)')))
    throw new CommandFailure('Nothing was changed.');
  const done = await applyPush(weft, { ...body, fingerprint: plan.fingerprint });
  const versions = done.workflows.flatMap(({ identity, version }) => (version === null ? [] : [[identity, version]]));
  writePulledVersions(options.directory, done.workspaceId, Object.fromEntries(versions) as Record<string, number>);
  if (wantsJson(command)) return printJson(done);
  if (done.changes.length > 0) printLine(`Pushed: ${done.changes.length} changes.`);
}

async function applyPush(weft: Weft, body: CallParameters<'/api/projects/apply', 'post'>['body']): Promise<PushPlan> {
  try {
    return await weft.post('/api/projects/apply', { body });
  } catch (error) {
    if (error instanceof WeftError && error.status === 409)
      throw new CommandFailure(`${error.message} Nothing was changed.`);
    throw error;
  }
}

async function runProjectTests(
  { junit, published, ...options }: ProjectFolderOptions & { junit?: string; published?: boolean },
  command: Command,
): Promise<void> {
  const weft = connectClient();
  const plan = await planPush(weft, buildPushRequest(options), options);
  const suites = [];
  for (const { id } of plan.workflows)
    if (id !== null) suites.push(await runWorkflowTests(weft, id, published !== true, !wantsJson(command)));
  reportTestResults(suites, { junit, isJson: wantsJson(command) });
}
