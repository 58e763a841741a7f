import { z } from 'zod';
import type { FieldError } from '@/contract/error';
import { NodeFailure } from '@/server/errors/node-failure';
import { EvaluationFailed, readLargeBody, type Purpose } from '@/server/evaluation/evaluation';
import { isLarge } from '@/server/expressions/large-json';
import { MODES } from '@/server/sql/result-rows';
import { runSql, type Query } from '@/server/sql/sql';
import { namesIn } from '@/server/sql/statement';
import { done, nodeKind } from '../node';

type Bag = Record<string, unknown>;

export const MAX_SQL_STATEMENTS = 100;
/** The timeout of nodes that act outside. */
const TIMEOUT_MS = 60_000;

const Text = z.string().max(100_000);
const Parameters = z.record(z.string(), z.unknown());

const isTemplate = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

const NO_EXPRESSION = 'must not contain {{ }}: use a parameter such as :name';

/** Each statement as written, with its path. */
function writtenStatements({ statement, parameters, statements }: Bag) {
  const single = statement === undefined ? [] : [{ at: '', statement, parameters }];
  const several = Array.isArray(statements) ? statements.filter(isBag) : [];
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
function issues(source: Bag): FieldError[] {
  const list = isTemplate(source['statements']) ? [{ field: 'statements', message: NO_EXPRESSION }] : [];
  const texts = writtenStatements(source).filter(({ statement }) => isTemplate(statement));
  return [...list, ...texts.map(({ at }) => ({ field: `${at}statement`, message: NO_EXPRESSION }))];
}

function gaps(source: Bag): FieldError[] {
  const { statement, statements } = source;
  const hasText = typeof statement === 'string' && statement.trim() !== '';
  const hasList = Array.isArray(statements) && statements.length > 0;
  if (!hasText && !hasList) return [{ field: 'statement', message: 'is required' }];
  if (hasText && hasList) return [{ field: 'statements', message: 'must be absent beside statement' }];
  return writtenStatements(source).flatMap(({ at, statement: text, parameters = {} }) => {
    if (typeof text !== 'string' || !isBag(parameters)) return [];
    const missing = new Set(namesIn(text).filter((name) => !Object.hasOwn(parameters, name)));
    return [...missing].map((name) => ({ field: `${at}parameters.${name}`, message: 'is required' }));
  });
}

/** A large value is bound as its JSON, a text or a list as itself. */
function bindable(value: unknown): unknown {
  if (!isLarge(value)) return value;
  return value.text.startsWith('{') || value.text.startsWith('[{') ? value.text : (JSON.parse(value.text) as unknown);
}

/** The statements as written, never as rendered, with the values of their parameters. */
function queriesOf(written: Bag, config: { parameters?: Bag; statements?: { parameters?: Bag }[] }): Query[] {
  const queries = writtenStatements(written).map(({ at, statement }, index) => {
    if (typeof statement !== 'string' || isTemplate(statement)) {
      throw new NodeFailure('CONFIG', `config.${at}statement: ${NO_EXPRESSION}`, false);
    }
    const parameters = (at === '' ? config.parameters : config.statements?.[index]?.parameters) ?? {};
    const values = Object.entries(parameters).map(([name, value]) => [name, bindable(value)]);
    return { statement, parameters: Object.fromEntries(values) as Bag };
  });
  if (queries.length === 0) throw new NodeFailure('CONFIG', 'Missing: config.statement.', false);
  return queries;
}

async function parseLarge(text: string, purpose: Purpose): Promise<unknown> {
  try {
    return await readLargeBody(Buffer.from(text), 'application/json', 'json', purpose);
  } catch (error) {
    throw error instanceof EvaluationFailed ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

export const sql = nodeKind({
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
    statement: Text.optional().meta({
      title: 'Statement',
      description: 'Values stand as :name and are bound; {{ }} is not permitted here.',
      examples: ['SELECT id, total FROM orders WHERE email = :email'],
      'x-editor': 'sql',
    }),
    parameters: Parameters.optional().meta({
      title: 'Parameters',
      description: 'The value of each :name.',
      'x-editor': 'pairs',
    }),
    mode: z.enum(MODES).optional().meta({
      title: 'Output',
      description: 'rows: a list of at most 10,000 rows. one: the first row or null. execute: {rowCount}.',
      default: 'rows',
    }),
    statements: z
      .array(
        z.strictObject({
          statement: Text.meta({ apiDescription: 'The SQL statement' }),
          parameters: Parameters.optional().meta({ apiDescription: 'Parameters by name' }),
        }),
      )
      .max(MAX_SQL_STATEMENTS)
      .optional()
      .meta({
        title: 'Several statements',
        description:
          'In place of the statement: a list of {statement, parameters}. The output is the list of their results.',
        'x-editor': 'json',
      }),
    transaction: z.boolean().optional().meta({
      title: 'In a transaction',
      description:
        'All takes effect, or nothing. The default is true, and false for a single statement with the output execute.',
    }),
  }),
  required: [],
  issues,
  gaps,
  expressions: [],
  literals: ['statement', 'mode', 'transaction'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: ['postgres', 'mysql'],
  needsCredential: true,
  isOutside: true,
  tool: {},
  asksSource: true,
  async run({ config, written, credential, secrets, signal, timeoutMs = TIMEOUT_MS, reserve, workspaceId }) {
    if (!credential) throw new NodeFailure('CREDENTIAL_MISSING', 'The node needs a credential.', false);
    const { mode = 'rows', statements } = config;
    // A server may have committed before all rows have arrived: a result that is refused must not have changed anything.
    const { transaction = statements !== undefined || mode !== 'execute' } = config;
    const outputs = await runSql(credential.credential, {
      queries: queriesOf(written, config),
      mode,
      isTransaction: transaction,
      timeoutMs,
      signal,
      redact: (text) => secrets.text(text),
      context: { reserve, parseLarge: (text) => parseLarge(text, { workspaceId, signal }) },
    });
    return done(statements === undefined ? outputs[0] : outputs);
  },
});
