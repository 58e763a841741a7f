import { startWithCapital } from '@/components/ui/values/start-with-capital';

const ID_CLAUSE = /^(?:(?:account |name or )?ids? of|(?:its|the) id|name or id$|it is in its address)\b/i;

/**
 * The help of a field whose value is picked: people see names, so what it says about ids matters only where one is
 * typed. Clauses are separated by semicolons.
 */
export function pickedDescription(description: string | undefined): string | undefined {
  const kept = (description ?? '').split('; ').filter((clause) => !ID_CLAUSE.test(clause));
  const text = kept.join('; ');
  return text === '' ? undefined : startWithCapital(text);
}
