import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Definition, Workflow } from '@weft/client';
import { parse, stringify } from 'yaml';
import { EXIT_CODES, CommandFailure } from './failure.js';
import { parseJsonInput } from './input.js';

/** A workflow in a file. `id` and `version` say what it was pulled from or pushed to; without them it is new. */
export interface WorkflowFile {
  id?: string;
  version?: number;
  name: string;
  description: string;
  definition: Definition;
}

/** Keys that come first, in this order; others follow by name. */
const LEADING_KEYS = [
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

const leadingKeyRank = (key: string) => (LEADING_KEYS.includes(key) ? LEADING_KEYS.indexOf(key) : LEADING_KEYS.length);
const compareKeys = ([a]: [string, unknown], [b]: [string, unknown]) =>
  leadingKeyRank(a) - leadingKeyRank(b) || (a < b ? -1 : 1);

/** The same value with the keys of its objects in a stable order. */
export function sortObjectKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortObjectKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(compareKeys);
  return Object.fromEntries(entries.map(([key, field]) => [key, sortObjectKeys(field)]));
}

const isYamlFile = (file: string) => /\.ya?ml$/i.test(file);

/** Writes a workflow as YAML or JSON, as the extension of the file says. */
export const serializeWorkflow = (workflow: object, file: string): string =>
  isYamlFile(file)
    ? stringify(sortObjectKeys(workflow), { lineWidth: 0 })
    : `${JSON.stringify(sortObjectKeys(workflow), null, 2)}\n`;

/** The fields of a workflow that its file has. */
export const toWorkflowFile = ({ id, version, name, description, definition }: Workflow): Required<WorkflowFile> => ({
  id,
  version,
  name,
  description,
  definition,
});

export function writeWorkflowFile(file: string, workflow: WorkflowFile): void {
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, serializeWorkflow(workflow, file));
  renameSync(fresh, file);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWorkflowDefinition = (value: unknown): value is Definition =>
  isRecord(value) && Array.isArray(value['nodes']) && Array.isArray(value['connections']);

/** An integer as in JSON: a number, or the text of its digits if a number would round it. */
const toExactInteger = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

/** The value in a file of JSON or YAML. */
export function readJsonOrYaml(file: string): unknown {
  const source = readFileSync(file, 'utf8');
  if (!isYamlFile(file)) return parseJsonInput(source, file);
  try {
    return parse(source, (_, value: unknown) => (typeof value === 'bigint' ? toExactInteger(value) : value), {
      intAsBigInt: true,
    });
  } catch (error) {
    throw new CommandFailure(
      `${file}: ${error instanceof Error ? error.message : 'it can not be read'}`,
      EXIT_CODES.usage,
    );
  }
}

/**
 * A workflow from a file: a pulled one, one that the console exported, or a definition alone, which gets the file's
 * name.
 */
export function readWorkflowFile(file: string): WorkflowFile {
  const value = readJsonOrYaml(file);
  if (isWorkflowDefinition(value)) return { name: path.parse(file).name, description: '', definition: value };
  if (!isRecord(value) || !isWorkflowDefinition(value['definition']))
    throw new CommandFailure(
      `${file} has no \`definition\` with \`nodes\` and \`connections\`. A file of n8n is imported with \`weft import\`.`,
      EXIT_CODES.usage,
    );
  const { id, version, name, description = '', definition } = value;
  const isWrong =
    typeof name !== 'string' ||
    typeof description !== 'string' ||
    !(id === undefined || typeof id === 'string') ||
    !(version === undefined || typeof version === 'number');
  if (isWrong)
    throw new CommandFailure(
      `${file}: \`id\`, \`name\` and \`description\` are texts, \`version\` is a number`,
      EXIT_CODES.usage,
    );
  return {
    name,
    description,
    definition: definition as Definition,
    ...(id === undefined ? {} : { id: id as string }),
    ...(version === undefined ? {} : { version: version as number }),
  };
}

/** Makes a file name, without extension, from the name of a workflow. */
export const workflowFileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100) || 'workflow';
