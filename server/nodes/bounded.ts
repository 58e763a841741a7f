import vm from 'node:vm';
import { isTimeout, withTimeout } from '../sandbox/processor-time.mjs';

const context = vm.createContext({ work: (): void => undefined });
const enter = new vm.Script('work()');

/**
 * Runs `work` to its end, but no longer than `milliseconds` on the processor: a watchdog stops it wherever it is, in a
 * regular expression too, and may begin it anew. Answers false when it was stopped; what it has half changed must be
 * thrown away.
 */
export function bounded(milliseconds: number, work: () => void): boolean {
  const outer = context['work'] as () => void;
  context['work'] = work;
  try {
    withTimeout(milliseconds, (timeout) => enter.runInContext(context, { timeout }));
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    context['work'] = outer;
  }
}
