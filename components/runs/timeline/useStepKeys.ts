import { useEffect, useEffectEvent } from 'react';
import { isTextFieldTarget } from '@/components/ui/keyboard';

const ARROW_KEY_STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Arrow keys select the steps of a run by start time; Escape clears the selection. */
export function useStepKeys(ids: string[], current: string | undefined, onGo: (id: string | undefined) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || usesArrowKeys(event.target)) return;
    if (event.key === 'Escape' && current !== undefined) return onGo(undefined);
    const step = ARROW_KEY_STEPS[event.key];
    if (step === undefined || ids.length === 0) return;
    const at = ids.indexOf(current ?? '');
    const next = at === -1 ? (step > 0 ? 0 : ids.length - 1) : Math.min(Math.max(at + step, 0), ids.length - 1);
    event.preventDefault();
    onGo(ids[next]);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** Whether an element uses the arrow keys itself. */
const usesArrowKeys = (target: EventTarget | null) =>
  isTextFieldTarget(target) ||
  (target instanceof Element &&
    target.closest('[role="tablist"], [role="listbox"], [role="menu"], [role="dialog"], [role="radiogroup"]') !== null);
