import { pino, type Logger } from 'pino';
import { runtime } from './runtime';

let logger: Logger | undefined;

/** The service's log: JSON lines on standard output. It never contains bodies, tokens or secrets. */
export const log = (): Logger => (logger ??= pino({ name: 'weft', level: runtime().env.logLevel }));
