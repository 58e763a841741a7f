import { useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * The ref of a controlled text field on a page that the server renders. What was typed or filled in before hydration is
 * in the element only, and React's next rendering would remove it: it is passed on as a change.
 */
export function useTextBeforeHydration(
  value: string,
  onChange: (text: string) => void,
): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  const first = useRef({ value, onChange });
  useLayoutEffect(() => {
    const text = field.current?.value ?? '';
    if (text !== first.current.value) first.current.onChange(text);
  }, []);
  return field;
}
