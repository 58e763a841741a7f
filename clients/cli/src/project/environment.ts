import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT, Failure } from '../failure.js';
import { readRecord, type Files, type FileWorkflow, type Push } from './folder.js';

/** What a workflow has otherwise in one environment. */
const OVERRIDES = ['status', 'concurrency', 'settings'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((one) => typeof one === 'string');

/** The files as they are pushed to an environment, with what `weft.<environment>.yaml` says. Undefined: as they are. */
export function forEnvironment(
  folder: string,
  files: Files,
  environment: string | undefined,
): Files & Pick<Push, 'mapping'> {
  if (environment === undefined) return files;
  if (!/^[\w-]+$/.test(environment))
    throw new Failure('An environment is named by letters, digits, _ and -.', EXIT.usage);
  const file = path.join(folder, `weft.${environment}.yaml`);
  if (!existsSync(file)) throw new Failure(`${file} does not exist.`, EXIT.usage);
  const given = readRecord(file, ['variables', 'credentials', 'tables', 'workflows']);
  const { variables = {}, credentials = {}, tables = {}, workflows = {} } = given;
  if (!isTexts(credentials) || !isTexts(tables))
    throw new Failure(`${file}: \`credentials\` and \`tables\` are objects of names or ids, by key.`, EXIT.usage);
  if (!isRecord(variables) || !isRecord(workflows))
    throw new Failure(`${file}: \`variables\` and \`workflows\` are objects, by name.`, EXIT.usage);
  return {
    ...files,
    mapping: { credentials, tables },
    variables: [
      ...files.variables.filter(({ name }) => !(name in variables)),
      ...Object.entries(variables).map(([name, value]) => ({
        name,
        value: value as Files['variables'][number]['value'],
      })),
    ],
    workflows: overridden(file, files.workflows, workflows),
  };
}

function overridden(file: string, all: FileWorkflow[], changes: Record<string, unknown>): FileWorkflow[] {
  const left = new Set(Object.keys(changes));
  const workflows = all.map((workflow) => {
    const key = workflow.key ?? workflow.name;
    const change = changes[key];
    if (change === undefined) return workflow;
    left.delete(key);
    if (!isRecord(change) || Object.keys(change).some((field) => !OVERRIDES.includes(field)))
      throw new Failure(`${file}: a workflow has ${OVERRIDES.join(', ')} here, and nothing else.`, EXIT.usage);
    const settings = isRecord(change['settings']) ? change['settings'] : {};
    return { ...workflow, ...change, settings: { ...workflow.settings, ...settings } } as FileWorkflow;
  });
  if (left.size > 0) throw new Failure(`${file}: there is no workflow ${[...left].join(', ')}.`, EXIT.usage);
  return workflows;
}
