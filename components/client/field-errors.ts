import { readApiError } from './api-error';

export interface FormFieldErrors {
  /** Messages by the field name of the service. */
  at: ReadonlyMap<string, string>;
  /** Errors of fields that the form does not show. */
  elsewhere: string | null;
}

/** Splits the details of a refusal into errors at fields of the form (`shown`) and one message above it. */
export function splitFieldErrors(error: unknown, shown: (field: string) => boolean): FormFieldErrors {
  if (!error) return { at: new Map(), elsewhere: null };
  const { message, details } = readApiError(error);
  const inside = details.filter(({ field }) => shown(field));
  const outside = details.filter(({ field }) => !shown(field));
  const said = outside.map((detail) => (detail.field ? `${detail.field} ${detail.message}` : detail.message));
  return {
    at: new Map(inside.map(({ field, message: text }) => [field, text])),
    elsewhere: details.length === 0 ? message : said.length > 0 ? said.join('; ') : null,
  };
}
