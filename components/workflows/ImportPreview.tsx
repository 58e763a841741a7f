import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import type { useImport } from './useImport';

const N8nPreview = lazyWithPreload(() => import('./N8nPreview').then((module) => module.N8nPreview));

/** The dialog of a file of n8n, while one is shown. */
export const ImportPreview = ({ imports: { preview, save } }: { imports: ReturnType<typeof useImport> }) =>
  preview ? <N8nPreview preview={preview} save={save} /> : null;
