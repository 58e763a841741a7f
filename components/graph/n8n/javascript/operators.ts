import { call, composed, not, part, type Code } from './code';
import { isEqual } from './methods';

export function unary(operator: '!' | '-' | '+' | 'typeof', value: Code): Code {
  if (operator === '!') return not(value);
  if (operator === '-') return composed(`-${part(value)}`, 'number');
  if (operator === '+') return call('number', 'number', value);
  return call('type', 'string', value);
}

export function binary(operator: string, left: Code, right: Code): Code {
  switch (operator) {
    case '&&':
      return left.type === 'boolean' && right.type === 'boolean'
        ? composed(`${part(left)} and ${part(right)}`, 'boolean')
        : composed(`${part(left)} ? ${part(right)} : ${part(left)}`, 'any');
    case '||':
      return left.type === 'boolean' && right.type === 'boolean'
        ? composed(`${part(left)} or ${part(right)}`, 'boolean')
        : composed(`${part(left)} ? ${part(left)} : ${part(right)}`, 'any');
    case '??':
      return composed(`$exists(${left.code}) and ${part(left)} != null ? ${part(left)} : ${part(right)}`, 'any');
    case '==':
    case '===':
      return isEqual(left, right, false);
    case '!=':
    case '!==':
      return isEqual(left, right, true);
    case '+':
      return left.type === 'string' || right.type === 'string'
        ? composed(`${part(left)} & ${part(right)}`, 'string')
        : composed(`${part(left)} + ${part(right)}`, 'number');
    case '<':
    case '>':
    case '<=':
    case '>=':
      return composed(`${part(left)} ${operator} ${part(right)}`, 'boolean');
    default:
      return composed(`${part(left)} ${operator} ${part(right)}`, 'number');
  }
}
