import { zipSync, type Zippable } from 'fflate';

export { zipSync, strToU8 } from 'fflate';

/** Takes the place of the function of fflate that compresses in threads; see scripts/build.mjs. */
export const zip = (files: Zippable, done: (error: null, archive: Uint8Array) => void): void =>
  done(null, zipSync(files));
