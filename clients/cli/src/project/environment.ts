import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT_CODES, CommandFailure } from '../failure.js';
import { readYamlRecord, type ProjectFiles, type ProjectFileWorkflow, type ProjectPushBody } from './folder.js';

/** Fields of a workflow that an environment can override. */
const OVERRIDABLE_FIELDS = ['status', 'concurrency', 'settings'];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRecordOfTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((one) => typeof one === 'string');

/** Applies `weft.<environment>.yaml` to the files of a project. Without an environment they stay as they are. */
export function applyEnvironment(
  folder: string,
  files: ProjectFiles,
  environment: string | undefined,
): ProjectFiles & Pick<ProjectPushBody, 'mapping'> {
  if (environment === undefined) return files;
  if (!/^[\w-]+$/.test(environment))
    throw new CommandFailure('An environment is named by letters, digits, _ and -.', EXIT_CODES.usage);
  const file = path.join(folder, `weft.${environment}.yaml`);
  if (!existsSync(file)) throw new CommandFailure(`${file} does not exist.`, EXIT_CODES.usage);
  const given = readYamlRecord(file, ['variables', 'credentials', 'tables', 'workflows']);
  const { variables = {}, credentials = {}, tables = {}, workflows = {} } = given;
  if (!isRecordOfTexts(credentials) || !isRecordOfTexts(tables))
    throw new CommandFailure(
      `${file}: \`credentials\` and \`tables\` are objects of names or ids, by key.`,
      EXIT_CODES.usage,
    );
  if (!isRecord(variables) || !isRecord(workflows))
    throw new CommandFailure(`${file}: \`variables\` and \`workflows\` are objects, by name.`, EXIT_CODES.usage);
  return {
    ...files,
    mapping: { credentials, tables },
    variables: [
      ...files.variables.filter(({ name }) => !(name in variables)),
      ...Object.entries(variables).map(([name, value]) => ({
        name,
        value: value as ProjectFiles['variables'][number]['value'],
      })),
    ],
    workflows: overrideWorkflows(file, files.workflows, workflows),
  };
}

function overrideWorkflows(
  file: string,
  all: ProjectFileWorkflow[],
  changes: Record<string, unknown>,
): ProjectFileWorkflow[] {
  const left = new Set(Object.keys(changes));
  const workflows = all.map((workflow) => {
    const key = workflow.key ?? workflow.name;
    const change = changes[key];
    if (change === undefined) return workflow;
    left.delete(key);
    if (!isRecord(change) || Object.keys(change).some((field) => !OVERRIDABLE_FIELDS.includes(field)))
      throw new CommandFailure(
        `${file}: a workflow has ${OVERRIDABLE_FIELDS.join(', ')} here, and nothing else.`,
        EXIT_CODES.usage,
      );
    const settings = isRecord(change['settings']) ? change['settings'] : {};
    return { ...workflow, ...change, settings: { ...workflow.settings, ...settings } } as ProjectFileWorkflow;
  });
  if (left.size > 0)
    throw new CommandFailure(`${file}: there is no workflow ${[...left].join(', ')}.`, EXIT_CODES.usage);
  return workflows;
}
