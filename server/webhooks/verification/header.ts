import { isSameText } from './compare';
import type { Verifier } from './verifier';

/** A fixed value in a header of the author's choice. */
export const headerVerifier = (name: string, value: string): Verifier => ({
  reads: [name],
  admits({ headers }) {
    const given = headers.get(name);
    return given !== null && isSameText(given, value);
  },
});
