import { config } from 'zod';

/*
 * Before the first schema is made: zod asks whether it may compile code, which our pages' content security policy refuses
 * and browsers report. On the server it does compile.
 */
if ('document' in globalThis) config({ jitless: true });
