/**
 * A failure that n8n shows, such as a reference to a node that has not run. Every other error in an expression counts
 * as no value there.
 */
export class PreludeFailure extends Error {
  readonly isShown = true;

  constructor(message: string) {
    super(message);
    this.name = 'Error';
  }
}

export const isShownFailure = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { isShown?: unknown }).isShown === true;

/** A value as n8n takes it out of an expression: a date of luxon is a text. */
function leaveExpression(value: unknown): unknown {
  const moment = value as { isLuxonDateTime?: true; toISO?: () => string | null } | null | undefined;
  return moment?.isLuxonDateTime === true ? (moment.toISO?.() ?? 'Invalid DateTime') : value;
}

/** The value of an expression; undefined if it throws anything but what n8n shows. */
export function evaluateLeniently(compute: () => unknown): unknown {
  try {
    return leaveExpression(compute());
  } catch (error) {
    if (isShownFailure(error)) throw error;
    return undefined;
  }
}
