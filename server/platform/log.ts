import { pino, type Logger } from 'pino';
import { getRuntime } from '@/server/platform/runtime';

let processLogger: Logger | undefined;

/** The service's log: JSON lines on standard output. It never contains bodies, tokens or secrets. */
export const serviceLog = (): Logger => (processLogger ??= pino({ name: 'weft', level: getRuntime().env.logLevel }));
