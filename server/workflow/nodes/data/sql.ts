import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { createConfigFailure, createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import {
  EvaluationFailedError,
  parseLargeBody,
  type EvaluationContext,
} from '@/server/evaluation/evaluator/evaluation';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { SQL_RESULT_MODES } from '@/server/network/sql/result-rows';
import { runSqlQueries, type SqlQuery } from '@/server/network/sql/sql';
import { findParameterNames } from '@/server/network/sql/statement';
import { completeNode, defineNodeType } from '../node-type';
import { choiceField, choicesFrom, columnsFrom, literalField } from '../field-traits';
import {
  buildRowQuery,
  findMissingRowFields,
  isSqlRowOperation,
  SQL_OPERATION_LABELS,
  type SqlOperation,
  type SqlRowOperation,
  type SqlRowValues,
} from './sql-rows';

type SqlConfigObject = Record<string, unknown>;

export const MAX_SQL_STATEMENTS = 100;
/** The timeout of nodes that act outside. */
const DEFAULT_SQL_TIMEOUT_MS = 60_000;

const sqlTextSchema = z.string().max(100_000);
const sqlParametersSchema = z.record(z.string(), z.unknown());

const isSqlTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');
const isSqlConfigObject = (value: unknown): value is SqlConfigObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NO_SQL_EXPRESSION = 'must not contain {{ }}: use a parameter such as :name';

/** Each statement as written, with its path. */
function listWrittenStatements({ statement, parameters, statements }: SqlConfigObject) {
  const single = statement === undefined ? [] : [{ at: '', statement, parameters }];
  const several = Array.isArray(statements) ? statements.filter(isSqlConfigObject) : [];
  return [
    ...single,
    ...several.map((each, index) => ({
      at: `statements[${index}].`,
      statement: each['statement'],
      parameters: each['parameters'],
    })),
  ];
}

/** Expressions cannot become part of a statement: values are bound. */
function findSqlIssues(source: SqlConfigObject): FieldIssue[] {
  const list = isSqlTemplate(source['statements']) ? [{ field: 'statements', message: NO_SQL_EXPRESSION }] : [];
  const texts = listWrittenStatements(source).filter(({ statement }) => isSqlTemplate(statement));
  return [...list, ...texts.map(({ at }) => ({ field: `${at}statement`, message: NO_SQL_EXPRESSION }))];
}

function findMissingSqlFields(source: SqlConfigObject): FieldIssue[] {
  if (isSqlRowOperation(source['operation'])) return findMissingRowFields(source);
  const { statement, statements } = source;
  const hasText = typeof statement === 'string' && statement.trim() !== '';
  const hasList = Array.isArray(statements) && statements.length > 0;
  if (!hasText && !hasList) return [{ field: 'statement', message: 'is required' }];
  if (hasText && hasList) return [{ field: 'statements', message: 'must be absent beside statement' }];
  return listWrittenStatements(source).flatMap(({ at, statement: text, parameters = {} }) => {
    if (typeof text !== 'string' || !isSqlConfigObject(parameters)) return [];
    const missing = new Set(findParameterNames(text).filter((name) => !Object.hasOwn(parameters, name)));
    return [...missing].map((name) => ({ field: `${at}parameters.${name}`, message: 'is required' }));
  });
}

/** A large value is bound as its JSON, a text or a list as itself. */
function toBindableValue(value: unknown): unknown {
  if (!isLargeJson(value)) return value;
  return value.text.startsWith('{') || value.text.startsWith('[{') ? value.text : (JSON.parse(value.text) as unknown);
}

const MAX_SQL_ROW_JSON = 1024 * 1024;

/** The values of a row by column. An expression gives any value. */
function readRowValues(field: string, given: unknown = {}): SqlRowValues {
  if (isLargeJson(given) && given.text.length > MAX_SQL_ROW_JSON)
    throw new NodeFailure('VALUE_TOO_LARGE', `config.${field} has more than 1 MiB of JSON`, false);
  const value = isLargeJson(given) ? (JSON.parse(given.text) as unknown) : given;
  if (!isSqlConfigObject(value)) throw createConfigFailure(field, 'must be an object with a value for each column');
  return Object.fromEntries(Object.entries(value).map(([column, one]) => [column, toBindableValue(one)]));
}

/** The statements as written, never as rendered, with the values of their parameters. */
function buildSqlQueries(
  written: SqlConfigObject,
  config: { parameters?: SqlConfigObject; statements?: { parameters?: SqlConfigObject }[] },
): SqlQuery[] {
  const queries = listWrittenStatements(written).map(({ at, statement }, index) => {
    if (typeof statement !== 'string' || isSqlTemplate(statement)) {
      throw createConfigFailure(`${at}statement`, NO_SQL_EXPRESSION);
    }
    const parameters = (at === '' ? config.parameters : config.statements?.[index]?.parameters) ?? {};
    const values = Object.entries(parameters).map(([name, value]) => [name, toBindableValue(value)]);
    return { statement, parameters: Object.fromEntries(values) as SqlConfigObject };
  });
  if (queries.length === 0) throw new NodeFailure('CONFIG', 'Missing: config.statement.', false);
  return queries;
}

async function parseLargeCell(text: string, purpose: EvaluationContext): Promise<unknown> {
  try {
    return await parseLargeBody(Buffer.from(text), 'application/json', 'json', purpose);
  } catch (error) {
    throw error instanceof EvaluationFailedError ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

/** The field matters for these operations. Null: none is chosen, which is a statement. */
const onlyForSql = (...operations: (SqlOperation | null)[]) => ({ 'x-when': { operation: operations } });
const FOR_STATEMENTS = onlyForSql(null, 'statement');
const FOR_ROWS: SqlRowOperation[] = ['insert', 'update'];
const SQL_COLUMN_SOURCE = { dependsOn: ['table'], needsCredential: true } as const;

export const sqlNodeType = defineNodeType({
  type: 'sql',
  title: 'SQL',
  summary: 'Runs statements in a PostgreSQL, MySQL or MariaDB database.',
  synonyms: [
    'database',
    'db',
    'postgres',
    'postgresql',
    'mysql',
    'mariadb',
    'query',
    'select',
    'insert',
    'statement',
    'supabase',
  ],
  category: 'action',
  config: z.strictObject({
    operation: choiceField(SQL_OPERATION_LABELS, {
      title: 'Operation',
      apiDescription: 'statement: as it is written. insert: adds a row to a table. update: changes rows of a table',
      default: 'statement',
    }),
    table: z
      .string()
      .max(300)
      .optional()
      .apply(literalField)
      .meta({
        title: 'Table',
        description: 'With its schema before it, if that is not the one in use: archive.orders',
        ...onlyForSql(...FOR_ROWS),
      })
      .apply(choicesFrom, 'tables', { search: true, needsCredential: true }),
    match: z
      .unknown()
      .optional()
      .meta({
        title: 'Rows to change',
        description: 'Those in which these columns have these values.',
        examples: [{ id: 7 }],
        ...onlyForSql('update'),
      })
      .apply(columnsFrom, 'columns', { ...SQL_COLUMN_SOURCE, isWholeWhen: { operation: [] } }),
    row: z
      .unknown()
      .optional()
      .meta({
        title: 'Row',
        description: 'Values by column. A column without one is left out.',
        examples: [{ email: 'ada@example.com', total: 19.5 }],
        ...onlyForSql(...FOR_ROWS),
      })
      .apply(columnsFrom, 'columns', { ...SQL_COLUMN_SOURCE, isWholeWhen: { operation: ['insert'] } }),
    statement: sqlTextSchema
      .optional()
      .apply(literalField)
      .meta({
        title: 'Statement',
        description: 'Values stand as :name and are bound; {{ }} is not permitted here.',
        examples: ['SELECT id, total FROM orders WHERE email = :email'],
        'x-editor': 'sql',
        ...FOR_STATEMENTS,
      }),
    parameters: sqlParametersSchema.optional().meta({
      title: 'Parameters',
      description: 'The value of each :name.',
      'x-editor': 'pairs',
      ...FOR_STATEMENTS,
    }),
    mode: z
      .enum(SQL_RESULT_MODES)
      .optional()
      .apply(literalField)
      .meta({
        title: 'Output',
        apiDescription: 'rows: a list of at most 10,000 rows. one: the first row or null. execute: {rowCount}.',
        'x-labels': {
          rows: 'All rows, at most 10,000',
          one: 'The first row, or nothing',
          execute: 'How many rows changed',
        },
        default: 'rows',
        ...FOR_STATEMENTS,
      }),
    statements: z
      .array(
        z.strictObject({
          statement: sqlTextSchema.meta({ apiDescription: 'The SQL statement' }),
          parameters: sqlParametersSchema.optional().meta({ apiDescription: 'Parameters by name' }),
        }),
      )
      .max(MAX_SQL_STATEMENTS)
      .optional()
      .meta({
        title: 'Several statements',
        description:
          'In place of the statement: a list of {statement, parameters}. The output is the list of their results.',
        'x-editor': 'json',
        ...FOR_STATEMENTS,
      }),
    transaction: z
      .boolean()
      .optional()
      .apply(literalField)
      .meta({
        title: 'In a transaction',
        description:
          'All takes effect, or nothing. The default is true, and false for a single statement with the output execute.',
        ...FOR_STATEMENTS,
      }),
  }),
  issues: findSqlIssues,
  gaps: findMissingSqlFields,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['postgres', 'mysql'],
  needsCredential: true,
  isOutside: true,
  tool: {},
  asksSource: true,
  async run({
    config,
    written,
    credential,
    secrets,
    signal,
    timeoutMs = DEFAULT_SQL_TIMEOUT_MS,
    reserve,
    workspaceId,
  }) {
    if (!credential) throw createNodeFailure('CREDENTIAL_MISSING', { subject: 'The node' });
    const { statements, operation } = config;
    const isRowChange = isSqlRowOperation(operation);
    const { mode = 'rows' } = isRowChange ? { mode: 'execute' as const } : config;
    // A server may have committed before all rows have arrived: a result that is refused must not have changed
    // anything.
    const { transaction = statements !== undefined || mode !== 'execute' } = config;
    const { type } = credential.credential;
    const outputs = await runSqlQueries(credential.credential, {
      queries: isRowChange
        ? [
            buildRowQuery(
              {
                operation,
                table: config.table ?? '',
                row: readRowValues('row', config.row),
                match: readRowValues('match', config.match),
              },
              type === 'mysql' ? 'mysql' : 'postgres',
            ),
          ]
        : buildSqlQueries(written, config),
      mode,
      isTransaction: transaction,
      timeoutMs,
      signal,
      redact: (text) => secrets.text(text),
      context: { reserve, parseLarge: (text) => parseLargeCell(text, { workspaceId, signal }) },
    });
    return completeNode(isRowChange || statements === undefined ? outputs[0] : outputs);
  },
});
