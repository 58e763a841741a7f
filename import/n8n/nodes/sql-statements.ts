import { parameterValue, type NodeConversion } from '../conversion';
import { asN8nObject, asN8nObjects, type N8nObject } from '../file';
import { isN8nExpression } from '../n8n-expressions';
import { chosenListValue } from './http';

/** A statement with names of parameters in place of values. */
export interface BoundStatement {
  statement: string;
  parameters: Record<string, unknown>;
  /** It gives rows. */
  givesRows: boolean;
}

const SQL_NAME_PATTERN = /^[A-Za-z_][\w$]{0,62}$/;
const SQL_CONDITIONS = new Set(['=', '!=', 'LIKE', '>', '<', '>=', '<=']);

/** Collects values, and gives each a name in the statement. */
class StatementValues {
  readonly parameters: Record<string, unknown> = {};

  constructor(private readonly conversion: NodeConversion) {}

  add(value: unknown): string {
    const name = `v${Object.keys(this.parameters).length + 1}`;
    this.parameters[name] = parameterValue(value, this.conversion.expressions);
    return `:${name}`;
  }
}

/** Builds the statement of an operation that has none in n8n; undefined: people have to write it. */
export function buildSqlStatement(conversion: NodeConversion, quote: string): BoundStatement | undefined {
  const { parameters } = conversion.node;
  const table = tableName(parameters, quote);
  if (table === undefined) return undefined;
  const values = new StatementValues(conversion);
  const statement = writeStatement(parameters, { table, quote, values });
  if (statement === undefined) return undefined;
  const isSelect = parameters['operation'] === 'select';
  const isDeletion = parameters['operation'] === 'deleteTable';
  // PostgreSQL gives the rows that it has written.
  const isReturning = quote === '"' && !isSelect && !isDeletion;
  const columns = isReturning ? writeOutputColumns(parameters, quote) : '';
  if (columns === undefined) return undefined;
  return {
    statement: isReturning ? `${statement} RETURNING ${columns}` : statement,
    parameters: values.parameters,
    givesRows: isSelect || isReturning,
  };
}

interface StatementParts {
  table: string;
  quote: string;
  values: StatementValues;
}

function writeStatement(parameters: N8nObject, parts: StatementParts): string | undefined {
  switch (parameters['operation'] ?? 'insert') {
    case 'select':
      return writeSelect(parameters, parts);
    case 'insert':
      return writeInsert(parameters, parts);
    case 'update':
      return writeUpdate(parameters, parts);
    case 'upsert':
      return parts.quote === '"' ? writeUpsert(parameters, parts) : undefined;
    case 'deleteTable':
      return writeDelete(parameters, parts);
    default:
      return undefined;
  }
}

function tableName(parameters: N8nObject, quote: string): string | undefined {
  const names = [chosenListValue(parameters['schema']), chosenListValue(parameters['table'])].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  if (!names.every((name) => SQL_NAME_PATTERN.test(String(name))) || names.length === 0) return undefined;
  return names.map((name) => quote + String(name) + quote).join('.');
}

/** The conditions of rows; undefined: one cannot be written. */
function writeConditions(parameters: N8nObject, { quote, values }: StatementParts): string | undefined {
  const { where = {}, combineConditions } = parameters;
  const { values: given = [] } = asN8nObject(where);
  const rows = asN8nObjects(given);
  // A condition that is left out would write or delete other rows.
  const isKnown = typeof where === 'object' && Array.isArray(given) && rows.length === given.length;
  if (!isKnown || isN8nExpression(combineConditions)) return undefined;
  const clauses = rows.map(({ column: given, condition = 'equal', value }) => {
    const column = chosenListValue(given);
    const operator = condition === 'equal' ? '=' : condition;
    if (typeof column !== 'string' || !SQL_NAME_PATTERN.test(column) || typeof operator !== 'string') return undefined;
    const name = quote + column + quote;
    if (operator === 'IS NULL' || operator === 'IS NOT NULL') return `${name} ${operator}`;
    return SQL_CONDITIONS.has(operator)
      ? `${name} ${operator} ${values.add(readComparedValue(operator, value))}`
      : undefined;
  });
  if (clauses.includes(undefined)) return undefined;
  const join = combineConditions === 'OR' ? ' OR ' : ' AND ';
  return clauses.length > 0 ? ` WHERE ${clauses.join(join)}` : '';
}

/** n8n compares texts of numbers as numbers. */
const readComparedValue = (operator: string, value: unknown): unknown =>
  /^[<>]/.test(operator) && typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
    ? Number(value)
    : (value ?? '');

/** The columns that a statement gives; undefined: they are computed. */
function writeOutputColumns(parameters: N8nObject, quote: string): string | undefined {
  const { outputColumns = ['*'] } = asN8nObject(parameters['options']);
  const names = Array.isArray(outputColumns) ? outputColumns.map(String) : [];
  if (names.includes('*')) return '*';
  const isKnown = names.length > 0 && names.every((name) => SQL_NAME_PATTERN.test(name));
  return isKnown ? names.map((name) => quote + name + quote).join(', ') : undefined;
}

