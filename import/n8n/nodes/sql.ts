import {
  type NodeConversion,
  type ConvertedCall,
  isEmptyParameter,
  parameterValue,
  type NodeConverter,
} from '../conversion';
import { asN8nObject, asN8nObjects } from '../file';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import { chosenListValue, addCredentialTodo } from './http';

/** A statement with names of parameters in place of expressions, and their values. */
interface BoundStatement {
  statement: string;
  parameters: Record<string, unknown>;
}

/** Replaces the expressions of a statement by parameters, so that no value becomes SQL. */
function bindStatement(query: string, expressions: NodeExpressions): BoundStatement {
  const parameters: Record<string, unknown> = {};
  if (!isN8nExpression(query)) return { statement: query, parameters };
  let statement = '';
  let at = 1;
  for (let open = query.indexOf('{{', at); open !== -1; open = query.indexOf('{{', at)) {
    const end = query.indexOf('}}', open);
    if (end === -1) break;
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = parameterValue(`=${query.slice(open, end + 2)}`, expressions);
    // A parameter is a value: the quotes around it are not needed, and would make it a text.
    const isQuoted = query.charAt(open - 1) === "'" && query.charAt(end + 2) === "'";
    statement += `${query.slice(at, isQuoted ? open - 1 : open)}:${name}`;
    at = end + (isQuoted ? 3 : 2);
  }
  return { statement: statement + query.slice(at), parameters };
}

/** Binds the values of `$1`, `$2` (PostgreSQL) or `?` (MySQL), which n8n stores in a parameter of their own. */
function bindReplacements(
  { statement, parameters }: BoundStatement,
  replacement: unknown,
  expressions: NodeExpressions,
): BoundStatement {
  const values = Array.isArray(replacement)
    ? replacement
    : typeof replacement === 'string' && replacement.trim()
      ? splitReplacements(replacement)
      : [];
  if (values.length === 0) return { statement, parameters };
  const all = { ...parameters };
  let count = 0;
  const text = statement.replaceAll(/\$(\d{1,2})|\?/g, (whole, digits: string | undefined) => {
    const index = digits === undefined ? count : Number(digits) - 1;
    count += 1;
    if (!(index in values)) return whole;
    all[`v${index + 1}`] = parameterValue(values[index], expressions);
    return `:v${index + 1}`;
  });
  return { statement: text, parameters: all };
}

/** Values with commas between them; those inside of expressions do not count. */
function splitReplacements(text: string): string[] {
  const source = isN8nExpression(text) ? text.slice(1) : text;
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < source.length; index += 1) {
    if (source.startsWith('{{', index)) depth += 1;
    else if (source.startsWith('}}', index)) depth -= 1;
    else if (source[index] === ',' && depth <= 0) {
      parts.push(source.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, source.slice(from).trim()].map((part) => (isN8nExpression(text) ? `=${part}` : part));
}

const SQL_NAME_PATTERN = /^[A-Za-z_][\w$]{0,62}$/;

/** Builds the statement of an operation that has none in n8n; undefined: people have to write it. */
function buildStatement(
  conversion: NodeConversion,
  quote: string,
  expressions: NodeExpressions,
): BoundStatement | undefined {
  const { parameters } = conversion.node;
  const names = [chosenListValue(parameters['schema']), chosenListValue(parameters['table'])].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  if (!names.every((name) => SQL_NAME_PATTERN.test(String(name))) || names.length === 0) return undefined;
  const table = names.map((name) => quote + String(name) + quote).join('.');
  const { operation = 'insert' } = parameters;
  if (operation === 'select') {
    if (asN8nObjects(asN8nObject(parameters['where'])['values']).length > 0)
      conversion.addTodo('Add its conditions to the statement.');
    const most =
      parameters['returnAll'] === true
        ? ''
        : ` LIMIT ${Math.max(1, Math.round(Number(parameters['limit'] ?? 50)) || 50)}`;
    return { statement: `SELECT * FROM ${table}${most}`, parameters: {} };
  }
  const columns = Object.entries(asN8nObject(asN8nObject(parameters['columns'])['value']));
  if (operation !== 'insert' || columns.length === 0 || !columns.every(([name]) => SQL_NAME_PATTERN.test(name)))
    return undefined;
  const values = columns.map(
    ([name, value], index) => [`v${index + 1}`, name, parameterValue(value, expressions)] as const,
  );
  return {
    statement: `INSERT INTO ${table} (${values.map(([, name]) => quote + name + quote).join(', ')}) VALUES (${values.map(([key]) => `:${key}`).join(', ')})`,
    parameters: Object.fromEntries(values.map(([key, , value]) => [key, value])),
  };
}

const convertSqlNode =
  (database: string, quote: string): NodeConverter =>
  (conversion): ConvertedCall => {
    const { parameters } = conversion.node;
    const { operation = 'insert', query, options } = parameters;
    addCredentialTodo(conversion, `its credential for ${database}`);
    const isRead =
      operation === 'select' || (typeof query === 'string' && /^=?\s*(?:select|with|show)\b|returning/i.test(query));
    const { expressions } = conversion;
    const readStatement = () => {
      const found =
        operation === 'executeQuery' && typeof query === 'string'
          ? bindReplacements(
              bindStatement(query, expressions),
              asN8nObject(options)['queryReplacement'] ?? asN8nObject(parameters['additionalFields'])['queryParams'],
              expressions,
            )
          : buildStatement(conversion, quote, expressions);
      const isPlain = found && !found.statement.includes('{{') && found.statement.length <= 90_000;
      const isOpen = isEmptyParameter(operation === 'executeQuery' ? query : parameters['table']);
      if (isOpen) conversion.addChoice('config.statement', 'Write its statement.');
      else if (!isPlain) conversion.addTodo('Write its statement.');
      const config = isPlain
        ? {
            statement: found.statement,
            ...(Object.keys(found.parameters).length > 0 ? { parameters: found.parameters } : {}),
            mode: isRead ? 'rows' : 'execute',
          }
        : {};
      return { type: 'sql', config };
    };
    const call = conversion.createCall(readStatement(), isRead);
    // What changes rows gives none of them.
    return isRead ? call : { ...call, shape: '() => ({ success: true })' };
  };

export const SQL_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  postgres: convertSqlNode('PostgreSQL', '"'),
  mySql: convertSqlNode('MySQL', '`'),
};
