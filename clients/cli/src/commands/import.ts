import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Weft } from '@weft/client';
import type { Command } from 'commander';
import { connectClient } from '../config.js';
import { createImportedWorkflow, listFurtherPlans, type CreatedImport } from '../create-imported.js';
import { EXIT_CODES, explainError, CommandFailure } from '../failure.js';
import {
  convertN8nWorkflow,
  findN8nWorkflows,
  rememberCallableImports,
  sortN8nWorkflows,
  type CallableImport,
  type N8nConversionResult,
} from '../n8n.js';
import { N8nApi } from '../n8n-server.js';
import { toPlainLine, printErrorLine, printLine, printJson, printTextTable } from '../output.js';
import { readJsonOrYaml, readWorkflowFile } from '../workflow-file.js';
import { parsePositiveNumber } from './workflows.js';

const MAX_IMPORT_FILE_BYTES = 10 * 1024 * 1024;
/** A file with several workflows of n8n. */
const MAX_BACKUP_FILE_BYTES = 200 * 1024 * 1024;
const MAX_FOLDER_FILES = 5000;
const MAX_RUNS = 20;

interface ImportOptions {
  url?: string;
  key?: string;
  only?: string[];
  runs: number;
  list?: boolean;
  triggers: boolean;
  proof: boolean;
}

/** A workflow of n8n that can be imported. */
interface FoundWorkflow {
  value: unknown;
  /** Where it is from, for messages. */
  source: string;
  /** The name for a workflow without one. */
  otherName: string;
  url: string | null;
  readRuns(): Promise<readonly unknown[]>;
}

export function addImportCommand(program: Command): void {
  program
    .command('import <source...>')
    .description(
      'create workflows from exported files of Weft or n8n, from folders and backups with such files, or, as `import n8n --url … --key …`, from a running n8n',
    )
    .option('--url <address>', 'address of a running n8n')
    .option('--key <key>', 'key of its API (default: N8N_API_KEY)')
    .option('--only <name...>', 'only the workflows of n8n with these names or ids')
    .option('--runs <number>', 'repeat so many of the last runs of each, up to 20', parsePositiveNumber, 5)
    .option('--list', 'list the workflows of n8n with what is to do, and import nothing')
    .option('--no-triggers', 'do not create the triggers of workflows of n8n')
    .option('--no-proof', 'do not repeat runs of n8n')
    .action(importSources);
}

async function importSources(sources: string[], options: ImportOptions, command: Command): Promise<void> {
  const isJson = Boolean(command.optsWithGlobals()['json']);
  if (options.runs > MAX_RUNS) throw new CommandFailure('--runs is a number up to 20.', EXIT_CODES.usage);
  const [first = ''] = sources;
  const isServer = first === 'n8n' && options.url !== undefined;
  if (!isServer && sources.length === 1 && statSync(first).isFile()) {
    const value = readImportFile(first);
    if (findN8nWorkflows(value).length === 0) return importOwnFile(first, isJson);
  }
  const found = isServer ? await findOnServer(options) : sources.flatMap(findInFiles);
  const chosen = found.filter(({ value }) => isChosen(value, options.only));
  if (chosen.length === 0) throw new CommandFailure('There is no workflow of n8n to import.', EXIT_CODES.usage);
  if (options.list) return listFound(chosen, isJson);
  await importFound(connectClient(), chosen, options, isJson);
}

async function importOwnFile(file: string, isJson: boolean): Promise<void> {
  const { name, description, definition } = readWorkflowFile(file);
  const workflow = await connectClient().workflows.create({ name, description, definition });
  if (isJson) printJson(workflow);
  else printLine(`${workflow.id}  ${toPlainLine(workflow.name)}`);
}

function readImportFile(file: string): unknown {
  const { size } = statSync(file);
  if (size > MAX_BACKUP_FILE_BYTES) throw new CommandFailure(`${file} is larger than 200 MB.`, EXIT_CODES.usage);
  const value = readJsonOrYaml(file);
  const isOne = size > MAX_IMPORT_FILE_BYTES && findN8nWorkflows(value)[0] === value;
  if (isOne) throw new CommandFailure(`${file} is larger than 10 MB.`, EXIT_CODES.usage);
  return value;
}

function findInFiles(source: string): FoundWorkflow[] {
  const files = statSync(source).isDirectory()
    ? readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.json$/i.test(name))
        .slice(0, MAX_FOLDER_FILES)
        .map((name) => path.join(source, name))
    : [source];
  return files.flatMap((file) => {
    const workflows = findInFile(file);
    const otherName = path.parse(file).name;
    return workflows.map((value) => ({ value, source: file, otherName, url: null, readRuns: async () => [] }));
  });
}

