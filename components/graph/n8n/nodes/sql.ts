import type { Conversion, Piece } from '../conversion';
import { valueOf } from '../conversion';
import { bag, list } from '../file';
import { isExpression, type Expressions } from '../text';
import type { Convert } from './flow';
import { chosen, needsCredential } from './http';

/** A statement with names of parameters in place of expressions, and their values. */
interface Bound {
  statement: string;
  parameters: Record<string, unknown>;
}

/** Replaces the expressions of a statement by parameters, so that no value becomes SQL. */
function bound(query: string, expressions: Expressions): Bound {
  const parameters: Record<string, unknown> = {};
  if (!isExpression(query)) return { statement: query, parameters };
  let statement = '';
  let at = 1;
  for (let open = query.indexOf('{{', at); open !== -1; open = query.indexOf('{{', at)) {
    const end = query.indexOf('}}', open);
    if (end === -1) break;
    const name = `p${Object.keys(parameters).length + 1}`;
    parameters[name] = valueOf(`=${query.slice(open, end + 2)}`, expressions);
    // A parameter is a value: the quotes around it are not needed, and would make it a text.
    const isQuoted = query.charAt(open - 1) === "'" && query.charAt(end + 2) === "'";
    statement += `${query.slice(at, isQuoted ? open - 1 : open)}:${name}`;
    at = end + (isQuoted ? 3 : 2);
  }
  return { statement: statement + query.slice(at), parameters };
}

/** Values of `$1`, `$2` of PostgreSQL, or of `?` of MySQL, which n8n has apart. */
function replaced({ statement, parameters }: Bound, replacement: unknown, expressions: Expressions): Bound {
  const values = Array.isArray(replacement)
    ? replacement
    : typeof replacement === 'string' && replacement.trim()
      ? split(replacement)
      : [];
  if (values.length === 0) return { statement, parameters };
  const all = { ...parameters };
  let count = 0;
  const text = statement.replaceAll(/\$(\d{1,2})|\?/g, (whole, digits: string | undefined) => {
    const index = digits === undefined ? count : Number(digits) - 1;
    count += 1;
    if (!(index in values)) return whole;
    all[`v${index + 1}`] = valueOf(values[index], expressions);
    return `:v${index + 1}`;
  });
  return { statement: text, parameters: all };
}

/** Values with commas between them; those inside of expressions do not count. */
function split(text: string): string[] {
  const source = isExpression(text) ? text.slice(1) : text;
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
  return [...parts, source.slice(from).trim()].map((part) => (isExpression(text) ? `=${part}` : part));
}

const NAME = /^[A-Za-z_][\w$]{0,62}$/;

/** The statement of the operations that need none in n8n; undefined: it has to be written. */
function made(conversion: Conversion, quote: string, expressions: Expressions): Bound | undefined {
  const { parameters } = conversion.node;
  const names = [chosen(parameters['schema']), chosen(parameters['table'])].filter(
    (name) => typeof name === 'string' && name !== '',
  );
  if (!names.every((name) => NAME.test(String(name))) || names.length === 0) return undefined;
  const table = names.map((name) => quote + String(name) + quote).join('.');
  if (parameters['operation'] === 'select') {
    if (list(bag(parameters['where'])['values']).length > 0) conversion.todo('Add its conditions to the statement.');
    const most =
      parameters['returnAll'] === true
        ? ''
        : ` LIMIT ${Math.max(1, Math.round(Number(parameters['limit'] ?? 50)) || 50)}`;
    return { statement: `SELECT * FROM ${table}${most}`, parameters: {} };
  }
  const columns = Object.entries(bag(bag(parameters['columns'])['value']));
  if (parameters['operation'] !== 'insert' || columns.length === 0 || !columns.every(([name]) => NAME.test(name)))
    return undefined;
  const values = columns.map(([name, value], index) => [`v${index + 1}`, name, valueOf(value, expressions)] as const);
  return {
    statement: `INSERT INTO ${table} (${values.map(([, name]) => quote + name + quote).join(', ')}) VALUES (${values.map(([key]) => `:${key}`).join(', ')})`,
    parameters: Object.fromEntries(values.map(([key, , value]) => [key, value])),
  };
}

const sql =
  (database: string, quote: string): Convert =>
  (conversion): Piece => {
    const { parameters } = conversion.node;
    const { operation = 'executeQuery', query, options } = parameters;
    needsCredential(conversion, `its credential for ${database}`);
    const isRead =
      operation === 'select' || (typeof query === 'string' && /^=?\s*(?:select|with|show)\b|returning/i.test(query));
    return conversion.each((expressions) => {
      const found =
        operation === 'executeQuery' && typeof query === 'string'
          ? replaced(
              bound(query, expressions),
              bag(options)['queryReplacement'] ?? bag(parameters['additionalFields'])['queryParams'],
              expressions,
            )
          : made(conversion, quote, expressions);
      const isPlain = found && !found.statement.includes('{{') && found.statement.length <= 90_000;
      if (!isPlain) conversion.todo('Write its statement.');
      const config = isPlain
        ? {
            statement: found.statement,
            ...(Object.keys(found.parameters).length > 0 ? { parameters: found.parameters } : {}),
            mode: isRead ? 'rows' : 'execute',
          }
        : {};
      return { type: 'sql', config };
    }, isRead);
  };

export const SQL: Readonly<Record<string, Convert>> = {
  postgres: sql('PostgreSQL', '"'),
  mySql: sql('MySQL', '`'),
};
