import { jsonataCall, composedCode, negateCode, operandCode, type JsonataCode } from './code';
import { equalityCode } from './methods';

export function unaryCode(operator: '!' | '-' | '+' | 'typeof', value: JsonataCode): JsonataCode {
  if (operator === '!') return negateCode(value);
  if (operator === '-') return composedCode(`-${operandCode(value)}`, 'number');
  if (operator === '+') return jsonataCall('number', 'number', value);
  return jsonataCall('type', 'string', value);
}

export function binaryCode(operator: string, left: JsonataCode, right: JsonataCode): JsonataCode {
  switch (operator) {
    case '&&':
      return left.type === 'boolean' && right.type === 'boolean'
        ? composedCode(`${operandCode(left)} and ${operandCode(right)}`, 'boolean')
        : composedCode(`${operandCode(left)} ? ${operandCode(right)} : ${operandCode(left)}`, 'any');
    case '||':
      return left.type === 'boolean' && right.type === 'boolean'
        ? composedCode(`${operandCode(left)} or ${operandCode(right)}`, 'boolean')
        : composedCode(`${operandCode(left)} ? ${operandCode(left)} : ${operandCode(right)}`, 'any');
    case '??':
      return composedCode(
        `$exists(${left.code}) and ${operandCode(left)} != null ? ${operandCode(left)} : ${operandCode(right)}`,
        'any',
      );
    case '==':
    case '===':
      return equalityCode(left, right, false);
    case '!=':
    case '!==':
      return equalityCode(left, right, true);
    case '+':
      return left.type === 'string' || right.type === 'string'
        ? composedCode(`${operandCode(left)} & ${operandCode(right)}`, 'string')
        : composedCode(`${operandCode(left)} + ${operandCode(right)}`, 'number');
    case '<':
    case '>':
    case '<=':
    case '>=':
      return composedCode(`${operandCode(left)} ${operator} ${operandCode(right)}`, 'boolean');
    default:
      return composedCode(`${operandCode(left)} ${operator} ${operandCode(right)}`, 'number');
  }
}
