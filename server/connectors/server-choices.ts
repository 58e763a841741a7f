import { MAX_CHOICES_PER_PAGE, MAX_COLUMN_OPTIONS, type ColumnValueType, type FieldChoice } from '@/contract/choices';
import type { ListChoicesResponse } from '@/contract/choices';
import { ChoiceRefusal, type ChoiceCredential } from './calls/choice-credential';
import { listServerTools } from '@/server/network/mcp/client';
import { listOfferedModels } from '@/server/network/models/check';
import { listCollectionChoices, listDatabaseChoices } from './mongo-choices';
import { listSqlColumns, listSqlTables } from './sql-choices';

/** Lists what the server of a credential offers. */
export interface ServerChoiceLister {
  /** The fields on which the list depends. */
  dependsOn?: readonly string[];
  /** Further fields that the list takes into account. They may be empty. */
  uses?: readonly string[];
  /** All choices, which are then searched and paged. */
  listAll(opened: ChoiceCredential, values: Readonly<Record<string, string>>, search: string): Promise<FieldChoice[]>;
}

const encodeChoiceOffset = (offset: number): string => Buffer.from(String(offset)).toString('base64url');

function decodeChoiceOffset(cursor: string): number {
  const offset = Number(Buffer.from(cursor, 'base64url').toString());
  if (Number.isSafeInteger(offset) && offset > 0 && encodeChoiceOffset(offset) === cursor) return offset;
  throw new ChoiceRefusal('cursor', 'is not a cursor of this list');
}

/** The page of a whole list that a cursor names, of those whose label contains the text that is searched. */
export function selectChoicePage(
  all: readonly FieldChoice[],
  { search, cursor }: { search: string; cursor: string | undefined },
): ListChoicesResponse {
  const sought = search.toLowerCase();
  const found = all.filter(({ label }) => label.toLowerCase().includes(sought));
  const from = cursor === undefined ? 0 : decodeChoiceOffset(cursor);
  const to = from + MAX_CHOICES_PER_PAGE;
  return { data: found.slice(from, to), nextCursor: found.length > to ? encodeChoiceOffset(to) : null };
}

const models: ServerChoiceLister = {
  async listAll({ credential, signal }) {
    const offered = await listOfferedModels(credential.credential, signal);
    return offered.map(({ id, name }) => ({ value: id, label: name, ...(name === id ? {} : { hint: id }) }));
  },
};

const listTools = ({ credential, signal, secrets }: ChoiceCredential) =>
  listServerTools(credential.credential, { signal, secrets });

const tools: ServerChoiceLister = {
  async listAll(opened) {
    return (await listTools(opened)).map((tool) => {
      const { name, description } = tool;
      return { value: name, label: name, ...(description === '' ? {} : { hint: description }), tool };
    });
  },
};

const COLUMN_TYPES_BY_JSON_TYPE: Readonly<Record<string, ColumnValueType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** An argument of a tool as a column. */
function toArgumentChoice(name: string, schema: unknown, isRequired: boolean): FieldChoice {
  const { type, title, description, enum: values } = Object(schema) as Record<string, unknown>;
  const options = (Array.isArray(values) ? (values as unknown[]) : [])
    .filter((value) => typeof value === 'string')
    .slice(0, MAX_COLUMN_OPTIONS)
    .map((value) => ({ value, label: value }));
  const known = typeof type === 'string' && Object.hasOwn(COLUMN_TYPES_BY_JSON_TYPE, type);
  return {
    value: name,
    label: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' && description !== '' ? { hint: description } : {}),
    type: options.length > 0 ? 'options' : known ? COLUMN_TYPES_BY_JSON_TYPE[type] : 'json',
    isRequired,
    ...(options.length > 0 ? { options } : {}),
  };
}

const toolArguments: ServerChoiceLister = {
  dependsOn: ['tool'],
  async listAll(opened, { tool: name = '' }) {
    const found = (await listTools(opened)).find((tool) => tool.name === name);
    const { properties = {}, required = [] } = (found?.inputSchema ?? {}) as Record<string, unknown>;
    return Object.entries(Object(properties) as object).map(([argument, schema]) =>
      toArgumentChoice(argument, schema, Array.isArray(required) && required.includes(argument)),
    );
  },
};

/** The sources that ask the server of a credential, by node type and name. */
export const SERVER_CHOICE_LISTERS: Readonly<Record<string, Readonly<Record<string, ServerChoiceLister>>>> = {
  llm: { models },
  agent: { models },
  mcp: { tools, arguments: toolArguments },
  sql: { tables: { listAll: listSqlTables }, columns: { dependsOn: ['table'], listAll: listSqlColumns } },
  mongodb: {
    databases: { listAll: listDatabaseChoices },
    collections: { uses: ['database'], listAll: listCollectionChoices },
  },
};
