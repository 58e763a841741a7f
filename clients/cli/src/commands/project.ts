import { WeftError, type CallParameters, type Schemas, type Weft } from '@weft/client';
import type { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';
import { connect } from '../config.js';
import { EXIT, Failure } from '../failure.js';
import { ask } from '../input.js';
import { clean, note, print, printJson } from '../output.js';
import { forEnvironment } from '../project/environment.js';
import {
  readFiles,
  readManifest,
  readVersions,
  writeFiles,
  writeManifest,
  writeVersions,
  workflowFileNames,
  type Push,
} from '../project/folder.js';
import { report, suiteOf } from './tests.js';

type Plan = Schemas['ProjectPlan'];
type Place = Pick<Plan['changes'][number], 'kind' | 'name' | 'workflow'>;

const isJson = (command: Command): boolean => Boolean(command.optsWithGlobals()['json']);

export function addProject(program: Command): void {
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
    .action(init);
  inFolder('pull', 'write the workflows of the workspace and what they use into the files').action(pull);
  toEnvironment('status', 'list what a push would change').action(status);
  toEnvironment('diff', 'show how the files differ from the service; exit code 1 if they do').action(diff);
  toEnvironment('push', 'show what changes, ask, and change it: all or nothing')
    .option('--dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask')
    .action(push);
  inFolder('test', 'run the tests of the workflows of the project on the service; exit code 1 if one fails')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--published', 'test the published versions, not the last saved ones')
    .action(test);
}

interface Folder {
  directory: string;
}

function init(project: string, { directory, tag, folder }: Folder & { tag?: string; folder?: string }): void {
  writeManifest(directory, {
    project,
    ...(tag === undefined ? {} : { tag }),
    ...(folder === undefined ? {} : { folder }),
  });
  print('weft.yaml written. Fill the project with: weft project pull');
}

async function pull({ directory }: Folder, command: Command): Promise<void> {
  const query = readManifest(directory);
  const project = await connect().get('/api/projects/export', { query });
  const { written, removed } = writeFiles(directory, project);
  if (isJson(command)) return printJson({ written, removed });
  for (const file of written) print(file);
  for (const file of removed) print(`${file}  removed: the workflow is gone`);
}

interface PushOptions extends Folder {
  environment?: string;
  createMissing?: boolean;
  force?: boolean;
  prune?: boolean;
}

/** What a push of the files asks for. */
function requestOf({ directory, environment, ...options }: PushOptions): Push {
  const { project } = readManifest(directory);
  const { createMissing = false, force = false, prune = false } = options;
  const files = forEnvironment(directory, readFiles(directory), environment);
  return { project, ...files, versions: readVersions(directory), createMissing, force, prune };
}

/** What a push would change. Errors in the files are reported by their names. */
async function planOf(weft: Weft, body: Push, { directory }: Folder): Promise<Plan> {
  try {
    return await weft.post('/api/projects/plan', { body });
  } catch (error) {
    if (!(error instanceof WeftError && error.status === 400)) throw error;
    const files = workflowFileNames(directory);
    const lines = error.details.map(({ field, message }) => {
      const [start = '', index] = /^workflows\[(\d+)\]\.?/.exec(field) ?? [];
      const file = index === undefined ? undefined : files[Number(index)];
      return file === undefined ? `  ${field}: ${message}` : `  ${file}: ${field.slice(start.length)} ${message}`;
    });
    throw new Failure([error.message, ...lines].join('\n'));
  }
}

async function status(options: PushOptions, command: Command): Promise<void> {
  const plan = await planOf(connect(), requestOf(options), options);
  if (isJson(command)) return printJson(plan);
  printPlan(plan);
}

async function diff(options: PushOptions, command: Command): Promise<void> {
  const plan = await planOf(connect(), requestOf(options), options);
  if (isJson(command)) printJson(plan);
  else {
    for (const change of plan.changes) print(patchOf(change));
    printIssues(plan);
  }
  if (plan.changes.length > 0 || plan.issues.length > 0) process.exitCode = EXIT.failed;
}

const placeText = ({ kind, name, workflow }: Place): string =>
  clean(workflow === null ? `${kind} ${name}` : `${kind} ${name} of ${workflow}`);

function patchOf({ before, after, ...place }: Plan['changes'][number]): string {
  const title = placeText(place);
  const yaml = (value: unknown) => (value === undefined ? '' : stringify(value, { lineWidth: 0 }));
  const patch = createTwoFilesPatch(`service/${title}`, `files/${title}`, yaml(before), yaml(after));
  return patch.split('\n').map(clean).join('\n').trimEnd();
}

const SIGN = { create: '+', update: '~', delete: '-' } as const;

function printPlan({ changes, notes, ...plan }: Plan): void {
  for (const change of changes) {
    const fields = change.action === 'update' ? `  (${change.fields.join(', ')})` : '';
    print(`${SIGN[change.action]} ${placeText(change)}${fields}`);
  }
  for (const one of notes) print(`! ${placeText(one)}: ${clean(one.message)}`);
  printIssues(plan);
  const counted = (Object.keys(SIGN) as (keyof typeof SIGN)[]).map(
    (action) => `${changes.filter((change) => change.action === action).length} to ${action}`,
  );
  print(changes.length === 0 ? 'No changes.' : `${counted.join(', ')}.`);
}

function printIssues({ issues }: Pick<Plan, 'issues'>): void {
  for (const issue of issues) {
    note(`x ${placeText(issue)}: ${clean(issue.message)}`);
    for (const { field, message } of issue.details) note(`    ${clean(field)}: ${clean(message)}`);
  }
}

async function push(options: PushOptions & { dryRun?: boolean; yes?: boolean }, command: Command): Promise<void> {
  const weft = connect();
  const body = requestOf(options);
  const plan = await planOf(weft, body, options);
  if (!isJson(command)) printPlan(plan);
  if (plan.issues.length > 0) {
    if (isJson(command)) printJson(plan);
    throw new Failure('Nothing was changed.');
  }
  if (options.dryRun) return isJson(command) ? printJson(plan) : undefined;
  if (plan.changes.length > 0 && !options.yes && !/^y(es)?$/i.test(await ask('Push these changes? (yes/no)')))
    throw new Failure('Nothing was changed.');
  const done = await applied(weft, { ...body, fingerprint: plan.fingerprint });
  const versions = done.workflows.flatMap(({ identity, version }) => (version === null ? [] : [[identity, version]]));
  writeVersions(options.directory, done.workspaceId, Object.fromEntries(versions) as Record<string, number>);
  if (isJson(command)) return printJson(done);
  if (done.changes.length > 0) print(`Pushed: ${done.changes.length} changes.`);
}

async function applied(weft: Weft, body: CallParameters<'/api/projects/apply', 'post'>['body']): Promise<Plan> {
  try {
    return await weft.post('/api/projects/apply', { body });
  } catch (error) {
    if (error instanceof WeftError && error.status === 409) throw new Failure(`${error.message} Nothing was changed.`);
    throw error;
  }
}

async function test(
  { junit, published, ...options }: Folder & { junit?: string; published?: boolean },
  command: Command,
): Promise<void> {
  const weft = connect();
  const plan = await planOf(weft, requestOf(options), options);
  const suites = [];
  for (const { id } of plan.workflows)
    if (id !== null) suites.push(await suiteOf(weft, id, published !== true, !isJson(command)));
  report(suites, { junit, isJson: isJson(command) });
}
