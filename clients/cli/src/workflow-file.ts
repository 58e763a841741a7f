import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Definition, Workflow } from '@weft/client';
import { parse, stringify } from 'yaml';
import { EXIT, Failure } from './failure.js';
import { parseJson } from './input.js';

/** A workflow in a file. `id` and `version` say what it was pulled from or pushed to; without them it is new. */
export interface WorkflowFile {
  id?: string;
  version?: number;
  name: string;
  description: string;
  definition: Definition;
}

/** Keys that come first, in this order; others follow by name. */
const FIRST = [
  'id',
  'version',
  'name',
  'description',
  'definition',
  'nodes',
  'connections',
  'type',
  'position',
  'credentialId',
  'config',
  'sourceNode',
  'sourcePort',
  'targetNode',
  'targetPort',
  'x',
  'y',
];

const rank = (key: string) => (FIRST.includes(key) ? FIRST.indexOf(key) : FIRST.length);
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => rank(a) - rank(b) || (a < b ? -1 : 1);

/** The same value with the keys of its objects in a stable order. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(byKey);
  return Object.fromEntries(entries.map(([key, field]) => [key, ordered(field)]));
}

const isYaml = (file: string) => /\.ya?ml$/i.test(file);

/** The text of a file, as its ending says: YAML or JSON. */
export const textOf = (workflow: object, file: string): string =>
  isYaml(file) ? stringify(ordered(workflow), { lineWidth: 0 }) : `${JSON.stringify(ordered(workflow), null, 2)}\n`;

/** What a file holds of a workflow of the service. */
export const fileOf = ({ id, version, name, description, definition }: Workflow): Required<WorkflowFile> => ({
  id,
  version,
  name,
  description,
  definition,
});

export function writeWorkflow(file: string, workflow: WorkflowFile): void {
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, textOf(workflow, file));
  renameSync(fresh, file);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDefinition = (value: unknown): value is Definition =>
  isRecord(value) && Array.isArray(value['nodes']) && Array.isArray(value['connections']);

/** An integer as in JSON: a number, or the text of its digits if a number would round it. */
const exactInteger = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/** The value in a file of JSON or YAML. */
export function readValue(file: string): unknown {
  const source = readFileSync(file, 'utf8');
  if (!isYaml(file)) return parseJson(source, file);
  try {
    return parse(source, (_, value: unknown) => (typeof value === 'bigint' ? exactInteger(value) : value), {
      intAsBigInt: true,
    });
  } catch (error) {
    throw new Failure(`${file}: ${error instanceof Error ? error.message : 'it can not be read'}`, EXIT.usage);
  }
}

/** A workflow from a file: a pulled one, one that the console exported, or a definition alone, which gets the file's name. */
export function readWorkflow(file: string): WorkflowFile {
  const value = readValue(file);
  if (isDefinition(value)) return { name: path.parse(file).name, description: '', definition: value };
  if (!isRecord(value) || !isDefinition(value['definition']))
    throw new Failure(
      `${file} has no \`definition\` with \`nodes\` and \`connections\`. A file of n8n is imported with \`weft import\`.`,
      EXIT.usage,
    );
  const { id, version, name, description = '', definition } = value;
  const isWrong =
    typeof name !== 'string' ||
    typeof description !== 'string' ||
    !(id === undefined || typeof id === 'string') ||
    !(version === undefined || typeof version === 'number');
  if (isWrong)
    throw new Failure(`${file}: \`id\`, \`name\` and \`description\` are texts, \`version\` is a number`, EXIT.usage);
  return {
    name,
    description,
    definition: definition as Definition,
    ...(id === undefined ? {} : { id: id as string }),
    ...(version === undefined ? {} : { version: version as number }),
  };
}

/** A name of a file for a workflow. */
export const fileNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100) || 'workflow';
