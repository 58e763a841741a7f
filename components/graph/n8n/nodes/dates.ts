import type { Conversion, Piece } from '../conversion';
import { codeOf } from '../conversion';
import { bag } from '../file';
import { call, quoted } from '../javascript/code';
import { isExpression, type Expressions } from '../text';
import type { Convert } from './flow';

/** Words of the patterns of moment.js that Weft writes in another way. */
const MOMENT: Readonly<Record<string, string>> = {
  YYYY: 'yyyy',
  YY: 'yy',
  DD: 'dd',
  D: 'd',
  A: 'a',
  dddd: 'EEEE',
  ddd: 'EEE',
};

/** A pattern of moment.js; undefined: a part of it has no counterpart. */
function patternOf(text: string): string | undefined {
  const words = text.match(/\[[^\]]*\]|([A-Za-z])\1*|[^A-Za-z[]+/g) ?? [];
  const known = words.map((word) => {
    if (word.startsWith('[')) return `'${word.slice(1, -1)}'`;
    if (Object.hasOwn(MOMENT, word)) return MOMENT[word];
    return /^(?:M{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|S{3}|a|[^A-Za-z]+)$/.test(word) ? word : undefined;
  });
  return known.every((word) => word !== undefined) ? known.join('') : undefined;
}

/** The first version of the node: it changes one field of the item. */
function formerDateTime(conversion: Conversion): Piece {
  const {
    action = 'format',
    dataPropertyName = 'data',
    toFormat = 'MM/DD/YYYY',
    duration,
    timeUnit,
  } = conversion.node.parameters;
  const { value, operation = 'add' } = conversion.node.parameters;
  const unknown = 'Write it with $formatDate or $addTime.';
  const pattern = patternOf(String(toFormat));
  const unit = String(timeUnit ?? 'days');
  const isKnown =
    action === 'calculate' ? /^[a-z]{4,12}$/.test(unit) : pattern !== undefined && !isExpression(toFormat);
  if (!isKnown) return conversion.placeholder(unknown);
  const make = (expressions: Expressions) => {
    const time = codeOf(value ?? '', expressions);
    const amount = `${operation === 'subtract' ? '-' : ''}${Math.abs(Math.round(Number(duration))) || 0}`;
    const code =
      action === 'calculate'
        ? call('addTime', 'time', time, amount, quoted(unit)).code
        : call('formatDate', 'string', time, quoted(pattern ?? '')).code;
    return `$merge([${expressions.scope.json}, { ${quoted(String(dataPropertyName))}: ${code} }])`;
  };
  return conversion.mapped(make) ?? conversion.placeholder(unknown);
}

const dateTime: Convert = (conversion) => {
  const { parameters, version } = conversion.node;
  if (version < 2) return formerDateTime(conversion);
  const { operation = 'getCurrentDate' } = parameters;
  const field = (name: string, otherwise: string) =>
    quoted(typeof parameters[name] === 'string' && parameters[name] ? String(parameters[name]) : otherwise);
  const make = (expressions: Expressions): string | undefined => {
    const code = (name: string) => codeOf(parameters[name] ?? '', expressions);
    const pair = (name: string, value: string) => `{ ${name}: ${value} }`;
    const others = bag(parameters['options'])['includeInputFields'] === true;
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
          `$addTime(${code('magnitude')}, ${codeOf(Number(parameters['duration']) || 0, expressions)}, ${unit})`,
        );
      case 'subtractFromDate':
        return whole(
          field('outputFieldName', 'newDate'),
          `$addTime(${code('magnitude')}, -${codeOf(Math.abs(Number(parameters['duration']) || 0), expressions)}, ${unit})`,
        );
      case 'formatDate': {
        const pattern = parameters['format'] === 'custom' ? parameters['customFormat'] : parameters['format'];
        if (typeof pattern !== 'string' || isExpression(pattern)) return undefined;
        return whole(
          field('outputFieldName', 'formattedDate'),
          `$formatDate(${code('date')}, ${quoted(pattern.replaceAll('YYYY', 'yyyy').replaceAll('DD', 'dd'))})`,
        );
      }
      default:
        return undefined;
    }
  };
  return conversion.mapped(make) ?? conversion.placeholder('Write it with $formatDate, $addTime or $diffTime.');
};

export const DATES: Readonly<Record<string, Convert>> = { dateTime };
