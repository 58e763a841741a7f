import { runtime } from '@/server/runtime';
import { WaitingCallers } from '../answers/waiting-callers';
import { isRunningHere } from './admission/local-admission';

/** The callers of this process that wait for runs. */
export const waitingCallers = (): WaitingCallers => (runtime().waitingCallers ??= new WaitingCallers(isRunningHere));
