import vm from 'node:vm';

const context = vm.createContext({ work: (): void => undefined });
const enter = new vm.Script('work()');

/**
 * Runs `work` to its end, but no longer than `milliseconds`: a watchdog stops it wherever it is, in a regular
 * expression too. Answers false when it was stopped; what it has half changed must be thrown away.
 */
export function bounded(milliseconds: number, work: () => void): boolean {
  const outer = context['work'] as () => void;
  context['work'] = work;
  try {
    enter.runInContext(context, { timeout: milliseconds });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    context['work'] = outer;
  }
}
