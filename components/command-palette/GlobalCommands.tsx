import { useEffect, useEffectEvent, useState } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { isDialogOrMenuOpen, keyCombinationText } from '@/components/ui/keyboard';
import { hasPagePalette, usePaletteRequests, type PaletteRequest } from './requests';

const CommandPalette = lazyWithPreload(() => import('./CommandPalette').then((module) => module.CommandPalette));
const CreateWorkflow = lazyWithPreload(() =>
  import('@/components/workflows/CreateWorkflow').then((module) => module.CreateWorkflow),
);
const TemplateChoice = lazyWithPreload(() =>
  import('@/components/templates/TemplateChoice').then((module) => module.TemplateChoice),
);
const ImportFile = lazyWithPreload(() => import('./ImportFile').then((module) => module.ImportFile));

/** Opens the command palette by Ctrl+K on every signed-in page, and the dialogs that its entries ask for. */
export function GlobalCommands() {
  const [shown, setShown] = useState<PaletteRequest | { kind: 'palette' }>();
  const close = () => setShown(undefined);
  usePaletteRequests(setShown);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (keyCombinationText(event) !== 'mod+k' || event.defaultPrevented || hasPagePalette()) return;
    // The browser's own meaning of the key would lead away from the dialog, too.
    event.preventDefault();
    if (!isDialogOrMenuOpen()) setShown({ kind: 'palette' });
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  switch (shown?.kind) {
    case 'palette':
      return <CommandPalette onClose={close} />;
    case 'create':
      return <CreateWorkflow onClose={close} />;
    case 'templates':
      return <TemplateChoice startId={shown.id} onClose={close} />;
    case 'import':
      return <ImportFile onClose={close} />;
    case undefined:
      return null;
  }
}
