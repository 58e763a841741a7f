import { version, weft } from '@/package.json';

// What package.json says about this release. Builds take these values into their programs.

export { version };
/** Where faults of the software are reported; undefined: nobody has set it. */
export const projectContact: string | undefined = weft.securityContact || undefined;
