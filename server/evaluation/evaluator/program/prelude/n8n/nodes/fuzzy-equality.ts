import { areEqual } from './paths';

const isBlankValue = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

function isWrittenAs(text: string, value: object): boolean {
  try {
    return areEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

const isNull = (value: unknown) => value === null;
const isZeroOrNull = (value: unknown) => value === null || value === 0 || value === '0';

/** Whether a value of another type stands for the same: `1` for `"1"`, `true` for `"true"`, `1` and `"1"`. */
function standsFor(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'string') return String(one) === other;
  if (typeof one === 'object' && one !== null && typeof other === 'string') return isWrittenAs(other, one);
  if (typeof one !== 'boolean') return false;
  const text = String(other).toLocaleLowerCase();
  if (typeof other === 'string' && text === String(one)) return true;
  return (typeof other === 'string' || typeof other === 'number') && text === (one ? '1' : '0');
}

/** Whether two values are the same but for their types, as far as n8n's fuzzy comparison goes. `version`: of its rules. */
export function areFuzzilyEqual(one: unknown, other: unknown, version: number): boolean {
  if (!isNull(one) && !isNull(other) && typeof one === typeof other) return areEqual(one, other);
  if (version >= 2 && ((isNull(one) && isZeroOrNull(other)) || (isNull(other) && isZeroOrNull(one)))) return true;
  if (isBlankValue(one) && (isBlankValue(other) || other === undefined)) return true;
  if (one === undefined && isBlankValue(other)) return true;
  return standsFor(one, other) || standsFor(other, one) || areEqual(one, other);
}
