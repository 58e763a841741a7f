import { useEffect, useEffectEvent } from 'react';
import { isDialogOrMenuOpen, isTextFieldTarget } from '@/components/ui/keyboard';
import type { SelectionEdits } from '../draft/useSelectionEdits';

/** Copy, cut and paste through the system clipboard, as JSON. */
export function useNodeClipboard(edits: SelectionEdits): void {
  const isOurs = (event: ClipboardEvent) =>
    !isTextFieldTarget(event.target) && !isDialogOrMenuOpen() && !getSelection()?.toString();
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
