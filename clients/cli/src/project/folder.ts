import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CallParameters, Schemas } from '@weft/client';
import { stringify } from 'yaml';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { workflowFileName, readJsonOrYaml } from '../workflow-file.js';

type PulledProject = Schemas['Project'];
/** The body of a push. */
export type ProjectPushBody = CallParameters<'/api/projects/plan', 'post'>['body'];
export type ProjectFiles = Required<Pick<ProjectPushBody, 'workflows' | 'credentials' | 'tables' | 'variables'>>;
export type ProjectFileWorkflow = ProjectFiles['workflows'][number];

/** `weft.yaml`: the name of the project, and which workflows a pull selects. */
export interface ProjectManifest {
  project: string;
  tag?: string;
  folder?: string;
}

const MANIFEST_FILE = 'weft.yaml';
const WORKFLOWS_FOLDER = 'workflows';
const LIST_FILE_NAMES = ['credentials', 'tables', 'variables'] as const;
/**
 * This folder has the versions that the files were pulled with, by workspace. It is not in git, because each clone
 * begins anew.
 */
const STATE_FOLDER = '.weft';

export type VersionsByWorkspace = Record<string, Record<string, number>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object in a file whose keys are known. */
export function readYamlRecord(file: string, keys: readonly string[]): Record<string, unknown> {
  const value = readJsonOrYaml(file) ?? {};
  if (!isRecord(value)) throw new CommandFailure(`${file} must be an object.`, EXIT_CODES.usage);
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown.length > 0)
    throw new CommandFailure(
      `${file}: ${unknown.join(', ')} is not known. Known are ${keys.join(', ')}.`,
      EXIT_CODES.usage,
    );
  return value;
}

export function readProjectManifest(folder: string): ProjectManifest {
  const file = path.join(folder, MANIFEST_FILE);
  if (!existsSync(file))
    throw new CommandFailure(
      `${file} does not exist. Begin a project with: weft project init <name>`,
      EXIT_CODES.usage,
    );
  const value = readYamlRecord(file, ['project', 'tag', 'folder']);
  const isWrong = Object.values(value).some((one) => typeof one !== 'string') || value['project'] === undefined;
  if (isWrong) throw new CommandFailure(`${file}: \`project\`, \`tag\` and \`folder\` are texts.`, EXIT_CODES.usage);
  return value as unknown as ProjectManifest;
}

export function writeProjectManifest(folder: string, manifest: ProjectManifest): void {
  const file = path.join(folder, MANIFEST_FILE);
  if (existsSync(file)) throw new CommandFailure(`${file} exists already.`);
  mkdirSync(folder, { recursive: true });
  writeYamlFile(file, manifest);
}

/** Replaces a file in one step. */
function writeYamlFile(file: string, value: unknown): void {
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }));
  renameSync(fresh, file);
}

const isDefaultValue = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

const withoutDefaults = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => !isDefaultValue(field)));

/**
 * The content of a workflow file: identifying fields first, the definition last, and no fields that have their default.
 */
function workflowFileContent({
  id,
  key,
  name,
  definition,
  settings,
  triggers,
  ...rest
}: PulledProject['workflows'][number]): Record<string, unknown> {
  const { saveData, ...set } = settings;
  const around = {
    ...rest,
    settings: withoutDefaults({ ...set, saveData: saveData === 'all' ? null : saveData }),
    triggers: withoutDefaults(triggers),
  };
  return { ...withoutDefaults({ id, key }), name, ...withoutDefaults(around), definition };
}

interface ReadWorkflowFile {
  file: string;
  workflow: ProjectFileWorkflow;
}

function readWorkflowFiles(folder: string): ReadWorkflowFile[] {
  const inside = path.join(folder, WORKFLOWS_FOLDER);
  if (!existsSync(inside)) return [];
  return readdirSync(inside)
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
    .sort()
    .map((name) => {
      const file = path.join(inside, name);
      const value = readJsonOrYaml(file);
      if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['definition']))
        throw new CommandFailure(`${file} has no \`name\` and \`definition\`.`, EXIT_CODES.usage);
      return { file, workflow: value as unknown as ProjectFileWorkflow };
    });
}

