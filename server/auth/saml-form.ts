import type { Call } from '../api/operation';
import { invalid, invalidField } from '../api/problem';

/** The fields of a posted form, each at most once. */
export function formOf({ headers, rawBody }: Call): Partial<Record<string, string>> {
  const [type = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw invalidField('Content-Type', 'must be application/x-www-form-urlencoded');
  }
  const form = new URLSearchParams(Buffer.from(rawBody).toString('utf8'));
  const names = [...form.keys()];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) throw invalid(repeated.map((field) => ({ field, message: 'is given more than once' })));
  return Object.fromEntries(form);
}

/**
 * The part of a redirect's query that its signature is over, in the order that the binding prescribes, and written as the
 * provider wrote it: escapes can be spelt in more than one way.
 */
export function signedPartOf(rawQuery: string): string {
  const parts = rawQuery.split('&');
  const named = ['SAMLRequest', 'RelayState', 'SigAlg'].map((name) =>
    parts.find((part) => part.startsWith(`${name}=`)),
  );
  return named.filter((part) => part !== undefined).join('&');
}
