import type { WorkflowTemplate, TemplateParameter } from '@/contract/workflows/template';

/** The form of the set-up, as it is filled in. */
export interface SetUpDraft {
  name: string;
  /** Ids of credentials, by the id of the need. */
  credentials: Record<string, string | undefined>;
  values: Record<string, string>;
  /** What picked values were called, by the id of the value. */
  labels: Record<string, string | undefined>;
  /** The id of the table. `NEW_TABLE_OPTION` creates one. */
  tableId: string | null;
  secret: string;
}

export const NEW_TABLE_OPTION = 'new';

export const emptySetUpDraft = ({ name }: WorkflowTemplate): SetUpDraft => ({
  name,
  credentials: {},
  values: {},
  labels: {},
  tableId: NEW_TABLE_OPTION,
  secret: '',
});

/** What keeps the workflow from being complete, by field: `name`, `tableId`, `credentials.<id>`, `values.<id>`. */
export function setUpProblems(template: WorkflowTemplate, form: SetUpDraft): Record<string, string> {
  const problems: [string, string | undefined][] = [
    ['name', form.name.trim() === '' ? 'Enter a name.' : undefined],
    ['tableId', template.table && form.tableId === null ? 'Choose a table, or skip this for now.' : undefined],
    ...template.credentials.map(({ id }): [string, string | undefined] => [
      `credentials.${id}`,
      form.credentials[id] ? undefined : 'Choose or create a credential, or skip this for now.',
    ]),
    ...template.values.map((need): [string, string | undefined] => [
      `values.${need.id}`,
      templateValueProblem(need, form.values[need.id]?.trim() ?? ''),
    ]),
  ];
  return Object.fromEntries(problems.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function templateValueProblem({ kind }: TemplateParameter, value: string): string | undefined {
  if (value === '')
    return kind === 'workflow' ? 'Choose a workflow, or skip this for now.' : 'Enter it, or skip this for now.';
  if (kind === 'url' && !(/^https?:\/\/\S+$/i.test(value) && URL.canParse(value)))
    return 'This is no address that begins with http:// or https://.';
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return 'This is no email address.';
  return undefined;
}
