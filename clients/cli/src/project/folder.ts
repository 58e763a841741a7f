import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CallParameters, Schemas } from '@weft/client';
import { stringify } from 'yaml';
import { EXIT, Failure } from '../failure.js';
import { fileNameOf, readValue } from '../workflow-file.js';

type Project = Schemas['Project'];
/** What a push sends. */
export type Push = CallParameters<'/api/projects/plan', 'post'>['body'];
export type Files = Required<Pick<Push, 'workflows' | 'credentials' | 'tables' | 'variables'>>;
export type FileWorkflow = Files['workflows'][number];

/** `weft.yaml`: the name of the project, and which workflows a pull selects. */
export interface Manifest {
  project: string;
  tag?: string;
  folder?: string;
}

const MANIFEST = 'weft.yaml';
const WORKFLOWS = 'workflows';
const LISTS = ['credentials', 'tables', 'variables'] as const;
/** Versions of the workflows that the files began with, by workspace. Not for git: each clone begins anew. */
const STATE = '.weft';

export type Versions = Record<string, Record<string, number>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object in a file whose keys are known. */
export function readRecord(file: string, keys: readonly string[]): Record<string, unknown> {
  const value = readValue(file) ?? {};
  if (!isRecord(value)) throw new Failure(`${file} must be an object.`, EXIT.usage);
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown.length > 0)
    throw new Failure(`${file}: ${unknown.join(', ')} is not known. Known are ${keys.join(', ')}.`, EXIT.usage);
  return value;
}

export function readManifest(folder: string): Manifest {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file))
    throw new Failure(`${file} does not exist. Begin a project with: weft project init <name>`, EXIT.usage);
  const value = readRecord(file, ['project', 'tag', 'folder']);
  const isWrong = Object.values(value).some((one) => typeof one !== 'string') || value['project'] === undefined;
  if (isWrong) throw new Failure(`${file}: \`project\`, \`tag\` and \`folder\` are texts.`, EXIT.usage);
  return value as unknown as Manifest;
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const file = path.join(folder, MANIFEST);
  if (existsSync(file)) throw new Failure(`${file} exists already.`);
  mkdirSync(folder, { recursive: true });
  write(file, manifest);
}

/** Replaces a file in one step. */
function write(file: string, value: unknown): void {
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }));
  renameSync(fresh, file);
}

const isDefault = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

const withoutDefaults = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => !isDefault(field)));

/** A workflow as its file: what it is first, the definition last, and without fields that have their default. */
function contentOf({
  id,
  key,
  name,
  definition,
  settings,
  triggers,
  ...rest
}: Project['workflows'][number]): Record<string, unknown> {
  const { saveData, ...set } = settings;
  const around = {
    ...rest,
    settings: withoutDefaults({ ...set, saveData: saveData === 'all' ? null : saveData }),
    triggers: withoutDefaults(triggers),
  };
  return { ...withoutDefaults({ id, key }), name, ...withoutDefaults(around), definition };
}

interface WorkflowFile {
  file: string;
  workflow: FileWorkflow;
}

function workflowFiles(folder: string): WorkflowFile[] {
  const inside = path.join(folder, WORKFLOWS);
  if (!existsSync(inside)) return [];
  return readdirSync(inside)
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
    .sort()
    .map((name) => {
      const file = path.join(inside, name);
      const value = readValue(file);
      if (!isRecord(value) || typeof value['name'] !== 'string' || !isRecord(value['definition']))
        throw new Failure(`${file} has no \`name\` and \`definition\`.`, EXIT.usage);
      return { file, workflow: value as unknown as FileWorkflow };
    });
}

/** What finds a workflow again: its id in the files, or its key. */
const identityOf = ({ id, key, name }: Pick<FileWorkflow, 'id' | 'key' | 'name'>): string => id ?? key ?? name;

/** The files of the workflows, in the order in which they are pushed. */
export const workflowFileNames = (folder: string): string[] => workflowFiles(folder).map(({ file }) => file);

export function readFiles(folder: string): Files {
  const lists = LISTS.map((list) => {
    const file = path.join(folder, `${list}.yaml`);
    const value = existsSync(file) ? (readValue(file) ?? []) : [];
    if (!Array.isArray(value)) throw new Failure(`${file} must be a list.`, EXIT.usage);
    return [list, value];
  });
  const workflows = workflowFiles(folder).map(({ workflow }) => workflow);
  return { workflows, ...(Object.fromEntries(lists) as Pick<Files, (typeof LISTS)[number]>) };
}

/**
 * Writes a pulled project. A workflow keeps the name of its file. Files of workflows that were pulled before and are gone are removed; others
 * stay. Returns the paths of the files that were written and removed.
 */
export function writeFiles(folder: string, project: Project): { written: string[]; removed: string[] } {
  mkdirSync(path.join(folder, WORKFLOWS), { recursive: true });
  const old = new Map(workflowFiles(folder).map(({ file, workflow }) => [identityOf(workflow), file]));
  const taken = new Set(old.values());
  const written = project.workflows.map((workflow) => {
    const file = old.get(identityOf(workflow)) ?? freeName(path.join(folder, WORKFLOWS), workflow.name, taken);
    taken.add(file);
    write(file, contentOf(workflow));
    old.delete(identityOf(workflow));
    return file;
  });
  const known = readVersions(folder)[project.workspaceId] ?? {};
  const removed = [...old].flatMap(([identity, file]) => (identity in known ? file : []));
  for (const file of removed) rmSync(file);
  for (const list of LISTS) {
    const file = path.join(folder, `${list}.yaml`);
    write(file, list === 'variables' ? project[list] : project[list].map(withoutDefaults));
    written.push(file);
  }
  writeVersions(folder, project.workspaceId, project.versions);
  return { written, removed };
}

function freeName(folder: string, name: string, taken: ReadonlySet<string>): string {
  const at = (suffix: string) => path.join(folder, `${fileNameOf(name)}${suffix}.yaml`);
  for (let count = 1; ; count += 1) {
    const file = at(count === 1 ? '' : `-${count}`);
    if (!taken.has(file)) return file;
  }
}

export function readVersions(folder: string): Versions {
  const file = path.join(folder, STATE, 'versions.json');
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Versions;
  } catch {
    throw new Failure(`${file} is damaged. Remove it and pull again.`, EXIT.usage);
  }
}

/** Replaces the versions of one workspace. */
export function writeVersions(folder: string, workspaceId: string, versions: Record<string, number>): void {
  const inside = path.join(folder, STATE);
  mkdirSync(inside, { recursive: true });
  writeFileSync(path.join(inside, '.gitignore'), '*\n');
  const all = { ...readVersions(folder), [workspaceId]: versions };
  writeFileSync(path.join(inside, 'versions.json'), `${JSON.stringify(all, null, 2)}\n`);
}
