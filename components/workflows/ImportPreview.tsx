import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import type { useWorkflowImport } from './useWorkflowImport';

const N8nPreview = lazyWithPreload(() => import('./N8nPreview').then((module) => module.N8nPreview));

/** The dialog of a file of n8n, while one is shown. */
export const ImportPreview = ({ imports: { preview, save } }: { imports: ReturnType<typeof useWorkflowImport> }) =>
  preview ? <N8nPreview preview={preview} save={save} /> : null;
