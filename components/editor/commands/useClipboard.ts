import { useEffect, useEffectEvent } from 'react';
import { isCovered, isTyping } from '@/components/ui/keys';
import type { Edits } from '../draft/useEdits';

/** Copy, cut and paste through the system clipboard, as JSON. */
export function useClipboard(edits: Edits): void {
  const isOurs = (event: ClipboardEvent) => !isTyping(event.target) && !isCovered() && !getSelection()?.toString();
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const text = isOurs(event) ? edits.copied() : undefined;
    if (text === undefined) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    if (event.type === 'cut') edits.remove();
  });
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isOurs(event)) void edits.paste(event.clipboardData?.getData('text/plain') ?? '');
  });
  useEffect(() => {
    const [copy, paste] = [(event: ClipboardEvent) => onCopy(event), (event: ClipboardEvent) => onPaste(event)];
    document.addEventListener('copy', copy);
    document.addEventListener('cut', copy);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('cut', copy);
      document.removeEventListener('paste', paste);
    };
  }, []);
}