/** The workflows in one of several files. A file that cannot be read is reported, and the others are imported. */
function findInFile(file: string): unknown[] {
  try {
    const workflows = findN8nWorkflows(readImportFile(file));
    if (workflows.length === 0) printErrorLine(toPlainLine(`${file} has no workflow of n8n.`));
    return workflows;
  } catch (error) {
    printErrorLine(toPlainLine(explainError(error).message));
    process.exitCode = EXIT_CODES.failed;
    return [];
  }
}

async function findOnServer({ url = '', key = process.env['N8N_API_KEY'], runs }: ImportOptions) {
  if (!key) throw new CommandFailure('--key or N8N_API_KEY is needed: a key of the API of n8n.', EXIT_CODES.usage);
  const server = new N8nApi(url, key);
  const workflows = await server.listWorkflows();
  return workflows.map((value): FoundWorkflow => {
    const { id, name } = value as { id?: unknown; name?: unknown };
    return {
      value,
      source: String(name),
      otherName: 'Imported',
      url: server.url,
      readRuns: () => server.listRuns(String(id), runs),
    };
  });
}

function isChosen(value: unknown, only: string[] | undefined): boolean {
  const { id, name } = value as { id?: unknown; name?: unknown };
  return only === undefined || only.includes(String(id)) || only.includes(String(name));
}

const LIGHT_WORDS = { green: 'whole', yellow: 'to check', red: 'to replace' } as const;

const countFindings = ({ record: { report } }: N8nConversionResult, kind: string) =>
  report.filter((one) => one.kind === kind).length;

function listFound(found: readonly FoundWorkflow[], isJson: boolean): void {
  const plans = found.flatMap(({ value, source, otherName, url }) => {
    const plan = convertN8nWorkflow(value, source, { url });
    return [{ ...plan, name: plan.name || otherName }, ...plan.further];
  });
  if (isJson)
    return printJson(
      plans.map(({ name, light, tags, folder, record }) => ({
        name,
        light,
        tags,
        folder,
        ...record,
        nodes: undefined,
      })),
    );
  printTextTable([
    ['LIGHT', '', 'ACCOUNTS', 'FILL', 'CHECK', 'REPLACE', 'NAME'],
    ...plans.map((plan) => [
      plan.light,
      LIGHT_WORDS[plan.light],
      ...['account', 'choose', 'check', 'replace'].map((kind) => countFindings(plan, kind)),
      plan.name,
    ]),
  ]);
}

async function importFound(weft: Weft, found: readonly FoundWorkflow[], options: ImportOptions, isJson: boolean) {
  const created: CreatedImport[] = [];
  const folders = new Map<string, string>();
  let refused = 0;
  const workflows = new Map<string, CallableImport>();
  const remember = rememberCallableImports(found, workflows);
  for (const { value, source, otherName, url, readRuns } of sortN8nWorkflows(found)) {
    try {
      const runs = options.proof ? await readRuns() : [];
      const plan = convertN8nWorkflow(value, source, { url, runs, workflows });
      const parts = { otherName, hasTriggers: options.triggers, hasProof: options.proof, folders };
      const one = await createImportedWorkflow(weft, plan, parts);
      created.push(one);
      if (plan.record.sourceId !== null) {
        const { sourceId } = plan.record;
        remember(sourceId, { workflowId: one.id, startNodeId: plan.calledStartId });
      }
      if (!isJson) printImported(one, found.length === 1);
      for (const further of listFurtherPlans(plan, one.id)) {
        const tool = await createImportedWorkflow(weft, further, parts);
        created.push(tool);
        if (!isJson) printImported(tool, found.length === 1);
      }
    } catch (error) {
      if (found.length === 1) throw error;
      refused += 1;
      printErrorLine(toPlainLine(`${source}: ${explainError(error).message}`));
    }
  }
  if (isJson) printJson(created);
  else if (found.length > 1) printLine(`${created.length} imported, ${refused} refused`);
  if (refused > 0) process.exitCode = EXIT_CODES.failed;
}

function printImported({ id, name, light, proof, report }: CreatedImport, isDetailed: boolean): void {
  const equal = proof ? `, ${proof.equal} of ${proof.runs} runs equal` : '';
  printLine(`${id}  ${toPlainLine(name)}`);
  printLine(`    ${light}: ${LIGHT_WORDS[light]}${equal}`);
  if (!isDetailed) return;
  const rows = report.map(({ kind, node, field, message }) => [kind, node, field ?? '', message]);
  if (rows.length > 0) printTextTable([['TO DO', 'NODE', 'FIELD', 'WHAT'], ...rows]);
}
