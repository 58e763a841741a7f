import type { Call } from '@/server/api/operation';
import { invalid, invalidField } from '@/server/errors/problem';

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
 * The signed part of a redirect's query, in the order that the binding prescribes, and in the provider's spelling: escapes can be spelled
 * in more than one way.
 */
export function signedPartOf(rawQuery: string): string {
  const parts = rawQuery.split('&');
  const parameters = ['SAMLRequest', 'RelayState', 'SigAlg'].map((name) =>
    parts.find((part) => part.startsWith(`${name}=`)),
  );
  return parameters.filter((part) => part !== undefined).join('&');
}
