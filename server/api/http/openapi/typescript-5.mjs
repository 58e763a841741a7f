// The generators call the compiler as a library, which TypeScript 7 is not: they get TypeScript 5.
import { register } from 'node:module';

const HOOK = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