function writeSelect(parameters: N8nObject, parts: StatementParts): string | undefined {
  const { table, quote, values } = parts;
  const conditions = writeConditions(parameters, parts);
  const rules = asN8nObjects(asN8nObject(parameters['sort'])['values']).map(({ column, direction }) => {
    const name = chosenListValue(column);
    return typeof name === 'string' && SQL_NAME_PATTERN.test(name)
      ? `${quote}${name}${quote} ${direction === 'DESC' ? 'DESC' : 'ASC'}`
      : undefined;
  });
  const columns = writeOutputColumns(parameters, quote);
  if (conditions === undefined || rules.includes(undefined) || columns === undefined) return undefined;
  const chosen = asN8nObject(parameters['options'])['selectDistinct'] === true ? `DISTINCT ${columns}` : columns;
  const order = rules.length > 0 ? ` ORDER BY ${rules.join(', ')}` : '';
  const { limit = 50 } = parameters;
  const most =
    parameters['returnAll'] === true
      ? ''
      : ` LIMIT ${isN8nExpression(limit) ? values.add(limit) : Math.max(1, Math.round(Number(limit)) || 50)}`;
  return `SELECT ${chosen} FROM ${table}${conditions}${order}${most}`;
}

/** The values of columns that are entered; undefined: there are none, or a name is computed. */
function readColumns(parameters: N8nObject): [string, unknown][] | undefined {
  if (parameters['dataMode'] === 'autoMapInputData') return undefined;
  const rows = asN8nObjects(asN8nObject(parameters['valuesToSend'])['values']);
  const entered =
    rows.length > 0
      ? rows.map(({ column, value }): [string, unknown] => [String(chosenListValue(column)), value])
      : Object.entries(asN8nObject(asN8nObject(parameters['columns'])['value']));
  return entered.length > 0 && entered.every(([name]) => SQL_NAME_PATTERN.test(name)) ? entered : undefined;
}

function writeInsert(parameters: N8nObject, { table, quote, values }: StatementParts): string | undefined {
  const columns = readColumns(parameters);
  if (!columns || asN8nObject(parameters['options'])['skipOnConflict'] === true) return undefined;
  const names = columns.map(([name]) => quote + name + quote).join(', ');
  return `INSERT INTO ${table} (${names}) VALUES (${columns.map(([, value]) => values.add(value)).join(', ')})`;
}

/** The columns by which rows are found, and all that are written; undefined: they are not known. */
function readMatchedColumns(parameters: N8nObject): { keys: string[]; columns: [string, unknown][] } | undefined {
  const matching = asN8nObject(parameters['columns'])['matchingColumns'];
  const one = chosenListValue(parameters['columnToMatchOn']);
  const keys = Array.isArray(matching) ? matching.map(String) : typeof one === 'string' && one !== '' ? [one] : [];
  const columns = readColumns(parameters);
  const key = keys[0];
  if (!columns || key === undefined || !keys.every((name) => SQL_NAME_PATTERN.test(name))) return undefined;
  const all: [string, unknown][] =
    parameters['valueToMatchOn'] === undefined
      ? columns
      : [...columns.filter(([name]) => name !== key), [key, parameters['valueToMatchOn']]];
  const isKnown = keys.every((name) => all.some(([column]) => column === name));
  return isKnown && all.length > keys.length ? { keys, columns: all } : undefined;
}

function writeUpdate(parameters: N8nObject, { table, quote, values }: StatementParts): string | undefined {
  const found = readMatchedColumns(parameters);
  if (!found) return undefined;
  const write = (isKey: boolean) =>
    found.columns
      .filter(([name]) => found.keys.includes(name) === isKey)
      .map(([name, value]) => `${quote}${name}${quote} = ${values.add(value)}`);
  return `UPDATE ${table} SET ${write(false).join(', ')} WHERE ${write(true).join(' AND ')}`;
}

function writeUpsert(parameters: N8nObject, { table, quote, values }: StatementParts): string | undefined {
  const found = readMatchedColumns(parameters);
  if (!found) return undefined;
  const { keys, columns } = found;
  const named = columns.map(([name, value]) => ({ name, key: quote + name + quote, value: values.add(value) }));
  const list = (field: 'key' | 'value') => named.map((one) => one[field]).join(', ');
  const changes = named.filter(({ name }) => !keys.includes(name)).map(({ key, value }) => `${key} = ${value}`);
  const conflict = keys.map((name) => quote + name + quote).join(', ');
  return `INSERT INTO ${table} (${list('key')}) VALUES (${list('value')}) ON CONFLICT (${conflict}) DO UPDATE SET ${changes.join(', ')}`;
}

function writeDelete(parameters: N8nObject, parts: StatementParts): string | undefined {
  const { deleteCommand = 'truncate', restartSequences } = parameters;
  const isCascade = asN8nObject(parameters['options'])['cascade'] === true;
  if (deleteCommand === 'delete') {
    const conditions = writeConditions(parameters, parts);
    return conditions === undefined ? undefined : `DELETE FROM ${parts.table}${conditions}`;
  }
  if (isCascade || restartSequences === true) return undefined;
  return deleteCommand === 'truncate' ? `TRUNCATE TABLE ${parts.table}` : undefined;
}
