import { parameterValue, type NodeConverter } from '../../conversion';
import type { N8nObject } from '../../file';
import { escapeBraces, isN8nExpression } from '../../n8n-expressions';
import { writeTextSource } from '../../items/parameter-source';
import { serviceConverter, type ParameterReader } from './service';

const tableOf = (read: ParameterReader): N8nObject => {
  if (read.isEmpty('tableId')) read.addChoice('table', 'Choose its table.');
  return { table: read.idText('tableId') };
};

const rowOf = (read: ParameterReader): N8nObject => {
  if (read.isEmpty('rowId')) read.addChoice('row', 'Choose its row.');
  return { row: read.idText('rowId') };
};

/** A field as the API names it: the file has its number. */
const fieldKey = (field: unknown): string | undefined =>
  typeof field === 'number' || (typeof field === 'string' && /^\d+$/.test(field)) ? `field_${field}` : undefined;

/** The values of a row: those of the item, but for some of its fields, or each by itself. */
function readValues(read: ParameterReader): unknown {
  if (read.get('dataToSend') === 'autoMapInputData') {
    const given = read.get('inputsToIgnore') ?? '';
    if (isN8nExpression(given)) read.addTodo('Choose the fields that it leaves out: n8n computes their names.');
    const left = isN8nExpression(given)
      ? []
      : String(given)
          .split(',')
          .map((name) => name.trim());
    const names = JSON.stringify(left.filter((name) => name !== ''));
    return names === '[]'
      ? read.item
      : `{{ Object.fromEntries(Object.entries($json).filter(([name]) => !${names}.includes(name))) }}`;
  }
  const rows = read.rows('fieldsUi.fieldValues');
  if (rows.some(({ fieldId }) => fieldKey(fieldId) === undefined))
    read.addTodo('Enter the fields whose names are computed, or that are not picked.');
  const entries = rows.flatMap(({ fieldId, fieldValue = '' }): [string, unknown][] => {
    const key = fieldKey(fieldId);
    return key === undefined ? [] : [[key, parameterValue(fieldValue, read.expressions)]];
  });
  return Object.fromEntries(entries);
}

/** Operators with dates have values of a form of their own. */
const isDateOperator = (operator: string): boolean => operator.startsWith('date_');

/** The value of a condition without white space around it. */
const writeFilterValue = (value: unknown, read: ParameterReader): string =>
  typeof value === 'string' && isN8nExpression(value)
    ? `{{ ${writeTextSource(value, read.expressions.reportLost)}.toString().trim() }}`
    : escapeBraces(String(value).trim());

/** The conditions of a list by fields and operators. */
function readConditions(read: ParameterReader): N8nObject | undefined {
  const rows = read.rows('additionalOptions.filters.fields');
  if (rows.length === 0) return undefined;
  const entries = rows.flatMap(({ field, operator = 'equal', value = '' }): [string, unknown][] => {
    const key = fieldKey(typeof field === 'string' ? field.replace(/^field_/, '') : field);
    const isKnown = typeof operator === 'string' && /^\w+$/.test(operator) && !isDateOperator(operator);
    return key !== undefined && isKnown ? [[`${key}__${operator}`, writeFilterValue(value, read)]] : [];
  });
  if (new Set(entries.map(([name]) => name)).size < rows.length)
    read.addTodo(
      'Check its conditions: those with dates, computed fields or operators, or twice the same, are left out.',
    );
  return Object.fromEntries(entries);
}

/** The order of a list: fields, each with its direction. */
function readOrder(read: ParameterReader): string | undefined {
  const rows = read.rows('additionalOptions.order.fields');
  if (rows.length === 0) return undefined;
  const parts = rows.map(({ field, direction = '' }) => {
    const key = fieldKey(field);
    return key !== undefined && (direction === '' || direction === '-') ? `${direction}${key}` : undefined;
  });
  if (parts.includes(undefined)) read.addTodo('Check its order: computed fields are left out.');
  return parts.filter((part) => part !== undefined).join(',') || undefined;
}

const convertCalls = serviceConverter({
  connector: 'baserow',
  name: 'Baserow',
  resource: 'row',
  operation: 'getAll',
  calls: {
    'row.getAll': (read) => {
      const isAll = read.get('returnAll') ?? false;
      if (typeof isAll !== 'boolean') read.addTodo('Choose whether it gives all: n8n computes that.');
      const type = read.get('additionalOptions.filterType');
      if (isN8nExpression(type)) read.addTodo('Choose whether all conditions have to hold: n8n computes that.');
      return {
        operation: 'rows.list',
        parameters: {
          ...tableOf(read),
          conditions: readConditions(read),
          matchesAny: type === 'OR' ? true : undefined,
          search: read.filledText('additionalOptions.search'),
          order: readOrder(read),
          limit: isAll === true ? undefined : (read.value('limit') ?? 50),
        },
        isList: true,
      };
    },
    'row.get': (read) => ({ operation: 'rows.get', parameters: { ...tableOf(read), ...rowOf(read) } }),
    'row.create': (read) => ({
      operation: 'rows.create',
      parameters: { ...tableOf(read), values: readValues(read) },
    }),
    'row.update': (read) => ({
      operation: 'rows.update',
      parameters: { ...tableOf(read), ...rowOf(read), values: readValues(read) },
    }),
    'row.delete': (read) => ({ operation: 'rows.delete', parameters: { ...tableOf(read), ...rowOf(read) } }),
  },
});

export const convertBaserow: NodeConverter = (conversion) => {
  const call = convertCalls(conversion);
  const { operation, authentication } = conversion.node.parameters;
  if (authentication !== 'databaseToken' && conversion.outcome !== 'placeholder')
    conversion.addRemark('Its account is a database token, in n8n a user with a password.');
  return operation === 'delete' ? { ...call, shape: '() => ({ success: true })' } : call;
};
