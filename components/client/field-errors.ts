import { problemOf } from './problem';

export interface FieldErrors {
  /** By field, as the service names it. */
  at: ReadonlyMap<string, string>;
  /** What belongs to none of the fields that the form shows. */
  elsewhere: string | null;
}

/** Sorts a refusal: what the form can show at a field, by `shown`, and what it must say above. */
export function fieldErrorsOf(error: unknown, shown: (field: string) => boolean): FieldErrors {
  if (!error) return { at: new Map(), elsewhere: null };
  const { message, details } = problemOf(error);
  const inside = details.filter(({ field }) => shown(field));
  const outside = details.filter(({ field }) => !shown(field));
  const said = outside.map((detail) => (detail.field ? `${detail.field} ${detail.message}` : detail.message));
  return {
    at: new Map(inside.map(({ field, message: text }) => [field, text])),
    elsewhere: details.length === 0 ? message : said.length > 0 ? said.join('; ') : null,
  };
}
