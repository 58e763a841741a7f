import type { NodeConversion, ConvertedNodes } from '../conversion';
import { parameterCode } from '../conversion';
import { asN8nObject } from '../file';
import { jsonataCall, jsonataString } from '../javascript/code';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import type { NodeConverter } from './flow';

/** Words of the patterns of moment.js that Weft writes in another way. */
const MOMENT_TOKENS: Readonly<Record<string, string>> = {
  YYYY: 'yyyy',
  YY: 'yy',
  DD: 'dd',
  D: 'd',
  A: 'a',
  dddd: 'EEEE',
  ddd: 'EEE',
};

/** A pattern of moment.js; undefined: a part of it has no counterpart. */
function convertMomentPattern(text: string): string | undefined {
  const words = text.match(/\[[^\]]*\]|([A-Za-z])\1*|[^A-Za-z[]+/g) ?? [];
  const known = words.map((word) => {
    if (word.startsWith('[')) return `'${word.slice(1, -1)}'`;
    if (Object.hasOwn(MOMENT_TOKENS, word)) return MOMENT_TOKENS[word];
    return /^(?:M{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|S{3}|a|[^A-Za-z]+)$/.test(word) ? word : undefined;
  });
  return known.every((word) => word !== undefined) ? known.join('') : undefined;
}

/** The first version of the node: it changes one field of the item. */
function convertFormerDateTime(conversion: NodeConversion): ConvertedNodes {
  const {
    action = 'format',
    dataPropertyName = 'data',
    toFormat = 'MM/DD/YYYY',
    duration,
    timeUnit,
  } = conversion.node.parameters;
  const { value, operation = 'add' } = conversion.node.parameters;
  const unknown = 'Write it with $formatDate or $addTime.';
  const pattern = convertMomentPattern(String(toFormat));
  const unit = String(timeUnit ?? 'days');
  const isKnown =
    action === 'calculate' ? /^[a-z]{4,12}$/.test(unit) : pattern !== undefined && !isN8nExpression(toFormat);
  if (!isKnown) return conversion.placeholder(unknown);
  const make = (expressions: NodeExpressions) => {
    const time = parameterCode(value ?? '', expressions);
    const amount = `${operation === 'subtract' ? '-' : ''}${Math.abs(Math.round(Number(duration))) || 0}`;
    const code =
      action === 'calculate'
        ? jsonataCall('addTime', 'time', time, amount, jsonataString(unit)).code
        : jsonataCall('formatDate', 'string', time, jsonataString(pattern ?? '')).code;
    return `$merge([${expressions.scope.json}, { ${jsonataString(String(dataPropertyName))}: ${code} }])`;
  };
  return conversion.mapItems(make) ?? conversion.placeholder(unknown);
}

const convertDateTime: NodeConverter = (conversion) => {
  const { parameters, version } = conversion.node;
  if (version < 2) return convertFormerDateTime(conversion);
  const { operation = 'getCurrentDate' } = parameters;
  const field = (name: string, otherwise: string) =>
    jsonataString(typeof parameters[name] === 'string' && parameters[name] ? String(parameters[name]) : otherwise);
  const make = (expressions: NodeExpressions): string | undefined => {
    const code = (name: string) => parameterCode(parameters[name] ?? '', expressions);
    const pair = (name: string, value: string) => `{ ${name}: ${value} }`;
    const others = asN8nObject(parameters['options'])['includeInputFields'] === true;
    const whole = (name: string, value: string) =>
      others ? `$merge([${expressions.scope.json}, ${pair(name, value)}])` : pair(name, value);
    const unit = JSON.stringify(String(parameters['timeUnit'] ?? 'days').replaceAll(/[^a-z]/g, ''));
    switch (operation) {
      case 'getCurrentDate':
        return whole(
          field('outputFieldName', 'currentDate'),
          parameters['includeTime'] === false ? '$startOf($now(), "day")' : '$now()',
        );
      case 'addToDate':
        return whole(
          field('outputFieldName', 'newDate'),
          `$addTime(${code('magnitude')}, ${parameterCode(Number(parameters['duration']) || 0, expressions)}, ${unit})`,
        );
      case 'subtractFromDate':
        return whole(
          field('outputFieldName', 'newDate'),
          `$addTime(${code('magnitude')}, -${parameterCode(Math.abs(Number(parameters['duration']) || 0), expressions)}, ${unit})`,
        );
      case 'formatDate': {
        const pattern = parameters['format'] === 'custom' ? parameters['customFormat'] : parameters['format'];
        if (typeof pattern !== 'string' || isN8nExpression(pattern)) return undefined;
        return whole(
          field('outputFieldName', 'formattedDate'),
          `$formatDate(${code('date')}, ${jsonataString(pattern.replaceAll('YYYY', 'yyyy').replaceAll('DD', 'dd'))})`,
        );
      }
      default:
        return undefined;
    }
  };
  return conversion.mapItems(make) ?? conversion.placeholder('Write it with $formatDate, $addTime or $diffTime.');
};

export const DATE_CONVERTERS: Readonly<Record<string, NodeConverter>> = { dateTime: convertDateTime };
