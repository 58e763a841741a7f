import { config } from 'zod';

/*
 * Must run before the first schema: zod probes for `new Function`, which violates the content security policy of our
 * pages and is reported by browsers. On the server zod may compile.
 */
if ('document' in globalThis) config({ jitless: true });
