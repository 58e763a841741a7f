import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { EarlyPaletteSearch } from './palette/EarlyPaletteSearch';

/*
 * Components that are not visible at first. Their code is preloaded when the browser is idle, or loaded when needed
 * earlier.
 */
export const LazySideContent = lazyWithPreload(
  () => import('./SidePanelContent').then((module) => module.SidePanelContent),
  <PanelSkeleton />,
);
export const LazyNodeDialog = lazyWithPreload(() => import('./node/NodeDialog').then((module) => module.NodeDialog));
export const LazyCommandBar = lazyWithPreload(() =>
  import('./commands/CommandBar').then((module) => module.CommandBar),
);
export const LazyPalette = lazyWithPreload(
  () => import('./palette/NodePalette').then((module) => module.NodePalette),
  ({ early, onClose }) => <EarlyPaletteSearch early={early} onClose={onClose} />,
);
export const LazyCanvasMenu = lazyWithPreload(() =>
  import('./commands/CanvasMenu').then((module) => module.CanvasMenu),
);
export const LazyMoreMenu = lazyWithPreload(() =>
  import('./commands/EditorMoreMenu').then((module) => module.EditorMoreMenu),
);
export const LazyRunMenu = lazyWithPreload(() =>
  import('./run/RunOptionsMenu').then((module) => module.RunOptionsMenu),
);
export const LazyNodeTools = lazyWithPreload(() => import('./tools/NodeTools').then((module) => module.NodeTools));
export const LazyStatusMenuItems = lazyWithPreload(() =>
  import('./versions/StatusMenuItems').then((module) => module.StatusMenuItems),
);
export const LazyRoundPicker = lazyWithPreload(() =>
  import('@/components/runs/timeline/RoundPicker').then((module) => module.RoundPicker),
);
export const LazyLivePreview = lazyWithPreload(() => import('./live/LivePreview').then((module) => module.LivePreview));
export const LazyReplayBar = lazyWithPreload(() =>
  import('@/components/runs/replay/ReplayBar').then((module) => module.ReplayBar),
);
export const LazyRunDialog = lazyWithPreload(() => import('./run/RunDialog').then((module) => module.RunDialog));
export const LazyBuildDialog = lazyWithPreload(() =>
  import('./build/BuildDialog').then((module) => module.BuildDialog),
);
export const LazyShortcutsDialog = lazyWithPreload(() =>
  import('./commands/ShortcutsDialog').then((module) => module.ShortcutsDialog),
);
export const LazyAppliedProposal = lazyWithPreload(() =>
  import('./build/AppliedProposal').then((module) => module.AppliedProposal),
);
export const LazyPublishDialog = lazyWithPreload(() =>
  import('./versions/PublishDialog').then((module) => module.PublishDialog),
);
export const LazyExtractDialog = lazyWithPreload(() =>
  import('./ExtractDialog').then((module) => module.ExtractDialog),
);
export const LazyOtherPointers = lazyWithPreload(() =>
  import('./presence/OtherPointers').then((module) => module.OtherPointers),
);
export const LazyEmptyCanvasPrompt = lazyWithPreload(() =>
  import('./build/EmptyCanvasPrompt').then((module) => module.EmptyCanvasPrompt),
);
export const LazyConflictNotice = lazyWithPreload(() =>
  import('./draft/ConflictNotice').then((module) => module.ConflictNotice),
);
export const LazyDraftNotices = lazyWithPreload(() =>
  import('./draft/OthersDraftNotices').then((module) => module.OthersDraftNotices),
);
export const LazyTriggerDialog = lazyWithPreload(() =>
  import('@/components/triggers/TriggerDialog').then((module) => module.TriggerDialog),
);
export const LazyTestCallBar = lazyWithPreload(() =>
  import('./triggers/TestCallBar').then((module) => module.TestCallBar),
);
export const LazyConvertLanguageDialog = lazyWithPreload(() =>
  import('./language/ConvertLanguageDialog').then((module) => module.ConvertLanguageDialog),
);
export const LazySettingsDialog = lazyWithPreload(() =>
  import('@/components/workflows/WorkflowSettingsDialog').then((module) => module.WorkflowSettingsDialog),
);
export const LazyShareDialog = lazyWithPreload(() =>
  import('@/components/workflows/ShareDialog').then((module) => module.ShareDialog),
);
export const LazyOriginDialog = lazyWithPreload(() =>
  import('./origin/ImportOriginDialog').then((module) => module.ImportOriginDialog),
);
export const LazyTestsDialog = lazyWithPreload(() =>
  import('./tests/WorkflowTestsDialog').then((module) => module.WorkflowTestsDialog),
);
export const LazyTour = lazyWithPreload(() => import('@/components/tour/Tour').then((module) => module.Tour));

/** Preloads the most likely components first. A failed load is retried when the component is shown. */
export function preloadEditorComponents(): void {
  const parts = [
    LazySideContent,
    LazyPalette,
    LazyNodeTools,
    LazyNodeDialog,
    LazyCommandBar,
    LazyCanvasMenu,
    LazyRunDialog,
    LazyShortcutsDialog,
  ];
  void Promise.allSettled(parts.map((module) => module.load()));
}
