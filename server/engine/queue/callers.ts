import { getRuntime } from '@/server/platform/runtime';
import { WaitingCallerRegistry } from '../answers/waiting-callers';
import { isRunningHere } from './admission/local-admission';

/** The callers of this process that wait for runs. */
export const waitingCallerRegistry = (): WaitingCallerRegistry =>
  (getRuntime().waitingCallers ??= new WaitingCallerRegistry(isRunningHere));
