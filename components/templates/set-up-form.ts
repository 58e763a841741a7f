import type { Template, TemplateValue } from '@/contract/workflows/template';

/** The form of the set-up, as it is filled in. */
export interface SetUpForm {
  name: string;
  /** Ids of credentials, by the id of the need. */
  credentials: Record<string, string | undefined>;
  values: Record<string, string>;
  /** `NEW_TABLE`: one is created. */
  tableId: string | null;
  secret: string;
}

export const NEW_TABLE = 'new';

export const emptyForm = ({ name }: Template): SetUpForm => ({
  name,
  credentials: {},
  values: {},
  tableId: NEW_TABLE,
  secret: '',
});

/** What keeps the workflow from being complete, by field: `name`, `tableId`, `credentials.<id>`, `values.<id>`. */
export function problemsOf(template: Template, form: SetUpForm): Record<string, string> {
  const problems: [string, string | undefined][] = [
    ['name', form.name.trim() === '' ? 'Enter a name.' : undefined],
    ['tableId', template.table && form.tableId === null ? 'Choose a table, or skip this for now.' : undefined],
    ...template.credentials.map(({ id }): [string, string | undefined] => [
      `credentials.${id}`,
      form.credentials[id] ? undefined : 'Choose or create a credential, or skip this for now.',
    ]),
    ...template.values.map((need): [string, string | undefined] => [
      `values.${need.id}`,
      valueProblem(need, form.values[need.id]?.trim() ?? ''),
    ]),
  ];
  return Object.fromEntries(problems.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function valueProblem({ kind }: TemplateValue, value: string): string | undefined {
  if (value === '')
    return kind === 'workflow' ? 'Choose a workflow, or skip this for now.' : 'Enter it, or skip this for now.';
  if (kind === 'url' && !(/^https?:\/\/\S+$/i.test(value) && URL.canParse(value)))
    return 'This is no address that begins with http:// or https://.';
  if (kind === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return 'This is no email address.';
  return undefined;
}