/** Identifies a workflow across pulls: its id in the files, or its key. */
const workflowIdentity = ({ id, key, name }: Pick<ProjectFileWorkflow, 'id' | 'key' | 'name'>): string =>
  id ?? key ?? name;

/** The files of the workflows, in the order in which they are pushed. */
export const listWorkflowFiles = (folder: string): string[] => readWorkflowFiles(folder).map(({ file }) => file);

export function readProjectFiles(folder: string): ProjectFiles {
  const lists = LIST_FILE_NAMES.map((list) => {
    const file = path.join(folder, `${list}.yaml`);
    const value = existsSync(file) ? (readJsonOrYaml(file) ?? []) : [];
    if (!Array.isArray(value)) throw new CommandFailure(`${file} must be a list.`, EXIT_CODES.usage);
    return [list, value];
  });
  const workflows = readWorkflowFiles(folder).map(({ workflow }) => workflow);
  return { workflows, ...(Object.fromEntries(lists) as Pick<ProjectFiles, (typeof LIST_FILE_NAMES)[number]>) };
}

/**
 * Writes a pulled project. A workflow keeps the name of its file. Files of workflows that were pulled before and are
 * gone are removed; others stay. Returns the paths of the files that were written and removed.
 */
export function writeProjectFiles(folder: string, project: PulledProject): { written: string[]; removed: string[] } {
  mkdirSync(path.join(folder, WORKFLOWS_FOLDER), { recursive: true });
  const old = new Map(readWorkflowFiles(folder).map(({ file, workflow }) => [workflowIdentity(workflow), file]));
  const taken = new Set(old.values());
  const written = project.workflows.map((workflow) => {
    const file =
      old.get(workflowIdentity(workflow)) ?? unusedFileName(path.join(folder, WORKFLOWS_FOLDER), workflow.name, taken);
    taken.add(file);
    writeYamlFile(file, workflowFileContent(workflow));
    old.delete(workflowIdentity(workflow));
    return file;
  });
  const known = readPulledVersions(folder)[project.workspaceId] ?? {};
  const removed = [...old].flatMap(([identity, file]) => (identity in known ? file : []));
  for (const file of removed) rmSync(file);
  for (const list of LIST_FILE_NAMES) {
    const file = path.join(folder, `${list}.yaml`);
    writeYamlFile(file, list === 'variables' ? project[list] : project[list].map(withoutDefaults));
    written.push(file);
  }
  writePulledVersions(folder, project.workspaceId, project.versions);
  return { written, removed };
}

function unusedFileName(folder: string, name: string, taken: ReadonlySet<string>): string {
  const at = (suffix: string) => path.join(folder, `${workflowFileName(name)}${suffix}.yaml`);
  for (let count = 1; ; count += 1) {
    const file = at(count === 1 ? '' : `-${count}`);
    if (!taken.has(file)) return file;
  }
}

export function readPulledVersions(folder: string): VersionsByWorkspace {
  const file = path.join(folder, STATE_FOLDER, 'versions.json');
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VersionsByWorkspace;
  } catch {
    throw new CommandFailure(`${file} is damaged. Remove it and pull again.`, EXIT_CODES.usage);
  }
}

/** Replaces the versions of one workspace. */
export function writePulledVersions(folder: string, workspaceId: string, versions: Record<string, number>): void {
  const inside = path.join(folder, STATE_FOLDER);
  mkdirSync(inside, { recursive: true });
  writeFileSync(path.join(inside, '.gitignore'), '*\n');
  const all = { ...readPulledVersions(folder), [workspaceId]: versions };
  writeFileSync(path.join(inside, 'versions.json'), `${JSON.stringify(all, null, 2)}\n`);
}
